// The reader's own row: once they have said who they are, it is marked in its place and stands at the foot of the page, with
// where they sit next. Who they are stays on this device, and the page is the same for everybody: only where the page has no more
// than the first rows does its stream of events (live.js) name the reader's number, and bring their row.
//
// On the page: hall/standings.html#mine, and the rows of standings in a live part. The tournament's page has the same in hall/overview.html
// instead: the row below who leads or won, from the standings that `data-rows` leads to. Elsewhere a button with data-me (a player's number),
// data-code and data-name says and takes back that this is the reader; a link with data-tell behind it leads on to phone.js.

import { ask as request } from "./answers.js";

/** @typedef {{ name?: string, numbers?: Record<string, string> }} Kept */

/** @param {string} kind "player" or "team" */
const key = (kind) => `spadille-my-${kind}`;

/** @type {Record<string, Kept>} Where storage is blocked: known until the page is left. */
const unstored = {};

/**
 * @param {string} kind
 * @returns {Kept}
 */
export function kept(kind) {
  try {
    return JSON.parse(localStorage.getItem(key(kind)) || "{}");
  } catch {
    return unstored[kind] ?? {};
  }
}

/**
 * Keep who the reader is in a tournament; without a number, that they are nobody there, and not this name anywhere.
 * @param {string} kind
 * @param {string} code
 * @param {string} [number]
 * @param {string} [name]
 */
function keep(kind, code, number, name) {
  const numbers = { ...kept(kind).numbers };
  delete numbers[code];
  if (number) numbers[code] = number;
  unstored[kind] = { name: number ? name : undefined, numbers };
  try {
    localStorage.setItem(key(kind), JSON.stringify(unstored[kind]));
  } catch {
    // as said there
  }
}

const canBeTold = isSecureContext && "serviceWorker" in navigator && "PushManager" in window; // see phone.js

const aside = document.getElementById("mine");
const code = aside?.dataset.code ?? "";
const kind = aside?.dataset.kind ?? "player";

/**
 * @param {ParentNode} within
 * @param {string} selector
 */
const text = (within, selector) => within.querySelector(selector)?.textContent?.trim() ?? "";

/** @typedef {{ row: HTMLElement, link: HTMLAnchorElement, number: string, name: string }} Line */

/**
 * The rows of standings, or of another table of places.
 * @param {ParentNode} [within]
 * @param {string} [tables]
 * @returns {Line[]}
 */
function lines(within = document, tables = ".standings") {
  return [...within.querySelectorAll(`[data-live] ${tables} tbody tr`)].flatMap((row) => {
    const link = row.querySelector(".name a");
    if (!(row instanceof HTMLElement && link instanceof HTMLAnchorElement)) return [];
    return [{ row, link, number: link.pathname.split("/").slice(-2)[0], name: text(row, ".name a") }];
  });
}

/**
 * The row of who was chosen here; else that of the name last chosen, wherever it was.
 * @param {Line[]} all
 */
function mine(all) {
  const { name, numbers = {} } = kept(kind);
  return numbers[code] ? all.find((line) => line.number === numbers[code]) : all.find((line) => line.name === name);
}

/**
 * @param {HTMLElement} foot
 * @param {Line} line
 */
function fill(foot, { row, link, number, name }) {
  /** @type {(selector: string, said: string) => void} */
  const say = (selector, said) => {
    const element = foot.querySelector(selector);
    if (element) element.textContent = said;
  };
  const to = foot.querySelector("a");
  if (to) to.href = link.href;
  say("a", name);
  say(".mine-place", text(row, ".rank"));
  say(".mine-moved", text(row, "td.moved:is(.up, .down):not(.minor)"));
  say(".mine-total", text(row, "td.total"));
  say(".mine-next", row.dataset.next ?? "");
  const tell = foot.querySelector(".mine-tell");
  if (!(tell instanceof HTMLAnchorElement)) return;
  tell.hidden = !canBeTold;
  tell.hash = encodeURIComponent(`${number} ${name}`);
}

/**
 * @param {HTMLSelectElement} select
 * @param {Line[]} all
 */
function offer(select, all) {
  const { compare } = new Intl.Collator(document.documentElement.lang); // of a thousand names tens of times as quick
  const byName = [...all].sort((one, other) => compare(one.name, other.name));
  select.replaceChildren(select.options[0], ...byName.map((line) => new Option(line.name, line.number)));
  select.value = "";
}

