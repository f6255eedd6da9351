// A finger does what it saw: a tap reaches only what was there when the finger came down, nothing answers in the moment
// after something has moved, and a tap twice is one tap.

import { byId, root } from "./dom.js";

const MOMENT = 600; // ms: a second tap of the same finger comes within them
const SAME_PLACE = 30; // px
const ACTING = "a, button, input, textarea, summary, select, label";

let waking = 0;
/** @type {Element | null | undefined} */
let down; // what the finger came down on: null where nothing answered, undefined where it did not come down
let last = { at: -MOMENT, x: 0, y: 0 };

const isHushed = () => root.classList.contains("hushed");

/** Something has moved or taken another's place: for a moment nothing answers. */
export function hush() {
  clearTimeout(waking);
  root.classList.add("hushed");
  waking = setTimeout(() => root.classList.remove("hushed"), MOMENT);
}

/** What acts, and where it stands now; the quiet link that takes the place of "Undo" leads to a correction, which Back leaves. */
const places = () =>
  [...byId("main").querySelectorAll(ACTING)].filter(({ id }) => id !== "last-correct").map((node) => {
    const { x, y, width } = node.getBoundingClientRect();
    const { dataset, hash } = /** @type {HTMLAnchorElement} */ (node);
    return width && `${node.id || dataset.code || hash} ${Math.round(x)} ${Math.round(y)}`;
  });

/**
 * Draw; where that moved or showed something that acts, nothing answers for a moment.
 * @param {() => void} draw
 */
export function drawn(draw) {
  const before = new Set([0, ...places()]);
  draw();
  if (places().some((place) => !before.has(place))) hush();
}

/**
 * Whether a click is the same finger's once more.
 * @param {MouseEvent} click
 */
function isAgain({ timeStamp, clientX, clientY }) {
  const again = timeStamp - last.at < MOMENT && Math.hypot(clientX - last.x, clientY - last.y) < SAME_PLACE;
  if (!again) last = { at: timeStamp, x: clientX, y: clientY };
  return again;
}

export function startGuard() {
  /** @type {(event: Event) => Element | null} */
  const acting = ({ target }) => /** @type {Element} */ (target).closest(ACTING);
  /** @type {<Name extends keyof DocumentEventMap>(event: Name, act: (event: DocumentEventMap[Name]) => unknown) => void} */
  const listen = (event, act) => document.addEventListener(event, act, { capture: true });
  listen("pointerdown", (event) => { down = isHushed() ? null : acting(event); });
  listen("pointercancel", () => { down = undefined; });
  listen("keydown", (event) => event.repeat && event.key === "Enter" && event.preventDefault());
  listen("click", (event) => {
    const saw = down;
    down = undefined;
    const byFinger = event.detail > 0 && saw !== undefined;
    if (!event.isTrusted || !acting(event) || !(isHushed() || (byFinger && (acting(event) !== saw || isAgain(event))))) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
