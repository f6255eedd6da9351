// What costs much to count is fetched once its page is there: an element with data-later="address" takes in what that address
// answers. Without a script, or without the server, it keeps the link that stands in it.

import { ask } from "./answers.js";

/** @param {HTMLElement} element */
async function fill(element) {
  const { ok, data } = await ask(`${element.dataset.later}`, { headers: { "HX-Request": "true" } });
  if (ok) element.innerHTML = data;
}

const fillAll = () => document.querySelectorAll("[data-later]").forEach((element) => fill(/** @type {HTMLElement} */ (element)));

document.addEventListener("htmx:afterSwap", fillAll);
fillAll();
