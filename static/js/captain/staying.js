// A screen that stays on, and the language.

import { ask } from "../answers.js";
import { onReturn } from "./dom.js";

/** Keep the screen awake where the phone allows it (only over https). */
function stayAwake() {
  navigator.wakeLock?.request("screen").catch(() => {});
}

/**
 * The page's referrer policy would spoil an ordinary form's origin, so the language is set by a request.
 * @param {Event} event
 */
function switchLanguage(event) {
  event.preventDefault();
  const { form, value } = /** @type {HTMLButtonElement & { form: HTMLFormElement }} */ (event.target);
  const body = new FormData(form);
  body.set("language", value);
  // It leads back to a page of ours: `redirect` as browsers do.
  ask(form.action, { method: "POST", body, referrerPolicy: "same-origin", redirect: "follow" }).then(({ ok }) => ok && location.reload());
}

export function startStaying() {
  for (const button of document.querySelectorAll("form.language button")) button.addEventListener("click", switchLanguage);
  onReturn(stayAwake);
  stayAwake();
}
