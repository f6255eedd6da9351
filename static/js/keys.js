// Keys of the desk: arrows walk the board's tables, Enter opens one; "," and "." lead to the table before and after, for who has
// switched single keys on. None of them means anything while one types.
//
// On the page: links with rel=prev and rel=next; .board with links .no in the hall's order.

const WAYS = new Map([[",", "prev"], [".", "next"]]);
const STEPS = new Map([["ArrowLeft", -1], ["ArrowRight", 1]]);

/** @param {EventTarget | null} place */
const types = (place) => place instanceof Element && place.closest("input, select, textarea, dialog, [contenteditable]") !== null;

/** @param {KeyboardEvent} event */
function walk(event) {
  const tables = [...document.querySelectorAll(".board .no")].map((table) => /** @type {HTMLElement} */ (table));
  const at = tables.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0) return;
  const top = tables[0].getBoundingClientRect().top;
  const across = tables.findIndex((table) => Math.abs(table.getBoundingClientRect().top - top) > 20);
  const row = across < 1 ? tables.length : across;
  const step = STEPS.get(event.key) || { ArrowUp: -row, ArrowDown: row }[event.key] || 0;
  const next = tables[at + step];
  if (!step || !next) return;
  event.preventDefault();
  next.focus();
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || types(event.target)) return;
  walk(event);
  const way = document.documentElement.hasAttribute("data-keys") && WAYS.get(event.key);
  const link = way ? document.querySelector(`a[rel="${way}"]`) : null;
  if (link instanceof HTMLAnchorElement) location.assign(link.href);
});
