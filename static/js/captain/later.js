// What a deal can be entered without is a second script. It is fetched by itself as soon as the page works and stays in the
// page; where there is a worker it is kept on the phone with the page.

import { byId } from "./dom.js";

/** @import { Later } from "./page.d.ts" */

/**
 * The parts of that script by their names; `more.js` puts them here.
 * @type {Later}
 */
export const later = /** @type {any} */ ({});

export const isLaterHere = () => Object.keys(later).length > 0;

/** @type {Promise<unknown> | null} */
let coming = null;
let tries = 0;

/** Fetch it unless it is here; returns whether it is. A browser may take an address that failed once for lost. */
export async function fetchLater() {
  if (isLaterHere()) return true;
  const [script] = /** @type {string} */ (byId("app").dataset.later).split(" ");
  coming = coming || import(tries ? `${script}?${tries}` : script).catch(() => {
    tries += 1;
  });
  await coming;
  coming = null;
  return isLaterHere();
}
