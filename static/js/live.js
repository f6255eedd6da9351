// Keeps a page as fresh as the tournament: asks for its version and tells what shows it to refresh.
//
// On the page: one <p data-live-url data-updated data-lost> (hall/_live_line.html), and any number of elements with
// data-live data-version="n" hx-get hx-trigger="refresh" hx-swap="outerHTML". The version travels with the element, so
// that a refresh that did not arrive is asked for again.

const SOON = 600; // while deals come in: a deal is seen everywhere within a second or two
const SELDOM = 1500; // while nothing happens
const QUIET = 60000; // nothing new for so long is nothing happening
const SHARE = 3; // what takes long, on a weak network or a slow phone, is asked for so many times as seldom
const SLOWEST = 10000;
const PATIENCE = 8000;
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

const line = document.querySelector("[data-live-url]");
const parts = () => [...document.querySelectorAll("[data-live]")];
const shownVersion = () => Math.min(...parts().map((part) => Number(part.dataset.version)));

let wait = SOON;
let timer;
let changed = Date.now();
let newest = 0;
let begun = 0;
let lastSeen = new Date();

function say(text) {
  const time = lastSeen.toLocaleTimeString(document.documentElement.lang, CLOCK);
  line.textContent = text.replace("{time}", time);
  line.hidden = false;
}

function isFresh() {
  const pace = Date.now() - changed < QUIET ? SOON : SELDOM;
  wait = Math.min(Math.max(pace, SHARE * (performance.now() - begun)), SLOWEST);
  lastSeen = new Date();
  line.classList.remove("lost");
  say(line.dataset.updated);
}

function isLost() {
  wait = Math.min(wait * 2, SLOWEST);
  line.classList.add("lost");
  say(line.dataset.lost);
}

async function ask() {
  clearTimeout(timer);
  begun = performance.now();
  const patience = new AbortController();
  const enough = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const answer = await fetch(line.dataset.liveUrl, { cache: "no-store", signal: patience.signal });
    newest = answer.ok ? (await answer.json()).version : 0;
    if (newest > shownVersion()) {
      changed = Date.now();
      const resting = parts().filter((part) => !part.classList.contains("htmx-request"));
      resting.forEach((part) => part.dispatchEvent(new Event("refresh")));
    } else if (answer.ok) isFresh();
    else isLost();
  } catch {
    isLost();
  }
  clearTimeout(enough);
  // A little off the beat, so that a hall full of phones does not ask in one breath.
  clearTimeout(timer); // one who came back to the page meanwhile has asked too
  if (!document.hidden) timer = setTimeout(ask, wait * (0.9 + Math.random() * 0.2));
}

// What a reader has scrolled, opened or focused inside a part stays so when the part is replaced.
let kept = null;

function remember(part) {
  kept = {
    scrolled: [...part.querySelectorAll(".scroll[id]")].map((box) => [box.id, box.scrollLeft, box.scrollTop]),
    open: [...part.querySelectorAll("details[id][open]")].map((details) => details.id),
    focus: part.contains(document.activeElement) && document.activeElement.getAttribute("href"),
  };
}

function restore() {
  for (const [id, left, top] of kept.scrolled) document.getElementById(id)?.scrollTo(left, top);
  for (const id of kept.open) document.getElementById(id)?.setAttribute("open", "");
  if (kept.focus) document.querySelector(`[data-live] [href="${CSS.escape(kept.focus)}"]`)?.focus({ preventScroll: true });
  kept = null;
}

if (line) {
  document.addEventListener("htmx:beforeSwap", ({ detail }) => detail.target.matches("[data-live]") && remember(detail.target));
  document.addEventListener("htmx:afterSwap", () => {
    if (kept) restore();
    isFresh();
  });
  // Another process of the server may not have heard of it yet.
  document.addEventListener("htmx:configRequest", ({ detail }) => (detail.headers["X-Newest"] = newest));
  document.addEventListener("htmx:sendError", isLost);
  document.addEventListener("htmx:responseError", isLost);
  document.addEventListener("visibilitychange", () => !document.hidden && ask());
  window.addEventListener("online", ask);
  ask();
}
