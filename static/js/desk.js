// What every page of a tournament's desk does by itself: the number of things that wait stands first in the title, a new call
// is heard by who wants that, and the row of pages shows the one that is open.
//
// A live part with data-sum comes as the rows of it that have changed (tournaments/web/live_parts.py).
//
// On the page: #strip with data-needs and data-call (the newest open call's number), replaced by static/js/live.js.

import { isOurs } from "./answers.js";
import { apply } from "./live_rows.js";

const HEARD = "spadille-desk-heard";
const NOTES = [740, 988]; // Hz: a soft double note
const LENGTH = 0.35; // seconds, each

const strip = () => document.getElementById("strip");
const wantsSound = () => document.documentElement.hasAttribute("data-sound");

function ring() {
  const sound = new AudioContext();
  NOTES.forEach((pitch, index) => {
    const note = sound.createOscillator();
    const loudness = sound.createGain();
    const begin = sound.currentTime + index * LENGTH;
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, begin);
    loudness.gain.linearRampToValueAtTime(0.2, begin + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
    note.connect(loudness).connect(sound.destination);
    note.start(begin);
    note.stop(begin + LENGTH);
  });
  setTimeout(() => sound.close(), 3000 * LENGTH * NOTES.length);
}

/** Once for each call, from one window of this browser. */
function hear() {
  const newest = Number(strip()?.dataset.call);
  let heard;
  try {
    heard = Number(localStorage.getItem(HEARD));
    if (newest > heard) localStorage.setItem(HEARD, String(newest));
  } catch {
    return;
  }
  if (newest > heard && wantsSound()) ring();
}

function tell() {
  const needs = Number(strip()?.dataset.needs);
  const plain = document.title.replace(/^\(\d+\) /, "");
  document.title = needs ? `(${needs}) ${plain}` : plain;
  hear();
}

/**
 * Act on an event of htmx's, by its detail.
 * @param {string} name
 * @param {(detail: any) => void} act
 */
const onHtmx = (name, act) => document.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail));

onHtmx("htmx:configRequest", ({ elt, headers }) => {
  if (elt.dataset.sum) headers["X-Sum"] = elt.dataset.sum;
});
onHtmx("htmx:beforeSwap", (detail) => {
  const { xhr, target } = detail;
  if (!target.dataset.sum || xhr?.getResponseHeader("Content-Type") !== "application/json") return;
  detail.shouldSwap = false;
  if (!isOurs({ get: (/** @type {string} */ name) => xhr.getResponseHeader(name) })) return; // an error, by swaps.js
  const { version, sum, rows } = JSON.parse(xhr.responseText);
  if (apply(target, rows)) {
    Object.assign(target.dataset, { version, sum });
    document.dispatchEvent(new CustomEvent("htmx:afterSwap", { detail: { target, elt: target } }));
  } else {
    delete target.dataset.sum; // this page has other rows: the whole part, once htmx has finished with this request
    setTimeout(() => target.dispatchEvent(new Event("refresh")));
  }
});

const open = document.querySelector(".top-nav [aria-current]");
const row = document.querySelector(".top-nav");
if (open instanceof HTMLElement && row) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;

if (strip()) {
  hear();
  document.addEventListener("htmx:afterSwap", tell);
  // Who switches it on hears what it will be, and the browser has been touched, without which it keeps silent.
  document.addEventListener("switched", (event) => {
    if (/** @type {CustomEvent} */ (event).detail === "sound" && wantsSound()) ring();
  });
}
