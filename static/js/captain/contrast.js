// Edges and the device's own colours, for who asks for them.

import { el } from "./dom.js";

/** What few devices ask for is fetched by those alone. */
export function startContrast() {
  const asked = matchMedia("(prefers-contrast: more), (forced-colors: active)");
  const show = () => {
    const href = document.getElementById("contrast")?.getAttribute("content");
    if (asked.matches) document.head.append(el("link", { rel: "stylesheet", href }));
  };
  asked.addEventListener("change", show, { once: true });
  show();
}
