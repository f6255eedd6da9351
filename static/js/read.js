// A read table: Enter in a line that is asked says that it is right, and goes on to the next (slip.js); a line that is typed
// anew, where two differ, is the paper's.

const form = /** @type {HTMLFormElement} */ (document.getElementById("slip"));

/**
 * The box or button of a line that answers it.
 * @type {(input: Element, selector: string) => HTMLInputElement | null}
 */
const beside = (input, selector) => {
  const line = input.closest("[data-deal]");
  return line && line.querySelector(selector);
};

form.addEventListener("keydown", ({ key, target, isComposing }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  if (key !== "Enter" || isComposing || input.dataset.column !== "line") return;
  const right = beside(input, "[name^=right-]");
  if (right) right.checked = true;
});
form.addEventListener("input", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  const paper = input.dataset.column === "line" ? beside(input, "[name^=which-][value=paper]") : null;
  if (paper) paper.checked = true;
});
