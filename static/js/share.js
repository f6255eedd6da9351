// Sends an evening on: by the phone's own sheet where it has one, else by copying. Without this script the page's links, its text
// and its picture are there all the same.

import { ask } from "./answers.js";

const page = /** @type {HTMLElement} */ (document.querySelector("[data-share]"));
const said = /** @type {HTMLElement} */ (page.querySelector("[data-share-said]"));
const share = /** @type {HTMLButtonElement | null} */ (page.querySelector("[data-share-now]"));

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement | HTMLTextAreaElement} */ (document.getElementById(id));

/** The picture as a file, where it can be had and sent. */
async function picture() {
  const { ok, data } = await ask(page.dataset.picture ?? "", { read: (response) => response.blob() });
  if (!ok) return undefined; // no network: the text goes alone
  const file = new File([data], page.dataset.file ?? "", { type: "image/png" });
  return navigator.canShare?.({ files: [file] }) ? [file] : undefined;
}

/** @param {string} id */
async function copy(id) {
  const from = field(id);
  try {
    await navigator.clipboard.writeText(from.value);
  } catch {
    from.select(); // the hall's own Wi-Fi has no https, and so no clipboard: as browsers have always done it
    document.execCommand("copy");
  }
}

for (const button of page.querySelectorAll("button[data-copy]")) {
  const { copy: id = "", done = "" } = /** @type {HTMLElement} */ (button).dataset;
  button.removeAttribute("hidden");
  button.addEventListener("click", async () => {
    await copy(id);
    said.textContent = done;
  });
}

if (!share || typeof navigator.share !== "function") {
  if (share) page.querySelector("[data-copy]")?.classList.add("primary");
} else {
  share.hidden = false;
  const files = picture(); // asked for now: a tap is forgotten while one waits
  share.addEventListener("click", async () => {
    try {
      await navigator.share({ title: page.dataset.title, text: field("share-text").value, files: await files });
    } catch {
      // whoever has changed their mind has shared nothing
    }
  });
}
