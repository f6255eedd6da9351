// A read table by the keyboard alone: Enter in a line that is asked says that it is right, and goes on to the next that is;
// after the last, Enter says of each ten lines that they are as on the paper; then the button has the focus. A line that is
// typed anew, where two differ, is the paper's. (Lines that are not asked: slip.js.)

const form = /** @type {HTMLFormElement} */ (document.getElementById("slip"));

/**
 * The box or button of a line that answers it.
 * @type {(input: Element, selector: string) => HTMLInputElement | null}
 */
const beside = (input, selector) => {
  const line = input.closest("[data-deal]");
  return line && line.querySelector(selector);
};
/** @type {(selector: string) => HTMLInputElement[]} */
const all = (selector) => [...form.querySelectorAll(selector)].map((found) => /** @type {HTMLInputElement} */ (found));
/** @type {(line: Element) => boolean} */
const isAsked = (line) => beside(line, "[name^=right-], [name^=which-]") !== null;
/** @type {(line: Element) => boolean} */
const isAnswered = (line) => beside(line, "[name^=right-]:checked, [name^=which-]:checked") !== null;

/**
 * What is to be answered next: lines that are asked below this one, then those above it; the ten lines that are to be
 * looked through next; the button.
 * @param {HTMLInputElement} from
 */
function goOn(from) {
  const open = all("[data-column=line]").filter((line) => line !== from && isAsked(line) && !isAnswered(line));
  const below = open.find((line) => from.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING);
  const [block] = all("[name^=looked-]:not(:checked)");
  const next = below || open[0] || block || document.getElementById("slip-save");
  if (!next) return;
  next.focus({ preventScroll: next === block });
  // The lines to be looked through stand above their box.
  if (next === block) next.scrollIntoView({ block: "end" });
  else if (next instanceof HTMLInputElement) next.select();
}

form.addEventListener(
  "keydown",
  (event) => {
    const { key, target, isComposing } = event;
    const input = /** @type {HTMLInputElement} */ (target);
    if (key !== "Enter" || isComposing) return;
    if (event.repeat) {
      // Held down it would say that somebody has looked at what nobody has, and take the table in.
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (input.name.startsWith("looked-")) input.checked = true;
    else if (input.dataset.column === "line" && isAsked(input)) {
      const right = beside(input, "[name^=right-]");
      if (right) right.checked = true;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    goOn(input);
  },
  { capture: true },
);
form.addEventListener("input", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  const paper = input.dataset.column === "line" ? beside(input, "[name^=which-][value=paper]") : null;
  if (paper) paper.checked = true;
});
