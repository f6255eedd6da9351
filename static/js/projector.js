// The wall turns its slides by itself, each of which fills a screen, and lets rows move where places change.
//
// On the page: <section data-slide="name-number">, as many as there are, and data-seconds for each, replaced by
// static/js/live.js; in lists whose rows may change place, <li data-key>.

const CURSOR = 3000;
const MOVE = 600;
const TINTED = 3000;
const SUITS = ["standings", "seats", "progress", "tables"]; // as the four at the foot

const wall = /** @type {HTMLElement} */ (document.querySelector("[data-wall]"));
const pauses = /** @type {HTMLElement} */ (wall.querySelector("[data-pauses]"));
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

let at = "";
let paused = false;
/** @type {number | undefined} */
let timer;

/** @type {() => HTMLElement[]} */
const slides = () => [...document.querySelectorAll("[data-slide]")].map((slide) => /** @type {HTMLElement} */ (slide));

/** The slide that is shown; where it has gone, the first of its kind, else the first. */
function shown() {
  const all = slides();
  const [kind] = at.split("-");
  return all.find((slide) => slide.dataset.slide === at) || all.find((slide) => `${slide.dataset.slide}`.startsWith(kind)) || all[0];
}

function show() {
  const slide = shown();
  at = `${slide.dataset.slide}`;
  for (const other of slides()) other.classList.toggle("off", other !== slide);
  const [kind] = at.split("-");
  [...wall.querySelectorAll(".pips span")].forEach((suit, index) => suit.classList.toggle("on", SUITS[index] === kind));
}

/** @param {number} direction */
function turn(direction) {
  const all = slides();
  const next = all.indexOf(shown()) + direction;
  at = `${all[(next + all.length) % all.length].dataset.slide}`;
  show();
  wait();
}

function wait() {
  clearTimeout(timer);
  const seconds = Number(document.querySelector("[data-seconds]")?.getAttribute("data-seconds")) || 12;
  if (!paused) timer = setTimeout(() => turn(1), seconds * 1000);
}

function pause() {
  paused = !paused;
  pauses.setAttribute("aria-pressed", String(paused));
  pauses.textContent = `${paused ? wall.dataset.go : wall.dataset.pause}`;
  wait();
}

function fill() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

/** @type {{ [key: string]: () => void }} */
const KEYS = { ArrowRight: () => turn(1), PageDown: () => turn(1), ArrowLeft: () => turn(-1), PageUp: () => turn(-1), " ": pause, f: fill };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  if (event.key === " " && /** @type {Element} */ (event.target).closest("button, a")) return; // a button's own key
  event.preventDefault();
  KEYS[event.key]();
});
wall.addEventListener("click", ({ target }) => {
  const button = /** @type {Element} */ (target).closest("button");
  if (button?.dataset.turn) turn(Number(button.dataset.turn));
  else if (button === pauses) pause();
  else if (button?.dataset.fills !== undefined) fill();
});

/** @type {number | undefined} */
let pointer;
document.addEventListener("mousemove", () => {
  document.body.classList.remove("still");
  clearTimeout(pointer);
  pointer = setTimeout(() => document.body.classList.add("still"), CURSOR);
});

// Who changes place is seen to go there; where things should be still, the row is marked instead.

/** @type {() => HTMLElement[]} */
const rows = () => [...shown().querySelectorAll("[data-key]")].map((row) => /** @type {HTMLElement} */ (row));
/** @type {Map<string | undefined, DOMRect>} */
let before = new Map();

function move() {
  for (const row of rows()) {
    const was = before.get(row.dataset.key);
    const now = row.getBoundingClientRect();
    if (!before.size || (was && Math.abs(was.left - now.left) < 2 && Math.abs(was.top - now.top) < 2)) continue;
    if (isStill.matches) {
      row.classList.add("moves");
      setTimeout(() => row.classList.remove("moves"), TINTED);
    } else {
      const from = was ? `translate(${was.left - now.left}px, ${was.top - now.top}px)` : "translateY(3em)";
      row.animate([{ transform: from, opacity: was ? 1 : 0 }, { transform: "none", opacity: 1 }], { duration: MOVE, easing: "ease-in-out" });
    }
  }
  before = new Map();
}

// A fresh part comes with all its slides: go on where the wall was.
document.addEventListener("htmx:beforeSwap", () => { before = new Map(rows().map((row) => [row.dataset.key, row.getBoundingClientRect()])); });
document.addEventListener("htmx:afterSwap", () => { show(); move(); });
document.body.classList.add("turning", "still");
show();
wait();
