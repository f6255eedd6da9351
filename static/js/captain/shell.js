// Starting without a network, over https: a worker keeps the page, and beside it is kept what the server has told since.

import { root } from "./dom.js";
import { recall, remember } from "./memory.js";
import { isState, isTold } from "./valid.js";

/** @import { State } from "./types.d.ts" */

const canKeep = "serviceWorker" in navigator;

export function startWorker() {
  if (canKeep) navigator.serviceWorker.register("../worker.js", { updateViaCache: "none" }).catch(() => {});
}

/** @type {(table: string, told: State) => unknown} */
export const keepTold = (table, told) => canKeep && remember("told", { table, language: root.lang, told });

export const forgetTold = () => remember("told", null);

/**
 * What the page came with, or what this phone has been told since: a page out of the phone may be hours old.
 * @param {State} state
 * @param {string} table
 * @returns {State}
 */
export function newest(state, table) {
  const kept = recall("told");
  if (!isTold(kept)) return state;
  const newer = { ...state, ...kept.told };
  const isNewer = kept.table === table && kept.language === root.lang && kept.told.heard >= state.version;
  return isNewer && isState(newer) ? newer : state;
}
