// Eyes and hands: big letters, a dark hall, a screen that stays on, the language.

import { byId, onReturn, root } from "./dom.js";
import { recall, remember } from "./memory.js";

const SWITCHES = ["big-type", "dark", "careful"];

export const isOn = (id) => byId(id).getAttribute("aria-pressed") === "true";

function set(id, on) {
  byId(id).setAttribute("aria-pressed", on);
  root.classList.toggle(id, on);
}

/** Keep the screen awake where the phone allows it (only over https). */
function stayAwake() {
  if (navigator.wakeLock) navigator.wakeLock.request("screen").catch(() => {});
}

/** The page's referrer policy would spoil an ordinary form's origin, so the language is set by a request. */
function switchLanguage(event) {
  event.preventDefault();
  const body = new FormData(event.target.form);
  body.set("language", event.target.value);
  fetch(event.target.form.action, { method: "POST", body, referrerPolicy: "same-origin" }).then(() => location.reload(), () => {});
}

export function startComforts(onChange) {
  for (const id of SWITCHES) {
    set(id, recall(id) === true);
    byId(id).addEventListener("click", () => {
      set(id, !isOn(id));
      remember(id, isOn(id));
      onChange();
    });
  }
  for (const button of document.querySelectorAll("form.language button")) button.addEventListener("click", switchLanguage);
  onReturn(stayAwake);
  stayAwake();
}
