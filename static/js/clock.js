// A round's clock: shows how long is left, by the server's time, and rings when it is over where that is wanted.
//
// On the page, any number of times, replaced by static/js/live.js: _clock.html, with data-ends (milliseconds since 1970) or,
// while it is paused, data-left (milliseconds). <button data-bell aria-pressed> switches the bell of this browser.

import { ask as request } from "./answers.js";

const TICK = 250;
const ASK_AGAIN = 60000; // a machine that slept counts wrong until it has asked
const SOON = 3000;
const MINUTE = 60000;
const BELL = "spadille-bell";
const RUNG = "spadille-bell-rung";
// A bell's partial tones: pitch in Hz, loudness, seconds until it has died away.
const TONES = [[523, 0.3, 3], [1047, 0.2, 2.2], [1319, 0.12, 1.6], [2093, 0.06, 1]];
const STROKES = [0, 0.9, 1.8];

let ahead = NaN; // what the server's clock is ahead of this page's own count
/** @type {number | undefined} */
let asking;

/** @type {() => HTMLElement[]} */
const clocks = () => [...document.querySelectorAll("[data-clock]")].map((clock) => /** @type {HTMLElement} */ (clock));

async function ask() {
  clearTimeout(asking);
  const [clock] = clocks();
  if (clock) {
    const begun = performance.now();
    const { ok, data } = await request(`${clock.dataset.time}`, { cache: "no-store" });
    // Half of it was the way there; without an answer it is counted on from what was heard last.
    if (ok && Number.isFinite(data.now)) ahead = data.now - (begun + performance.now()) / 2;
  }
  clearTimeout(asking);
  asking = setTimeout(ask, Number.isNaN(ahead) ? SOON : ASK_AGAIN);
}

/** @type {(clock: HTMLElement) => number} */
const leftOf = (clock) => (clock.dataset.ends ? Number(clock.dataset.ends) - (performance.now() + ahead) : Number(clock.dataset.left));

/**
 * As “1:05:09”, “48:09”; what is over has a plus.
 * @param {number} left
 */
function written(left) {
  const seconds = left > 0 ? Math.ceil(left / 1000) : Math.floor(-left / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return (left > 0 ? "" : "+") + shown.map((part, index) => (index ? String(part).padStart(2, "0") : part)).join(":");
}

/** @type {{ [ends: string]: number }} */
const before = {};

/** @param {HTMLElement} clock */
function show(clock) {
  const rings = clock.dataset.rings !== undefined;
  const left = rings ? leftOf(clock) : Math.max(leftOf(clock), 1); // what is final in a moment is not late
  const shown = /** @type {HTMLElement} */ (clock.querySelector(".left"));
  const text = left > 0 ? written(left) : `${written(left)} ${clock.dataset.over}`;
  if (shown.textContent !== text) shown.textContent = text;
  shown.hidden = false;
  clock.classList.toggle("over", left <= 0);
  clock.classList.toggle("near", left > 0 && left < 5 * MINUTE);
  const { ends } = clock.dataset;
  if (!ends || !rings) return;
  if (before[ends] > 0 && left <= 0) ringOnce(ends);
  before[ends] = left;
}

// The bell

/** @type {AudioContext | undefined} */
let kept;

/** It sounds once the browser has been touched. */
function voice() {
  if (!kept) kept = new AudioContext();
  void kept.resume();
  return kept;
}

function wantsBell() {
  try {
    return localStorage.getItem(BELL) === "on" || document.documentElement.hasAttribute("data-sound");
  } catch {
    return false;
  }
}

function ring() {
  const sound = voice();
  for (const stroke of STROKES) {
    for (const [pitch, loudness, length] of TONES) {
      const tone = sound.createOscillator();
      const volume = sound.createGain();
      const begin = sound.currentTime + stroke;
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0, sound.currentTime);
      volume.gain.setValueAtTime(loudness, begin);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
      tone.connect(volume).connect(sound.destination);
      tone.start(begin);
      tone.stop(begin + length);
    }
  }
}

/**
 * From one window of this browser.
 * @param {string} ends
 */
function ringOnce(ends) {
  if (!wantsBell() || localStorage.getItem(RUNG) === ends) return;
  localStorage.setItem(RUNG, ends);
  ring();
}

function showBell() {
  for (const button of document.querySelectorAll("[data-bell]")) button.setAttribute("aria-pressed", String(wantsBell()));
}

document.addEventListener("click", (event) => {
  if (wantsBell()) voice();
  const button = event.target instanceof Element ? event.target.closest("[data-bell]") : null;
  if (!button) return;
  try {
    const on = localStorage.getItem(BELL) !== "on";
    localStorage.setItem(BELL, on ? "on" : "off");
    if (on) ring(); // so one hears what it will be
  } catch {
    return;
  }
  showBell();
});

function tick() {
  if (clocks().length && asking === undefined) void ask();
  if (!Number.isNaN(ahead)) clocks().forEach(show);
}

document.addEventListener("visibilitychange", () => !document.hidden && void ask());
document.addEventListener("htmx:afterSwap", () => { tick(); showBell(); });
setInterval(tick, TICK);
tick();
showBell();
