// The wall turns its pages by itself. A slide's list flows into columns as high as the screen; what does not fit flows
// on to the right, and a page is one screen's width of it.

const TURN = 12000;
const CURSOR = 3000;

const wall = document.querySelector("[data-wall]");
const pauses = wall.querySelector("[data-pauses]");

const at = { slide: 0, page: 0 };
let paused = false;
let timer;

const slides = () => [...document.querySelectorAll("[data-slide]")];
const list = (slide) => slide.querySelector(".wall-list");

/** From one page's left edge to the next one's: the width and the gap between columns. */
const step = (box) => box.clientWidth + parseFloat(getComputedStyle(box).columnGap);

/** The pages of a slide: how often its list's width goes into all that is in it. */
function pagesOf(slide) {
  const box = list(slide);
  return box ? Math.max(1, Math.ceil((box.scrollWidth - 8) / step(box))) : 1;
}

/** The largest type with which a slide needs no second page, else the ordinary one. */
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
  list(slide)?.scrollTo(at.page * step(list(slide)), 0);
  const page = wall.dataset.page.replace("{page}", at.page + 1).replace("{pages}", pages);
  document.getElementById("wall-page").textContent = pages > 1 ? page : "";
}

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
  pauses.setAttribute("aria-pressed", paused);
  pauses.textContent = paused ? wall.dataset.go : wall.dataset.pause;
  wait();
}

function fill() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

const KEYS = { ArrowRight: () => turn(1), PageDown: () => turn(1), ArrowLeft: () => turn(-1), PageUp: () => turn(-1), " ": pause, f: fill };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  if (event.key === " " && event.target.closest("button, a")) return; // a button's own key
  event.preventDefault();
  KEYS[event.key]();
});
wall.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button?.dataset.turn) turn(Number(button.dataset.turn));
  else if (button === pauses) pause();
  else if (button) fill();
});

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
