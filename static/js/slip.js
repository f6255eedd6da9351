// The slip's grid: Enter and the arrows move down and up, each line is checked by the server as one leaves it, and
// pasted lines fill the fields below each other.

const form = document.getElementById("slip");
const state = document.getElementById("slip-state");
const left = document.getElementById("slip-left");
const save = document.getElementById("slip-save");
const lines = new Map([...form.querySelectorAll("[data-deal]")].map((line) => [Number(line.dataset.deal), line]));
const PATIENCE = 8000;
const AMOUNTS = /^(.*?)\t((?:\s*[+−–-]?\d+){2,}\s*)$/;

let asked = 0;
let leaving = true; // nothing has been typed yet

function move(input, step) {
  const column = [...form.querySelectorAll(`[data-column="${input.dataset.column}"]`)];
  const next = column[column.indexOf(input) + step];
  if (next) {
    next.focus();
    next.select();
  } else if (step > 0) save.focus();
}

/** Screen readers read aloud what is put anew: only what has changed. */
function put(line, selector, text) {
  const place = line.querySelector(selector);
  if (place.textContent !== text) place.textContent = text;
}

function show({ deal, said, tokens, running, problem, paper_problem: differs, warning }) {
  const line = lines.get(deal);
  put(line, ".said", said);
  put(line, ".warns", warning);
  put(line, ".problem", problem);
  put(line, ".paper .field-error", differs);
  line.classList.toggle("wrong", problem !== "");
  line.querySelector(".result-line").setAttribute("aria-invalid", problem !== "");
  line.querySelector(".paper").classList.toggle("wrong", differs !== "");
  line.querySelectorAll(".running").forEach((cell, seat) => {
    cell.textContent = running[seat] ?? "";
  });
  line.querySelectorAll(".tokens").forEach((cell, seat) => {
    cell.textContent = tokens[seat] ?? "";
  });
}

async function check() {
  asked += 1;
  const mine = asked;
  try {
    const answer = await fetch(form.dataset.check, { method: "POST", body: new FormData(form), signal: AbortSignal.timeout(PATIENCE) });
    if (!answer.ok) throw new Error(answer.status);
    const { lines: checked } = await answer.json();
    if (mine !== asked) return; // a later line has been left meanwhile
    checked.forEach(show);
    state.hidden = true;
  } catch {
    if (mine !== asked) return;
    state.textContent = form.dataset.lost;
    state.hidden = false;
  }
}

/** Put a line where it belongs, whether it did. A spreadsheet's cells are words; several amounts at the end are the paper's. */
function fill(deal, column, text) {
  const type = (name, value) => {
    lines.get(deal).querySelector(`[data-column="${name}"]`).value = value.trim();
  };
  if (!lines.has(deal)) return false;
  const words = (cells) => cells.replace(/\s+/g, " ");
  const [, line, paper] = (column === "line" && AMOUNTS.exec(text)) || [text, text, ""];
  type(column, words(line));
  if (paper) type("paper", words(paper));
  return true;
}

/** Several lines at once: from this field on, or each where its number says; empty ones leave what is there. */
function paste(event) {
  const { column } = event.target.dataset;
  const rows = event.clipboardData.getData("text").trimEnd().split(/\r?\n/);
  if (!column || rows.length < 2) return;
  event.preventDefault();
  const numbers = rows.map((row) => Number((column === "line" && /^\s*(\d+)[.:)\s]/.exec(row) || [])[1] || 0));
  const numbered = rows.every((row, at) => !row.trim() || numbers[at]);
  const first = Number(event.target.closest("[data-deal]").dataset.deal);
  const placed = rows.map((row, at) => ({ row, deal: numbered ? numbers[at] : first + at })).filter(({ row }) => row.trim());
  const over = placed.filter(({ row, deal }) => !fill(deal, column, row));
  const last = Math.max(first, ...placed.map(({ deal }) => deal).filter((deal) => lines.has(deal)));
  leaving = false;
  left.textContent = over.length ? `${form.dataset.over} ${over.map(({ row }) => row.trim()).join(" · ")}` : "";
  left.hidden = over.length === 0;
  move(lines.get(last).querySelector(`[data-column="${column}"]`), 1);
  check();
}

form.addEventListener("paste", paste);
form.addEventListener("keydown", (event) => {
  const { key, target, isComposing } = event;
  const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[key];
  if (!step || !target.dataset.column || isComposing) return;
  event.preventDefault();
  move(target, step);
});
form.addEventListener("input", () => {
  leaving = false;
});
form.addEventListener("change", ({ target }) => target.dataset.column && check());
for (const sent of [form, ...document.querySelectorAll("form.language")]) {
  sent.addEventListener("submit", () => {
    leaving = true;
  });
}
window.addEventListener("beforeunload", (event) => {
  if (!leaving) event.preventDefault();
});
