// The sum of the prizes while they are typed, and how it compares with the pool.
//
// On the page: a form with inputs named by_place, radios named unit or a hidden input ("shares" are per cents of the pool), and
// <output data-pool="øre" data-even data-kept data-added>: sentences with {sum} and {rest}.

const KRONER = /^(\d{1,7}|[1-9]\d{0,2}([.,])\d{3}(?:\2\d{3})?)(?:[.,](\d{1,2}))?$/;

/** Øre of an amount as the server reads it; NaN where it cannot be read. @param {string} typed */
function ore(typed) {
  const plain = typed.replace(/\s|kr\.?\s*$|,-\s*$/giu, "");
  if (plain === "") return 0;
  const found = KRONER.exec(plain);
  if (!found) return NaN;
  return Number(found[1].replace(/\D/gu, "")) * 100 + Number((found[3] ?? "").padEnd(2, "0"));
}

/** @param {number} amount */
function kroner(amount) {
  const digits = amount % 100 ? 2 : 0;
  return (amount / 100).toLocaleString(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @param {HTMLFormElement} form @param {HTMLOutputElement} output */
function show(form, output) {
  const data = new FormData(form);
  const typed = data.getAll("by_place").map(String);
  const pool = Number(output.dataset.pool);
  let sum = 0;
  for (const one of typed) sum += ore(one);
  if (data.get("unit") === "shares") sum = Math.round((pool * sum) / 10000);
  const rest = sum - pool;
  const sentence = rest > 0 ? output.dataset.added : rest < 0 ? output.dataset.kept : output.dataset.even;
  const isKnown = Number.isFinite(sum) && sum > 0;
  output.value = isKnown ? `${sentence}`.replace("{sum}", kroner(sum)).replace("{rest}", kroner(Math.abs(rest))) : "";
}

function showAll() {
  for (const output of document.querySelectorAll("output[data-pool]")) {
    const form = output.closest("form");
    if (form && output instanceof HTMLOutputElement) show(form, output);
  }
}

showAll();
document.addEventListener("input", showAll);
document.addEventListener("htmx:load", showAll);
