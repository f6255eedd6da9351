// Nothing typed is lost to the choice of another language, nor to a form that was sent after one was signed out: what the
// page's fields hold waits in this tab, while the page is fetched anew, and is put back. Passwords and files never are.

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */
/** @typedef {{ [field: string]: any }} Kept */

const KEY = "spadille-typed";
const NEVER = ["password", "file", "submit", "button"];
const TICKED = ["checkbox", "radio"];
const MOST_TURNS = 6; // a server that says otherwise each time has the last word

// A page that stands in the way, such as the one to sign in: what was sent before it has not been taken.
const inTheWay = document.querySelector("[data-nothing-taken]") !== null;

/**
 * @param {Field} field
 * @returns {field is HTMLInputElement}
 */
const isTicked = (field) => TICKED.includes(field.type);

const here = () => location.pathname + location.search;

/**
 * What waits in this tab; a tab that cannot keep anything does without.
 * @param {object} waiting
 */
function keep(waiting) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(waiting));
  } catch {
    sessionStorage.removeItem(KEY);
  }
}

/** Every field of the page's own forms, by a name that is the same in all languages. */
function fields() {
  /** @type {{ [name: string]: number }} */
  const seen = {};
  const all = [...document.querySelectorAll("input, select, textarea")].map((field) => /** @type {Field} */ (field));
  const found = all.filter(
    ({ name, type, form }) => name && name !== "csrfmiddlewaretoken" && !NEVER.includes(type) && form && !form.matches(".language"),
  );
  return found.map((field) => {
    const form = [...document.forms].findIndex((one) => one === field.form);
    const name = [form, field.name, isTicked(field) ? field.value : ""].join(" ");
    seen[name] = (seen[name] || 0) + 1;
    return /** @type {[string, Field]} */ ([`${name} ${seen[name]}`, field]);
  });
}

/**
 * What a field holds, as it can be put back.
 * @param {Field} field
 */
function held(field) {
  if (isTicked(field)) return field.checked;
  return field instanceof HTMLSelectElement && field.multiple ? [...field.selectedOptions].map((option) => option.value) : field.value;
}

/**
 * Fill a field; returns whether that changed anything.
 * @param {Field} field
 * @param {any} content
 */
function fill(field, content) {
  if (field.type === "hidden" || JSON.stringify(held(field)) === JSON.stringify(content)) return false;
  if (isTicked(field)) field.checked = content;
  else if (field instanceof HTMLSelectElement && field.multiple) for (const option of field.options) option.selected = content.includes(option.value);
  else field.value = content;
  return true;
}

/**
 * Put back what fits the fields there are. All are filled before any says so: what asks the server anew asks with all.
 * @param {Kept} kept
 * @returns {boolean} whether anything was otherwise
 */
function putBack(kept) {
  const there = fields().filter(([name]) => name in kept);
  const changed = there.filter(([name, field]) => fill(field, kept[name])).map(([, field]) => field);
  for (const field of changed) {
    const isText = field.matches("textarea, input") && !isTicked(field);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    if (!isText || field === changed[changed.length - 1]) field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return changed.length > 0;
}

/** Fields that the server changes or adds because of what was put back are filled as they come, until somebody types. */
function begin() {
  const { page, kept, comesBack } = JSON.parse(sessionStorage.getItem(KEY) || "{}");
  if (inTheWay && page && !(comesBack && page === here())) {
    keep({ page, kept, comesBack: true });
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-back]"))) {
      link.href = page;
      link.hidden = false;
    }
    return;
  }
  sessionStorage.removeItem(KEY);
  if (page !== here() || !comesBack) return;
  let turns = MOST_TURNS;
  const act = () => {
    if (turns > 0 && putBack(kept)) turns -= 1;
  };
  const end = () => document.removeEventListener("htmx:afterSettle", act);
  document.addEventListener("htmx:afterSettle", act);
  for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, end, { once: true });
  act();
}

document.addEventListener("submit", ({ target }) => {
  const form = /** @type {HTMLFormElement} */ (target);
  const comesBack = form.matches("form.language");
  const waits = inTheWay && sessionStorage.getItem(KEY) !== null;
  if (waits || !(comesBack || form.method === "post")) return;
  const kept = Object.fromEntries(fields().map(([name, field]) => [name, held(field)]));
  keep({ page: here(), kept, comesBack });
});
window.addEventListener("load", begin);
