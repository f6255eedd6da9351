// Ctrl-K, or “Find” in the header, asks from whatever page of the desk: what is found as one types is that of the page for it,
// to which the link leads where there is no script.
//
// On the page: <a data-find href="…" data-label data-close>.

import { ask } from "./answers.js";

const SOON = 150; // ms after the last letter
const MOST = 80; // letters

const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-find]"));
/** @type {number | undefined} */
let timer;
/** @type {AbortController | undefined} */
let asked;

/**
 * @param {Element} list
 * @param {string} query
 */
async function find(list, query) {
  asked?.abort();
  asked = new AbortController();
  const address = new URL(/** @type {HTMLAnchorElement} */ (link).href);
  address.searchParams.set("q", query);
  const { ok, data } = await ask(address, { signal: asked.signal });
  if (!ok) return; // the next letter asks again; Enter leads to the page, which says what is wrong
  const page = new DOMParser().parseFromString(data, "text/html");
  list.replaceChildren(...(page.getElementById("found")?.childNodes || []));
}

/**
 * Up and down among what was found, from the field on and back to it.
 * @param {HTMLDialogElement} panel
 * @param {number} way
 */
function move(panel, way) {
  const places = [...panel.querySelectorAll("input, .found a")].map((place) => /** @type {HTMLElement} */ (place));
  const at = places.findIndex((place) => place === document.activeElement);
  places[Math.min(Math.max(at + way, 0), places.length - 1)].focus();
}

/** @param {HTMLAnchorElement} from */
function open(from) {
  const panel = document.createElement("dialog");
  panel.className = "find-panel";
  panel.setAttribute("aria-label", `${from.dataset.label}`);
  const field = document.createElement("input");
  field.maxLength = MOST;
  field.setAttribute("aria-label", `${from.dataset.label}`);
  field.placeholder = `${from.dataset.label}`;
  const list = document.createElement("div");
  list.setAttribute("role", "status");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = `${from.dataset.close}`;
  close.addEventListener("click", () => panel.close());
  panel.append(field, list, close);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, SOON, list, field.value.trim());
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(panel, event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && event.target === field) {
      event.preventDefault();
      first(list, field.value.trim());
    }
  });
  panel.addEventListener("click", (event) => event.target === panel && panel.close());
  panel.addEventListener("close", () => panel.remove());
  document.body.append(panel);
  panel.showModal();
  field.focus();
}

/**
 * To the first that is found by all that was typed, however quickly Enter followed.
 * @param {Element} list
 * @param {string} query
 */
async function first(list, query) {
  clearTimeout(timer);
  await find(list, query);
  const found = list.querySelector("a");
  if (found) location.assign(found.href);
}

if (link && "showModal" in HTMLDialogElement.prototype) {
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) open(link);
  });
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link);
  });
}
