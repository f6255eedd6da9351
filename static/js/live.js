// Keeps a page as fresh as the tournament: asks for its version and tells what shows it to refresh.
//
// On the page: one <p data-live-url data-updated data-lost> (hall/_live_line.html), and any number of elements with
// data-live="address" data-version="n". The version travels with the element, so that a refresh that did not arrive is asked
// for again. At the desk htmx replaces them: there data-live is empty, and beside it stand hx-get hx-trigger="refresh"
// hx-swap="outerHTML". The hall does without its 17 kB; who listens hears the same of both.

import { ask as request } from "./answers.js";

const SOON = 600; // while deals come in: a deal is seen everywhere within a second or two
const SELDOM = 1500; // while nothing happens
const QUIET = 60000; // nothing new for so long is nothing happening
const SHARE = 3; // what takes long, on a weak network or a slow phone, is asked for so many times as seldom
const SLOWEST = 10000;
const PATIENCE = 8000;
/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

const line = /** @type {HTMLElement} */ (document.querySelector("[data-live-url]"));
/** @type {() => HTMLElement[]} */
const parts = () => [...document.querySelectorAll("[data-live]")].map((part) => /** @type {HTMLElement} */ (part));
const shownVersion = () => Math.min(...parts().map((part) => Number(part.dataset.version)));

let wait = SOON;
/** @type {number | undefined} */
let timer;
let changed = Date.now();
let newest = 0;
let begun = 0;
let lastSeen = new Date();

/** @param {string} text */
function say(text) {
  const time = lastSeen.toLocaleTimeString(document.documentElement.lang, CLOCK);
  const said = text.replace("{time}", time);
  if (line.textContent !== said) line.textContent = said; // what stays is not drawn again
  line.hidden = false;
}

function isFresh() {
  const pace = Date.now() - changed < QUIET ? SOON : SELDOM;
  wait = Math.min(Math.max(pace, SHARE * (performance.now() - begun)), SLOWEST);
  lastSeen = new Date();
  line.classList.remove("lost");
  say(`${line.dataset.updated}`);
}

function isLost() {
  wait = Math.min(wait * 2, SLOWEST);
  line.classList.add("lost");
  say(`${line.dataset.lost}`);
}

async function ask() {
  clearTimeout(timer);
  begun = performance.now();
  const answer = await request(`${line.dataset.liveUrl}`, { cache: "no-store", patience: PATIENCE });
  const isKnown = answer.ok && Number.isInteger(answer.data.version);
  newest = isKnown ? answer.data.version : 0;
  if (!isKnown) isLost();
  else if (newest > shownVersion()) {
    changed = Date.now();
    const resting = parts().filter((part) => !part.classList.contains("htmx-request"));
    for (const part of resting) {
      if (part.dataset.live) replace(part, part.dataset.live);
      else part.dispatchEvent(new Event("refresh"));
    }
  } else isFresh();
  // A little off the beat, so that a hall full of phones does not ask in one breath.
  clearTimeout(timer); // one who came back to the page meanwhile has asked too
  if (!document.hidden) timer = setTimeout(ask, wait * (0.9 + Math.random() * 0.2));
}

/**
 * Put a part of the hall in the place of what it was.
 * @param {HTMLElement} part
 * @param {string} address
 */
async function replace(part, address) {
  const tell = (/** @type {string} */ name) => document.dispatchEvent(new CustomEvent(name, { detail: { target: part } }));
  part.classList.add("htmx-request");
  const { ok, data } = await request(address, { headers: { "HX-Request": "true", "X-Newest": String(newest) } });
  part.classList.remove("htmx-request");
  if (!ok) return isLost();
  if (!part.isConnected) return null;
  tell("htmx:beforeSwap");
  part.outerHTML = data;
  return tell("htmx:afterSwap");
}

// What a reader has scrolled, opened or focused inside a part stays so when the part is replaced.
/** @type {{ scrolled: [string, number, number][], open: string[], focus: string | null } | null} */
let kept = null;

/** @param {HTMLElement} part */
function remember(part) {
  const held = document.activeElement;
  kept = {
    scrolled: [...part.querySelectorAll(".scroll[id]")].map((box) => /** @type {[string, number, number]} */ ([box.id, box.scrollLeft, box.scrollTop])),
    open: [...part.querySelectorAll("details[id][open]")].map((details) => details.id),
    focus: held && part.contains(held) ? held.getAttribute("href") : null,
  };
}

function restore() {
  if (!kept) return;
  for (const [id, left, top] of kept.scrolled) document.getElementById(id)?.scrollTo(left, top);
  for (const id of kept.open) document.getElementById(id)?.setAttribute("open", "");
  const held = kept.focus && document.querySelector(`[data-live] [href="${CSS.escape(kept.focus)}"]`);
  if (held instanceof HTMLElement) held.focus({ preventScroll: true });
  kept = null;
}

/**
 * Act on an event of htmx's, by its detail.
 * @param {string} name
 * @param {(detail: any) => void} act
 */
const onHtmx = (name, act) => document.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail));

if (line) {
  onHtmx("htmx:beforeSwap", ({ target }) => target.matches("[data-live]") && remember(target));
  document.addEventListener("htmx:afterSwap", () => {
    restore();
    isFresh();
  });
  // Another process of the server may not have heard of it yet.
  onHtmx("htmx:configRequest", ({ headers }) => { headers["X-Newest"] = newest; });
  document.addEventListener("htmx:sendError", isLost);
  onHtmx("htmx:responseError", ({ elt }) => elt.matches("[data-live]") && isLost());
  document.addEventListener("visibilitychange", () => !document.hidden && ask());
  window.addEventListener("online", ask);
  // Not before the page is there: a slow network has enough to bring.
  if (document.readyState === "complete") ask();
  else window.addEventListener("load", ask, { once: true });
}
