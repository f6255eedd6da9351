// A search that answers as one types, on whatever network: what did not arrive is asked for again, what was ticked meanwhile
// stays ticked, and the page's address becomes the search's, so that who comes back finds it as it was.
//
// On the page: an element with data-search and hx-get, and "again" among its hx-trigger. Without a script its form is sent.
// With data-search="part" it is a field of a larger form, and the address stays that of the form. With data-htmx="address" htmx
// is fetched from there once somebody is about to search, where the page has come without it.

import { isOurXhr } from "./swaps.js";

const SOON = 1500;
const SLOWEST = 10000;
const PATIENCE = 8000;

let wait = SOON;
/** @type {number | undefined} */
let timer;
/** @type {Element | null} */
let lost = null;
let ticksSent = "";

/** @param {Element} search */
function again(search) {
  clearTimeout(timer);
  search.dispatchEvent(new Event("again"));
}

/**
 * What is ticked in a part of the page.
 * @param {Element} part
 */
const ticks = (part) => [...part.querySelectorAll("input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value).join(" ");

/**
 * Act on an event of htmx's that is about a search.
 * @param {string} name
 * @param {(search: Element, detail: any, event: Event) => void} act
 */
function onSearch(name, act) {
  document.addEventListener(name, (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    if (detail.elt.matches("[data-search]")) act(detail.elt, detail, event);
  });
}

/** @param {HTMLInputElement} search */
function fetchHtmx(search) {
  if ("htmx" in window) return;
  const before = search.value;
  const script = document.createElement("script");
  script.src = `${search.dataset.htmx}`;
  script.addEventListener("load", () => search.value !== before && again(search));
  document.head.append(script);
}

for (const search of document.querySelectorAll("input[data-htmx]")) {
  search.addEventListener("focus", () => fetchHtmx(/** @type {HTMLInputElement} */ (search)), { once: true });
}

onSearch("htmx:configRequest", (_search, detail) => { detail.timeout = PATIENCE; });

onSearch("htmx:beforeRequest", (_search, { target }) => {
  clearTimeout(timer);
  ticksSent = ticks(target);
});

// The part may have been replaced, or ticked in, while the answer was on its way.
onSearch("htmx:beforeOnLoad", (search, { target }, event) => {
  if (target.isConnected && ticks(target) === ticksSent) return;
  event.preventDefault();
  setTimeout(again, 0, search);
});

onSearch("htmx:afterRequest", (search, { successful, pathInfo }) => {
  if (!successful) return;
  lost = null;
  wait = SOON;
  if (search.getAttribute("data-search") !== "part") history.replaceState(history.state, "", pathInfo.finalRequestPath);
});

/** @param {Element} search */
function isLost(search) {
  lost = search;
  timer = setTimeout(again, wait, search);
  wait = Math.min(wait * 2, SLOWEST);
}

onSearch("htmx:sendError", isLost);
onSearch("htmx:timeout", isLost);
onSearch("htmx:responseError", (search, { xhr }) => (xhr.status >= 500 || !isOurXhr(xhr)) && isLost(search));
window.addEventListener("online", () => lost && again(lost));