const COMES = 5000; // ms for the reader's own row to come; then all rows are asked for
/** @type {number | undefined} */
let coming;

/** @param {HTMLElement} foot */
function show(foot) {
  const all = lines();
  const found = mine(all);
  const { name: known, numbers = {} } = kept(kind);
  foot.dataset.number = numbers[code] ?? "";
  const [ask, row, select] = [".mine-ask", ".mine-row", "select"].map((one) => /** @type {HTMLElement} */ (foot.querySelector(one)));
  const isWhole = !document.querySelector("[data-live][data-more]"); // else the rest of the rows comes when it is wanted
  const isComing = !isWhole && !found && Boolean(known || numbers[code]);
  clearTimeout(coming);
  if (isComing) coming = setTimeout(() => document.dispatchEvent(new Event("mine:asks")), numbers[code] ? COMES : 0);
  foot.hidden = !all.length || isComing;
  ask.hidden = Boolean(found);
  row.hidden = !found;
  for (const line of all) line.row.classList.toggle("mine-here", line === found);
  if (found) fill(foot, found);
  else if (isWhole && select instanceof HTMLSelectElement && select.options.length !== all.length + 1) offer(select, all);
}

/**
 * Below who leads or won: fetch the standings, which are the same for everybody, and show the reader's row of them; the whole of long
 * ones only where the first rows have it not.
 * @param {HTMLElement} panel
 */
async function showHere(panel) {
  const { name, numbers = {} } = kept(kind);
  const first = document.querySelector("[data-live] :is(.won, [aria-labelledby=leading] > :last-child)");
  if (!first || !(name || numbers[code])) return;
  if (first !== panel) first.after(panel); // a new part comes without it
  for (const query of ["", "?all"]) {
    const { ok, data } = await request(`${panel.dataset.rows}${query}`, { headers: { "HX-Request": "true" } });
    if (!ok) return; // what was shown stays
    const page = new DOMParser().parseFromString(data, "text/html");
    const found = mine(lines(page));
    let isAmongFirst = false;
    if (found) {
      fill(panel, found);
      for (const { row, number } of lines(document, ".leading")) {
        isAmongFirst = row.classList.toggle("mine-here", number === found.number) || isAmongFirst;
      }
    }
    panel.hidden = !found || (isAmongFirst && !first.matches(".won")); // who leads is marked right above
    if (found || !page.querySelector("[data-more]")) return;
  }
}

function mark() {
  for (const button of document.querySelectorAll("[data-me]")) {
    const { me, code: here = "" } = /** @type {HTMLElement} */ (button).dataset;
    const isMe = kept("player").numbers?.[here] === me;
    button.setAttribute("aria-pressed", String(isMe));
    const tell = button.nextElementSibling;
    if (tell instanceof HTMLElement && "tell" in tell.dataset) tell.hidden = !(isMe && canBeTold);
  }
}

if (aside?.dataset.rows) {
  document.addEventListener("htmx:afterSwap", () => showHere(aside));
  // Also on the way back from the standings, where they have said who they are.
  for (const name of ["pageshow", "storage"]) addEventListener(name, () => showHere(aside));
} else if (aside) {
  const select = /** @type {HTMLSelectElement} */ (aside.querySelector("select"));
  select.addEventListener("change", () => {
    keep(kind, code, select.value, select.selectedOptions[0].text);
    show(aside);
    document.dispatchEvent(new Event("mine:chosen"));
    aside.querySelector("a")?.focus({ preventScroll: true });
  });
  aside.querySelector("button")?.addEventListener("click", () => {
    keep(kind, code);
    show(aside);
    select.focus({ preventScroll: true });
  });
  for (const wants of ["pointerdown", "focus"]) select.addEventListener(wants, () => document.dispatchEvent(new Event("mine:asks")));
  for (const name of ["htmx:afterSwap", "live:own"]) document.addEventListener(name, () => show(aside));
  addEventListener("storage", () => show(aside));
  show(aside);
}

mark();
document.addEventListener("htmx:afterSwap", mark);
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element && target.closest("[data-me]");
  if (!(button instanceof HTMLElement)) return;
  const { me, code: here = "", name } = button.dataset;
  if (button.getAttribute("aria-pressed") === "true") keep("player", here);
  else keep("player", here, me, name);
  mark();
});
