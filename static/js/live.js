// Keeps a page as fresh as the tournament: the server tells what has changed; where no event comes, the page asks.
//
// On the page: one <p data-live-url data-updated data-lost> (hall/base.html#live_line), and any number of elements with
// data-live="address" data-version="n". The version travels with the element, so that a refresh that did not arrive is asked
// for again. At the desk htmx replaces them: there data-live is empty, and beside it stand hx-get hx-trigger="refresh"
// hx-swap="outerHTML". The hall does without its 17 kB; who listens hears the same of both.
//
// A part of the hall also has data-sum, a checksum of what is in it. Its stream brings the rows that have changed since
// (core/serving/streams.py), and the reader's own row where the page has only the first (data-more).

import { ask as request } from "./answers.js";
import { apply } from "./live_rows.js";

const SOON = 600; // while deals come in: a deal is seen everywhere within a second or two
const SELDOM = 1500; // while nothing happens
const QUIET = 60000; // nothing new for so long is nothing happening
const SHARE = 3; // what takes long, on a weak network or a slow phone, is asked for so many times as seldom
const SLOWEST = 10000;
const PATIENCE = 8000;
const MISSED = 2500; // of each second between two signs of life, after which a stream is dead though nobody closed it
const AGAIN = 30000; // before another stream is tried, where one was lost
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
/** @type {EventSource | null} */
let stream = null;
let heard = 0; // when an event came last; 0 where none has come on this stream
let ownRow = "";
let silence = 40000; // until the server tells how often it shows that a stream is alive
/** @type {number | undefined} */
let watch;
let streamAgain = 0; // when another stream may be tried

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
  if (answer.ok && Number.isInteger(answer.data.version)) hear(answer.data.version);
  else isLost();
  // A little off the beat, so that a hall full of phones does not ask in one breath.
  clearTimeout(timer); // one who came back to the page meanwhile has asked too
  if (document.hidden || heard) return;
  if (!stream && Date.now() > streamAgain) listen();
  timer = setTimeout(ask, wait * (0.9 + Math.random() * 0.2));
}

/**
 * Refresh all parts that are older than this version.
 * @param {number} version
 */
function hear(version) {
  newest = version;
  const isOld = newest > shownVersion();
  if (!isOld) isFresh();
  else changed = Date.now();
  const resting = parts().filter((part) => isOld && !part.classList.contains("htmx-request"));
  for (const part of resting) {
    if (part.dataset.live) replace(part, part.dataset.live);
    else part.dispatchEvent(new Event("refresh"));
  }
}

/** The part that a stream may bring: the only one of the page that is not htmx's. */
const streamed = () => (parts().length === 1 && parts()[0].dataset.sum ? parts()[0] : null);

/** @param {string} name @param {HTMLElement} part */
const tell = (name, part) => document.dispatchEvent(new CustomEvent(name, { detail: { target: part } }));

/**
 * Put a part of the hall in the place of what it was.
 * @param {HTMLElement} part
 * @param {string} address
 */
async function replace(part, address) {
  part.classList.add("htmx-request");
  const { ok, data } = await request(address, { headers: { "HX-Request": "true", "X-Newest": String(newest) } });
  part.classList.remove("htmx-request");
  if (!ok) return isLost();
  return part.isConnected && put(part, data);
}

/**
 * @param {HTMLElement} part
 * @param {string} html
 */
function put(part, html) {
  tell("htmx:beforeSwap", part);
  part.outerHTML = html;
  if (ownRow && streamed()?.dataset.more !== undefined) putOwn(ownRow);
  tell("htmx:afterSwap", part);
}

// The stream of events

/** The reader's own number (static/js/mine.js), where their row may not be on the page. */
const own = () => streamed()?.dataset.more !== undefined && document.getElementById("mine")?.dataset.number;

const isText = (/** @type {unknown} */ value) => typeof value === "string";
const isRow = (/** @type {unknown} */ row) => isText(row) || (Array.isArray(row) && row.length === 2 && row.every(Number.isInteger));
/** What each event must tell. @type {Record<string, (told: any) => boolean>} */
const IS_WHOLE = {
  still: () => true,
  version: ({ version, sum }) => Number.isInteger(version) && (sum === undefined || isText(sum)),
  part: ({ version, sum, base, rows, html }) => Number.isInteger(version) && isText(sum) && (isText(html) || (isText(base) && Array.isArray(rows) && rows.every(isRow))),
  own: ({ html }) => isText(html),
};

/**
 * What an event tells; null where it is not as the program writes it. A stream's head cannot be read, so its events are.
 * @param {string} name
 * @param {string} data
 */
function read(name, data) {
  try {
    const told = data ? JSON.parse(data) : {};
    return told instanceof Object && IS_WHOLE[name](told) ? told : null;
  } catch {
    return null;
  }
}

