// Eyes and hands: big letters, a dark hall, a Save after every deal.

import { byId, root } from "./dom.js";
import { hush } from "./guard.js";
import { recall, remember } from "./memory.js";

const SWITCHES = ["big-type", "dark", "careful"];

export const isOn = (id) => byId(id).getAttribute("aria-pressed") === "true";

function set(id, on) {
  byId(id).setAttribute("aria-pressed", on);
  root.classList.toggle(id, on);
}

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
