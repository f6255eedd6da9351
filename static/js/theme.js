// Light or dark: as the device wishes, unless the reader has said otherwise on this phone. Loaded before the page is drawn, so
// that nothing flashes. The captain's page has the same switch ("Dark hall") and keeps it under the same name.
(() => {
  const KEY = "spadille-dark";
  const night = /** @type {HTMLLinkElement} */ (document.getElementById("night"));
  const system = matchMedia("(prefers-color-scheme: dark)");

  function kept() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is blocked: as the device wishes
    }
  }

  const isDark = () => (kept() === null ? system.matches : kept() === "true");

  function show() {
    if (kept() !== null) night.media = isDark() ? "screen" : "not all";
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
      button.setAttribute("aria-pressed", String(isDark()));
    }
  }

  // The page's faces; on a slow network its first paint would share the line with them, and the device's own do as well.
  const network = /** @type {{ connection?: { downlink: number, saveData: boolean } }} */ (navigator).connection;
  const isSlow = network && (network.saveData || network.downlink < 1);
  for (const face of isSlow ? [] : document.querySelectorAll("link[as='font']")) {
    const fetched = /** @type {HTMLLinkElement} */ (face.cloneNode());
    fetched.removeAttribute("media");
    document.head.append(fetched);
  }

  // Edges, and the device's own colours, for who asks for them: after all other sheets, whose rules they follow.
  const contrast = matchMedia("(prefers-contrast: more), (forced-colors: active)");
  function fetchContrast() {
    if (!contrast.matches) return;
    contrast.removeEventListener("change", fetchContrast);
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.media = contrast.media;
    sheet.href = `${document.getElementById("contrast")?.getAttribute("content")}`;
    document.head.append(sheet);
  }

  show();
  addEventListener("DOMContentLoaded", fetchContrast);
  contrast.addEventListener("change", fetchContrast);
  system.addEventListener("change", show);
  addEventListener("storage", show);
  addEventListener("DOMContentLoaded", show);
  addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-theme-switch]")) return;
    try {
      localStorage.setItem(KEY, String(!isDark()));
    } catch {
      return;
    }
    show();
  });
})();