function listen() {
  if (stream || document.hidden || !("EventSource" in window)) return;
  const part = streamed();
  const about = new URLSearchParams(part ? { part: `${part.dataset.live}`, sum: `${part.dataset.sum}`, language: document.documentElement.lang } : {});
  if (own()) about.set("own", `${own()}`);
  const mine = new EventSource(`${line.dataset.liveUrl}`.replace(/version$/, `events?${about}`));
  stream = mine;
  const lose = () => {
    if (mine !== stream) return;
    const hasTold = heard;
    stop();
    streamAgain = Date.now() + AGAIN * Math.random();
    if (hasTold) ask(); // else the page asks already
  };
  /** @type {(name: string, act: (told: any) => void) => void} */
  const on = (name, act) => mine.addEventListener(name, ({ data }) => {
    const told = read(name, data);
    if (!told) {
      lose(); // whoever sent that is not the program: ask, whose answers are marked
      return;
    }
    heard = Date.now();
    clearTimeout(timer);
    begun = performance.now();
    act(told);
  });
  mine.addEventListener("every", ({ data }) => {
    silence = MISSED * Number(data) || silence;
    keepWatch();
  });
  on("still", isFresh);
  on("version", ({ version, sum }) => {
    if (sum && sum === streamed()?.dataset.sum) parts()[0].dataset.version = version;
    hear(version);
  });
  on("part", bring);
  on("own", ({ html }) => putOwn(html));
  mine.addEventListener("error", lose);
}

/**
 * Bring the page's part up to date: by its rows that have changed, or as a whole.
 * @param {{ version: number, sum: string, base?: string, rows?: (number[] | string)[], html?: string }} told
 */
function bring({ version, sum, base, rows, html }) {
  const part = streamed();
  newest = version;
  changed = Date.now();
  if (part && html) put(part, html);
  if (!part || html) return;
  tell("htmx:beforeSwap", part);
  const isDone = base === part.dataset.sum && rows && apply(part, rows);
  if (isDone) Object.assign(part.dataset, { version, sum });
  tell("htmx:afterSwap", part);
  if (!isDone) hear(version);
}

/**
 * Keep the reader's own row behind the first ones, where nobody sees it but static/js/mine.js.
 * @param {string} html
 */
function putOwn(html) {
  ownRow = html;
  const table = streamed()?.querySelector("table.standings");
  if (!(table instanceof HTMLTableElement)) return;
  table.querySelector("tbody[data-own]")?.remove();
  const body = table.createTBody();
  body.hidden = true;
  body.dataset.own = "";
  body.innerHTML = html;
  document.dispatchEvent(new Event("live:own"));
}

/** Ask, and begin another stream, where one has been silent for too long. */
function keepWatch() {
  clearInterval(watch);
  watch = setInterval(() => {
    if (!stream || !heard || Date.now() - heard < silence) return;
    stop();
    ask();
  }, silence / 4);
}

function stop() {
  stream?.close();
  stream = null;
  heard = 0;
}

/** Show the whole of a page that has only its first rows, from now on. */
export async function showWhole() {
  const part = streamed();
  if (!part || part.dataset.more === undefined) return;
  stop();
  await replace(part, `${part.dataset.live}?all`);
  seen(); // who asked meanwhile may have begun a stream of the first rows
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
  if (held instanceof HTMLElement && held !== document.activeElement) held.focus({ preventScroll: true });
  kept = null;
}

/**
 * Act on an event of htmx's, by its detail.
 * @param {string} name
 * @param {(detail: any) => void} act
 */
const onHtmx = (name, act) => document.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail));

/** Begin another stream, and ask until it tells something. */
function seen() {
  stop();
  if (document.hidden) return; // a browser has six connections to a server
  listen();
  ask();
}

// The rest of a long list comes when its end is in sight.
const sight = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && showWhole(), { rootMargin: "200px" });

function watchEnd() {
  sight.disconnect();
  const end = document.querySelector("[data-more] [data-rest]");
  if (end) sight.observe(end);
}

if (line) {
  onHtmx("htmx:beforeSwap", ({ target }) => target.matches("[data-live]") && remember(target));
  document.addEventListener("htmx:afterSwap", () => {
    restore();
    isFresh();
    watchEnd();
  });
  // Another process of the server may not have heard of it yet.
  onHtmx("htmx:configRequest", ({ headers }) => { headers["X-Newest"] = newest; });
  document.addEventListener("htmx:sendError", isLost);
  onHtmx("htmx:responseError", ({ elt }) => elt.matches("[data-live]") && isLost());
  document.addEventListener("visibilitychange", seen);
  document.addEventListener("mine:asks", showWhole);
  document.addEventListener("mine:chosen", seen);
  window.addEventListener("online", ask);
  window.addEventListener("pagehide", stop);
  keepWatch();
  // Not before the page is there: a slow network has enough to bring.
  if (document.readyState === "complete") seen();
  else window.addEventListener("load", seen, { once: true });
  watchEnd();
}
