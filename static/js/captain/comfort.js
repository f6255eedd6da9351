// Eyes and hands: big letters, a dark hall, a Save after every deal.

import { byId, press, root } from "./dom.js";
import { hush } from "./guard.js";
import { recall, remember } from "./memory.js";

/** @typedef {"big-type" | "dark" | "careful"} Switch */

/** @type {Switch[]} */
const SWITCHES = ["big-type", "dark", "careful"];

/** @type {(id: Switch) => boolean} */
export const isOn = (id) => byId(id).getAttribute("aria-pressed") === "true";

/**
 * @param {Switch} id
 * @param {boolean} on
 */
function set(id, on) {
  press(byId(id), on);
  root.classList.toggle(id, on);
}

/** @param {() => void} onChange */
export function startComforts(onChange) {
  for (const id of SWITCHES) {
    set(id, recall(id) === true);
    byId(id).addEventListener("click", () => {
      set(id, !isOn(id));
      hush(); // larger letters have moved everything
      remember(id, isOn(id));
      onChange();
    });
  }
}
