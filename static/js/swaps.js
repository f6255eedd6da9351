// htmx puts into a page whatever comes with status 200. What our server has not answered (see answers.js) leaves the page as it
// is, and counts as an error, which live.js and search.js hear of.

import { isOurs } from "./answers.js";

/** @type {(xhr: XMLHttpRequest) => boolean} */
export const isOurXhr = (xhr) => isOurs({ get: (name) => xhr.getResponseHeader(name) });

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (!detail.xhr || isOurXhr(detail.xhr)) return; // live.js swaps without a request of htmx's
  detail.shouldSwap = false;
  detail.isError = true;
});
