// What whoever sits at this desk has chosen, kept in this browser alone: compact rows, a sound, single keys. Loaded before the
// page is drawn, so that nothing jumps: what is on stands at the root as data-compact and so on.
//
// On the page: <button data-desk-switch="compact" aria-pressed>, any number of them, before or after.
(() => {
  const NAMES = ["compact", "sound", "keys"];
  const root = document.documentElement;
  /** @type {(name: string) => string} */
  const key = (name) => `spadille-desk-${name}`;

  function show() {
    try {
      for (const name of NAMES) root.toggleAttribute(`data-${name}`, localStorage.getItem(key(name)) === "on");
    } catch {
      return; // storage is blocked: all is off
    }
    for (const button of document.querySelectorAll("[data-desk-switch]")) {
      button.setAttribute("aria-pressed", String(root.hasAttribute(`data-${button.getAttribute("data-desk-switch")}`)));
    }
  }

  show();
  addEventListener("storage", show);
  addEventListener("DOMContentLoaded", show);
  addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-desk-switch]") : null;
    if (!button) return;
    const name = `${button.getAttribute("data-desk-switch")}`;
    try {
      localStorage.setItem(key(name), root.hasAttribute(`data-${name}`) ? "off" : "on");
    } catch {
      return;
    }
    show();
    document.dispatchEvent(new CustomEvent("switched", { detail: name }));
  });
})();
