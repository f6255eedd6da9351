// “?” opens what the manual says of this page beside it, so that nothing typed is left; without this script, or without the
// server, it is a link like any other. The menu beside it closes as menus do: by Esc, by a tap outside, and by its links.

import { ask } from "./answers.js";

let isOpening = false; // of two taps the second is none

/** @param {HTMLAnchorElement} link */
async function open(link) {
  const { ok, status, data } = await ask(link.href);
  if (!ok) throw new Error(String(status));
  const page = new DOMParser().parseFromString(data, "text/html");
  const chapter = /** @type {Element} */ (page.querySelector(".manual, main"));
  const panel = document.createElement("dialog");
  panel.className = "help-panel";
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = link.dataset.close || "";
  close.addEventListener("click", () => panel.close());
  panel.append(close, chapter);
  chapter.querySelector("h1")?.setAttribute("id", "help-title");
  panel.setAttribute("aria-labelledby", "help-title");
  panel.addEventListener("close", () => panel.remove());
  panel.addEventListener("click", (event) => {
    if (event.target === panel) panel.close();
  });
  document.body.append(panel);
  panel.showModal();
}

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[data-help]"));
  if (!link || !("showModal" in HTMLDialogElement.prototype)) return;
  event.preventDefault();
  if (isOpening) return;
  isOpening = true;
  open(link)
    .catch(() => location.assign(link.href))
    .finally(() => (isOpening = false));
});

/** The menu of the page's head, where it is open. */
const openMenu = () => /** @type {HTMLDetailsElement | null} */ (document.querySelector(".top details.more[open]"));

// Not by "click": on iOS a tap on what is no button, and on no link, is none.
document.addEventListener("pointerdown", (event) => {
  const menu = openMenu();
  if (menu && !(event.target instanceof Node && menu.contains(event.target))) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && openMenu();
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
});

document.addEventListener("click", (event) => {
  const menu = openMenu();
  if (menu && event.target instanceof Element && menu.contains(event.target.closest("a"))) menu.open = false;
});
