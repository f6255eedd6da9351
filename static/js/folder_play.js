// A game on a folder, without loading the page for each move: what a button sends is fetched, and takes the place of the
// table. Each move is a step of the browser's history. Without this script the same forms and links load the page.

import { ask } from "./answers.js";

const table = /** @type {HTMLElement} */ (document.querySelector("[data-play]"));
const voice = /** @type {HTMLElement} */ (document.querySelector("#play-said"));
const title = document.title.split(" · ").slice(-3);
let asked = 0; // how many addresses were asked for, and answered
let answered = 0;
let shown = location.search;

/** @param {string} text */
function say(text) {
  voice.textContent = "";
  requestAnimationFrame(() => { voice.textContent = text; });
}

function tell() {
  const part = /** @type {HTMLElement | null} */ (table.querySelector("[data-said]"));
  if (!part) return;
  // What the referee refuses is said by the refusal itself.
  say(table.querySelector("[role=alert]") ? "" : `${part.dataset.said}`);
  document.title = [part.dataset.title, ...title].filter(Boolean).join(" · ");
}

/** Where a finger or a key goes on: the hand, or what is asked. */
function focusNext() {
  const card = table.querySelector(".hand-of button:not(.barred), .calls-to-tap button, .hand-of input");
  const next = /** @type {HTMLElement | null} */ (card || table.querySelector("#question"));
  next?.focus({ preventScroll: true });
}

/**
 * Show what an address answers. Where the server refuses it, as of a round that was opened again, the page says why.
 * @param {string} address
 * @param {boolean} isNew
 */
async function show(address, isNew) {
  if (isNew && asked > answered) return; // a second tap, before the first is answered
  asked += 1;
  const turn = asked;
  table.setAttribute("aria-busy", "true");
  const { ok, status, data } = await ask(address, { headers: { "HX-Request": "true" }, cache: "no-store" });
  if (turn !== asked) return; // gone back meanwhile
  answered = asked;
  table.removeAttribute("aria-busy");
  if (!ok && status) {
    location.assign(address);
    return;
  }
  if (!ok) {
    say(`${voice.dataset.lost}`);
    voice.classList.remove("visually-hidden");
    return;
  }
  voice.classList.add("visually-hidden");
  table.innerHTML = data;
  if (isNew) history.pushState(null, "", address);
  shown = location.search;
  // What is fetched later: static/js/later.js.
  document.dispatchEvent(new CustomEvent("htmx:afterSwap", { detail: { target: table } }));
  tell();
  focusNext();
  const hand = table.querySelector(".hand-of") || table;
  if (table.getBoundingClientRect().top < 0 || hand.getBoundingClientRect().bottom > innerHeight) table.scrollIntoView();
}

table?.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!button) return;
  event.preventDefault();
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(form)) given.append(name, `${value}`);
  given.append(button.name, button.value);
  show(`${location.pathname}?${given}`, true);
});

table?.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a");
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!link || !isPlain || link.pathname !== location.pathname || !link.search) return;
  event.preventDefault();
  show(`${link.pathname}${link.search}`, true);
});

// Along the cards with the arrows, as well as with Tab.
table?.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const held = /** @type {Element} */ (event.target).closest(".hand-of button, .hand-of input");
  if (!step || !held) return;
  const all = /** @type {HTMLElement[]} */ ([...table.querySelectorAll(".hand-of button, .hand-of input")]);
  const next = all[(all.indexOf(/** @type {HTMLElement} */ (held)) + step + all.length) % all.length];
  next.focus();
  event.preventDefault();
});

window.addEventListener("popstate", () => {
  if (location.search !== shown) show(`${location.pathname}${location.search}`, false);
});
if (table && location.search) tell();
