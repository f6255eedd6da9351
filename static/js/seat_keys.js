// Keys of the draw: arrows walk the seats, Enter chooses or swaps, Esc lets go, and a digit begins the name of a seat, such as 4B.
// None of them means anything else while one types.
//
// On the page: .seats buttons; one [data-seat] to type in; [data-cancel], a link, once a seat is chosen.

const WAYS = new Map([["ArrowLeft", [-1, 0]], ["ArrowRight", [1, 0]], ["ArrowUp", [0, -1]], ["ArrowDown", [0, 1]]]);

/** @returns {HTMLElement[]} */
const seats = () => [...document.querySelectorAll(".seats button")].map((seat) => /** @type {HTMLElement} */ (seat));

/** @param {EventTarget | null} place */
const types = (place) => place instanceof Element && place.closest("input, select, textarea, dialog, [contenteditable]") !== null;

/** @param {Element} seat */
function middle(seat) {
  const { left, top, width, height } = seat.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** The nearest seat this way: far aside counts more than far ahead. @param {HTMLElement} from @param {number[]} way */
function nearest(from, [across, down]) {
  const here = middle(from);
  let best = null;
  let least = Infinity;
  for (const seat of seats()) {
    const there = middle(seat);
    const ahead = (there.x - here.x) * across + (there.y - here.y) * down;
    const aside = Math.abs((there.x - here.x) * down) + Math.abs((there.y - here.y) * across);
    if (ahead > 4 && ahead + 4 * aside < least) [best, least] = [seat, ahead + 4 * aside];
  }
  return best;
}

addEventListener("keydown", (event) => {
  const field = document.querySelector("[data-seat]");
  const cancel = document.querySelector("[data-cancel]");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && cancel instanceof HTMLAnchorElement && !document.querySelector("dialog[open]")) {
    cancel.click();
    return;
  }
  if (types(event.target)) return;
  const way = WAYS.get(event.key);
  const at = /** @type {HTMLElement | null} */ (document.activeElement);
  if (way && at && at.matches(".seats button")) {
    const next = nearest(at, way);
    if (next) {
      event.preventDefault();
      next.focus();
    }
  } else if (/^\d$/.test(event.key) && field instanceof HTMLInputElement) field.focus(); // the digit is typed there
});

// Who has chosen goes on from the first seat that is free, else from the first of all; after the swap from where it began.
const KEPT = "spadille-seat";
/** @param {Element | null | undefined} seat */
const placeOf = (seat) => (seat instanceof HTMLElement ? `${seat.dataset.seatName}`.split(".")[0] : "");

function goOn() {
  const chosen = document.querySelector(".seats .chosen");
  const name = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  const next = chosen
    ? document.querySelector(".seats button:has(.free)") || seats()[0]
    : name && seats().find((seat) => placeOf(seat) === name);
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  if (chosen) sessionStorage.setItem(KEPT, placeOf(chosen));
}

goOn();
document.addEventListener("htmx:afterSettle", (event) => {
  if (/** @type {HTMLElement} */ (event.target).id === "seats-part") goOn();
});
