// Eyes and hands: big letters, a dark hall, a Save after every deal.

import { byId, on, press, root } from "./dom.js";
import { hush } from "./guard.js";
import { recall, remember } from "./memory.js";

/** @typedef {"big-type" | "dark" | "careful"} Switch */

/** @type {Switch[]} */
const SWITCHES = ["big-type", "dark", "careful"];

/** @type {(id: Switch) => boolean} */
export const isOn = (id) => root.classList.contains(id);

/**
 * @param {Switch} id
 * @param {boolean} wanted
 */
function set(id, wanted) {
  press(byId(id), wanted);
  root.classList.toggle(id, wanted);
  if (id === "dark") byId("night").media = wanted ? "screen" : "not all";
}

/** @param {() => void} onChange */
export function startComforts(onChange) {
  for (const id of SWITCHES) {
    // Nothing was said on this phone: the hall is as dark as the device has it.
    set(id, recall(id) ?? (id === "dark" && matchMedia(byId("night").media).matches));
    on(id, "click", () => {
      remember(id, !isOn(id));
      set(id, !isOn(id));
      hush(); // larger letters have moved everything
      onChange();
    });
  }
}
