// The slip's grid: Enter and the arrows move down and up, each line is checked by the server as one leaves it, and
// pasted lines fill the fields below each other.

import { ask } from "./answers.js";

/**
 * What the server says of a line.
 * @typedef {{ deal: number, said: string, tokens: (string | number)[], running: (string | number)[], problem: string, paper_problem: string, warning: string }} Checked
 */

const form = /** @type {HTMLFormElement} */ (document.getElementById("slip"));
const state = /** @type {HTMLElement} */ (document.getElementById("slip-state"));
const left = /** @type {HTMLElement} */ (document.getElementById("slip-left"));
const save = /** @type {HTMLElement} */ (document.getElementById("slip-save"));
/**
 * The number of the deal in whose line an element is.
 * @type {(element: Element) => number}
 */
const dealOf = (element) => Number(/** @type {HTMLElement} */ (element.closest("[data-deal]")).dataset.deal);
const lines = new Map([...form.querySelectorAll("[data-deal]")].map((line) => [dealOf(line), line]));
const PATIENCE = 8000;
/** @type {{ [key: string]: number }} */
const STEPS = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };
const AMOUNTS = /^(.*?)\t((?:\s*[+−–-]?\d+){2,}\s*)$/;

let asked = 0;
let leaving = true; // nothing has been typed yet

/**
 * The field of a column in a line, or of all lines in turn.
 * @type {(part: Element, column?: string) => HTMLInputElement[]}
 */
const fields = (part, column) => [...part.querySelectorAll(`[data-column="${column}"]`)].map((field) => /** @type {HTMLInputElement} */ (field));

/**
 * @param {HTMLInputElement} input
 * @param {number} step
 */
function move(input, step) {
  const column = fields(form, input.dataset.column);
  const next = column[column.indexOf(input) + step];
  if (next) {
    next.focus();
    next.select();
  } else if (step > 0) save.focus();
}

/** @type {(line: Element, selector: string) => Element} */
const within = (line, selector) => /** @type {Element} */ (line.querySelector(selector));

/**
 * Screen readers read aloud what is put anew: only what has changed.
 * @param {Element} line
 * @param {string} selector
 * @param {string} text
 */
function put(line, selector, text) {
  const place = within(line, selector);
  if (place.textContent !== text) place.textContent = text;
}

/** @param {Checked} line */
function show({ deal, said, tokens, running, problem, paper_problem: differs, warning }) {
  const line = lines.get(deal);
  if (!line) return;
  put(line, ".said", said);
  put(line, ".warns", warning);
  put(line, ".problem", problem);
  put(line, ".paper .field-error", differs);
  line.classList.toggle("wrong", problem !== "");
  within(line, ".result-line").setAttribute("aria-invalid", String(problem !== ""));
  within(line, ".paper").classList.toggle("wrong", differs !== "");
  line.querySelectorAll(".running").forEach((cell, seat) => {
    cell.textContent = String(running[seat] ?? "");
  });
  line.querySelectorAll(".tokens").forEach((cell, seat) => {
    cell.textContent = String(tokens[seat] ?? "");
  });
}

async function check() {
  asked += 1;
  const mine = asked;
  const { ok, data } = await ask(`${form.dataset.check}`, { method: "POST", body: new FormData(form), patience: PATIENCE });
  if (mine !== asked) return; // a later line has been left meanwhile
  const isChecked = ok && Array.isArray(data.lines);
  if (isChecked) data.lines.forEach(show);
  else state.textContent = `${form.dataset.lost}`;
  state.hidden = isChecked;
}

/**
 * Put a line where it belongs, whether it did. A spreadsheet's cells are words; several amounts at the end are the paper's.
 * @param {number} deal
 * @param {string} column
 * @param {string} text
 */
function fill(deal, column, text) {
  const there = lines.get(deal);
  if (!there) return false;
  /** @type {(name: string, value: string) => void} */
  const type = (name, value) => {
    fields(there, name)[0].value = value.trim();
  };
  /** @type {(cells: string) => string} */
  const words = (cells) => cells.replace(/\s+/g, " ");
  const [, line, paper] = (column === "line" && AMOUNTS.exec(text)) || [text, text, ""];
  type(column, words(line));
  if (paper) type("paper", words(paper));
  return true;
}

/**
 * Several lines at once: from this field on, or each where its number says; empty ones leave what is there.
 * @param {ClipboardEvent} event
 */
function paste(event) {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const { column } = field.dataset;
  const texts = event.clipboardData ? event.clipboardData.getData("text").trimEnd().split(/\r?\n/) : [];
  if (!column || texts.length < 2) return;
  event.preventDefault();
  const numbers = texts.map((text) => Number((column === "line" && /^\s*(\d+)[.:)\s]/.exec(text) || [])[1] || 0));
  const numbered = texts.every((text, at) => !text.trim() || numbers[at]);
  const first = dealOf(field);
  const placed = texts.map((text, at) => ({ text, deal: numbered ? numbers[at] : first + at })).filter(({ text }) => text.trim());
  const over = placed.filter(({ text, deal }) => !fill(deal, column, text));
  const last = Math.max(first, ...placed.map(({ deal }) => deal).filter((deal) => lines.has(deal)));
  leaving = false;
  left.textContent = over.length ? `${form.dataset.over} ${over.map(({ text }) => text.trim()).join(" · ")}` : "";
  left.hidden = over.length === 0;
  move(fields(/** @type {Element} */ (lines.get(last)), column)[0], 1);
  check();
}

form.addEventListener("paste", paste);
form.addEventListener("keydown", (event) => {
  const { key, target, isComposing } = event;
  const input = /** @type {HTMLInputElement} */ (target);
  const step = STEPS[key];
  if (!step || !input.dataset.column || isComposing) return;
  event.preventDefault();
  move(input, step);
});
form.addEventListener("input", () => {
  leaving = false;
});
form.addEventListener("change", ({ target }) => /** @type {HTMLElement} */ (target).dataset.column && check());
for (const sent of [form, ...document.querySelectorAll("form.language")]) {
  sent.addEventListener("submit", () => {
    leaving = true;
  });
}
window.addEventListener("beforeunload", (event) => {
  if (!leaving) event.preventDefault();
});
