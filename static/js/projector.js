// The wall turns its pages by itself. A slide's list flows into columns as high as the screen; what does not fit flows
// on to the right, and a page is one screen's width of it.

const TURN = 12000;
const CURSOR = 3000;

const wall = /** @type {HTMLElement} */ (document.querySelector("[data-wall]"));
const pauses = /** @type {HTMLElement} */ (wall.querySelector("[data-pauses]"));

const at = { slide: 0, page: 0 };
let paused = false;
/** @type {number | undefined} */
let timer;

const slides = () => [...document.querySelectorAll("[data-slide]")];
/** @type {(slide: Element) => HTMLElement | null} */
const list = (slide) => slide.querySelector(".wall-list");

/**
 * From one page's left edge to the next one's: the width and the gap between columns.
 * @type {(box: HTMLElement) => number}
 */
const step = (box) => box.clientWidth + parseFloat(getComputedStyle(box).columnGap);

/**
 * The pages of a slide: how often its list's width goes into all that is in it.
 * @param {Element} slide
 */
function pagesOf(slide) {
  const box = list(slide);
  return box ? Math.max(1, Math.ceil((box.scrollWidth - 8) / step(box))) : 1;
}

/**
 * The largest type with which a slide needs no second page, else the ordinary one.
 * @param {Element} slide
 */
function fit(slide) {
  const box = list(slide);
  if (!box) return;
  for (const size of [1.3, 1.15, 1]) {
    box.style.fontSize = `${size}em`;
    if (pagesOf(slide) === 1) return;
  }
}

function show() {
  const all = slides();
  at.slide = Math.min(at.slide, all.length - 1);
  all.forEach((slide, index) => slide.classList.toggle("off", index !== at.slide));
  const slide = all[at.slide];
  fit(slide);
  const pages = pagesOf(slide);
  at.page = Math.min(at.page, pages - 1);
  const box = list(slide);
  if (box) box.scrollTo(at.page * step(box), 0);
  const page = `${wall.dataset.page}`.replace("{page}", String(at.page + 1)).replace("{pages}", String(pages));
  /** @type {HTMLElement} */ (document.getElementById("wall-page")).textContent = pages > 1 ? page : "";
}

/** @param {number} direction */
function turn(direction) {
  const all = slides();
  const page = at.page + direction;
  if (page >= 0 && page < pagesOf(all[at.slide])) at.page = page;
  else {
    at.slide = (at.slide + direction + all.length) % all.length;
    at.page = direction > 0 ? 0 : Infinity; // the last, whichever that is once it is shown
  }
  show();
  wait();
}

function wait() {
  clearTimeout(timer);
  if (!paused) timer = setTimeout(() => turn(1), TURN);
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
  else if (button) fill();
});

/** @type {number | undefined} */
let pointer;
document.addEventListener("mousemove", () => {
  document.body.classList.remove("still");
  clearTimeout(pointer);
  pointer = setTimeout(() => document.body.classList.add("still"), CURSOR);
});

// A fresh part comes with all its slides: go on where the wall was.
document.addEventListener("htmx:afterSwap", show);
window.addEventListener("resize", show);
document.body.classList.add("turning", "still");
show();
wait();
