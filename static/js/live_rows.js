// Changes the rows of a part as the server tells it: see core/serving/streams.py, which finds the same rows in its HTML.

const ROWS = "tr, li, p, h2, h3, dt, dd, svg";
const LEAVES = "h1, progress, span, b, strong, td";

/** @type {(element: Element | null) => boolean} */
const isRow = (element) => element?.matches(ROWS) === true && !element.querySelector(ROWS);

/**
 * The rows of a part in their order: elements of ROWS without another one in them, and LEAVES outside these with text alone.
 * @param {HTMLElement} part
 * @returns {Element[]}
 */
const rowsOf = (part) => [...part.querySelectorAll(`${ROWS}, ${LEAVES}`)].filter((one) => !one.closest("[data-own]")
  && (isRow(one) || (!one.matches(ROWS) && !one.firstElementChild && !isRow(one.closest(ROWS)))));

/**
 * An element of a row's HTML.
 * @param {string} html
 */
function made(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

/**
 * Change the rows: a run `[place, count]` of those that stay, or the HTML of a new one. False where the page has other rows.
 * @param {HTMLElement} part
 * @param {(number[] | string)[]} told
 */
export function apply(part, told) {
  const before = rowsOf(part);
  const now = told.flatMap((one) => (typeof one === "string" ? [made(one)] : before.slice(one[0], one[0] + one[1])));
  if (now.length !== before.length || now.includes(null)) return false;
  const moved = before.flatMap((row, place) => (row === now[place] ? [] : [place]));
  const marks = moved.map((place) => {
    const mark = document.createComment("");
    before[place].replaceWith(mark);
    return mark;
  });
  for (const [index, place] of moved.entries()) marks[index].replaceWith(/** @type {Element} */ (now[place]));
  return true;
}
