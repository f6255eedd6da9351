// At the door, by the keyboard alone: Enter says that the one player who is found and still to come is here, Shift and Enter that
// they have paid too. It says whom, and empties the field for the next. Where several are found, or nobody, it ticks no one.
//
// On the page: #q, the search; #list with data-found, what it was searched for; #ticked with the words. Without a script Enter
// sends the search.

import { ask } from "./answers.js";

const search = /** @type {HTMLInputElement} */ (document.getElementById("q"));
const told = /** @type {HTMLElement} */ (document.getElementById("ticked"));
/** Enter was pressed and has not been answered: whether with Shift. @type {boolean | null} */
let wanted = null;

/**
 * @param {string} words the name of one of #ticked's texts
 * @param {string} [name]
 */
function say(words, name = "") {
  told.textContent = `${told.dataset[words]}`.replace("{name}", name);
}

/**
 * Send a row's form as its button does; the row as it is then, or null where nothing was stored.
 * @param {HTMLFormElement} form
 * @param {string} field
 */
async function sent(form, field) {
  const body = new FormData(form);
  body.set(field, "1");
  const { ok, data } = await ask(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
  return ok ? new DOMParser().parseFromString(data, "text/html") : null;
}

/**
 * @param {Element} row
 * @param {boolean} paid
 */
async function tick(row, paid) {
  const [here, fee] = row.querySelectorAll("form");
  const name = `${row.querySelector("strong")?.textContent}`;
  let answer = await sent(here, "present");
  if (answer && !answer.querySelector(".field-error") && paid && fee) answer = await sent(fee, "paid");
  const refused = answer?.querySelector(".field-error")?.textContent;
  if (!answer) say("lost", name);
  else if (refused) told.textContent = refused;
  else {
    say(paid && fee ? "paid" : "here", name);
    search.value = "";
  }
  search.dispatchEvent(new Event("again"));
}

/** Answer Enter as soon as the list is that of what is typed. */
function tickIfFound() {
  const list = document.getElementById("list");
  if (wanted === null || !list) return;
  if (list.dataset.found !== search.value) {
    search.dispatchEvent(new Event("again"));
    return;
  }
  const rows = list.querySelectorAll(".check-in > li:not(.is-here):not(.nobody)");
  const paid = wanted;
  wanted = null;
  if (rows.length === 1) tick(rows[0], paid);
  else say(rows.length ? "several" : "nobody");
}

search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || !search.value.trim()) return;
  event.preventDefault();
  wanted = event.shiftKey;
  tickIfFound();
});
document.addEventListener("htmx:afterSettle", tickIfFound);
if (matchMedia("(pointer: fine)").matches) say("how"); // where there may be a keyboard
