// Photographed sheets at the desk: each picture is sent by itself as soon as it is chosen or taken, so that the next one can
// be taken meanwhile, and one that is none keeps no other from being read.
//
// On the page: #sheets, the form; #sending, its list; #sheets-list, which is asked for anew once a picture is sent.

import { ask } from "./answers.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("sheets"));
const PATIENCE = 60000;
/** How wide the camera is asked to see: the small boxes of a sheet must be made out. */
const WIDE = 3840;
const QUALITY = 0.92;
const SHOWN = 3;
/** Pictures are sent one after the other: a hall's Wi-Fi is shared. */
let before = Promise.resolve();
let taken = 0;

/** Have the list look at once. */
function look() {
  const list = document.getElementById("sheets-list");
  if (list) list.dispatchEvent(new Event("look"));
}

/**
 * @param {HTMLElement} line
 * @param {string} name
 * @param {string} said
 */
function tell(line, name, said) {
  line.textContent = `${name}: ${said}`;
}

/**
 * Send a picture, and say in its line what came of it; what was not sent stays, and can be sent again.
 * @param {Blob} picture
 * @param {string} name
 * @param {HTMLElement} line
 */
async function send(picture, name, line) {
  tell(line, name, `${form.dataset.sending}`);
  const body = new FormData(form);
  body.delete("photograph");
  body.append("photograph", picture, name);
  try {
    const { ok, data } = await ask(form.action, { method: "POST", body, headers: { Accept: "application/json" }, patience: PATIENCE });
    if (!ok || typeof data.refused !== "string") throw new Error("not sent");
    const { refused } = data;
    tell(line, name, refused || `${form.dataset.sent}`);
    line.className = refused ? "field-error" : "muted";
    // What was sent is told below by what was read of it: of a pile only the newest stand here.
    document.querySelectorAll("#sending li.muted").forEach((sent, at) => at < SHOWN || sent.remove());
    look();
  } catch {
    tell(line, name, `${form.dataset.lost} `);
    line.className = "field-error";
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = `${form.dataset.again}`;
    again.addEventListener("click", () => queue(picture, name, line));
    line.append(again);
  }
}

/**
 * @param {Blob} picture
 * @param {string} name
 * @param {HTMLElement} line
 */
function queue(picture, name, line) {
  tell(line, name, "…");
  line.className = "";
  before = before.then(() => send(picture, name, line));
}

/** @type {(picture: Blob, name: string) => void} */
function add(picture, name) {
  const line = document.createElement("li");
  /** @type {HTMLElement} */ (document.getElementById("sending")).prepend(line);
  queue(picture, name, line);
}

/** Where the connection is secure the computer's own camera can be used; elsewhere no browser allows it. */
function offerCamera() {
  const open = /** @type {HTMLButtonElement} */ (document.getElementById("camera"));
  const view = /** @type {HTMLElement} */ (document.getElementById("camera-view"));
  const video = /** @type {HTMLVideoElement} */ (document.getElementById("video"));
  if (!window.isSecureContext || !navigator.mediaDevices) return;
  open.hidden = false;
  open.addEventListener("click", async () => {
    try {
      const wanted = { facingMode: "environment", width: { ideal: WIDE }, height: { ideal: WIDE } };
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: wanted });
    } catch {
      open.hidden = true;
      return;
    }
    open.hidden = true;
    view.hidden = false;
    await video.play();
  });
  /** @type {HTMLElement} */ (document.getElementById("shoot")).addEventListener("click", () => {
    const canvas = document.createElement("canvas");
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    const drawn = canvas.getContext("2d");
    if (!drawn || !canvas.width) return;
    drawn.drawImage(video, 0, 0);
    taken += 1;
    const name = `${form.dataset.camera} ${taken}`;
    canvas.toBlob((picture) => picture && add(picture, `${name}.jpg`), "image/jpeg", QUALITY);
  });
}

if (form) {
  document.documentElement.classList.add("scripted");
  form.addEventListener("change", ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    for (const file of input.files || []) add(file, file.name);
    input.value = "";
  });
  offerCamera();
} else {
  document.documentElement.classList.add("scripted");
}
