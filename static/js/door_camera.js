// At the door: where the browser reads square codes, its camera checks in one after the other. Without it, or without a script,
// the code is typed, scanned by hand or photographed.
//
// On the page: #door, the form; #door-view and #door-camera, hidden; #door-said, which says who has come.

import { ask } from "./answers.js";

/** What a browser that reads codes has (W3C Shape Detection; not in every browser). @typedef {{ rawValue: string }} Code */
/** @typedef {{ detect(source: HTMLVideoElement): Promise<Code[]> }} Reader */

const form = /** @type {HTMLFormElement} */ (document.getElementById("door"));
const view = /** @type {HTMLVideoElement} */ (document.getElementById("door-view"));
const start = /** @type {HTMLButtonElement} */ (document.getElementById("door-camera"));
const said = /** @type {HTMLElement} */ (document.getElementById("door-said"));
const Detector = /** @type {{ BarcodeDetector?: new (options: { formats: string[] }) => Reader }} */ (
  /** @type {unknown} */ (globalThis)
).BarcodeDetector;
/** Milliseconds between two looks, and for which a code that was read is not read again. */
const PAUSE = 250;
const AGAIN = 4000;
/** The code read last, and when. */
let last = { code: "", at: 0 };

/**
 * @param {string} text
 * @param {string} [kind] a class
 */
function line(text, kind = "") {
  const paragraph = document.createElement("p");
  paragraph.className = kind;
  paragraph.textContent = text;
  return paragraph;
}

/** @param {string} code */
async function send(code) {
  const body = new FormData(form);
  body.set("code", code);
  body.delete("photograph");
  const answer = await ask(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  /** @type {{ refused?: string, said?: string, fee?: string }} */
  const told = answer.data || {};
  if (told.refused || told.said) {
    if (told.refused) said.replaceChildren(line(told.refused, "message warning"));
    else said.replaceChildren(line(`${told.said}`, "come"), ...(told.fee ? [line(told.fee, "message warning")] : []));
  } else {
    said.replaceChildren(line(`${form.dataset.lost}`, "message error"));
    last.code = "";
  }
}

/** @param {Reader} reader */
async function look(reader) {
  try {
    const [found] = await reader.detect(view);
    const now = Date.now();
    if (found && (found.rawValue !== last.code || now - last.at > AGAIN)) {
      last = { code: found.rawValue, at: now };
      await send(found.rawValue);
    }
  } catch {
    // A picture that is not there yet.
  }
  setTimeout(() => look(reader), PAUSE);
}

if (Detector && navigator.mediaDevices) {
  const reader = new Detector({ formats: ["qr_code"] });
  start.hidden = false;
  start.addEventListener("click", async () => {
    try {
      view.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch {
      start.hidden = true;
      return;
    }
    start.hidden = true;
    view.hidden = false;
    await view.play();
    look(reader);
  });
}
