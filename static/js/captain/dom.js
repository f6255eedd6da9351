// Building and filling the page. Text always goes in as text, never as markup.

/** @import { Falsy, Ids, Option, Spot } from "./page.d.ts" */

export const root = document.documentElement;

/** @type {{ <Id extends keyof Ids>(id: Id): Ids[Id], (id: string): HTMLElement | null }} */
export const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

/**
 * @template {keyof HTMLElementEventMap} Name
 * @param {keyof Ids} id
 * @param {Name} event
 * @param {(event: HTMLElementEventMap[Name]) => void} act
 */
export const on = (id, event, act) => byId(id).addEventListener(event, /** @type {any} */ (act));

/**
 * Act whenever the reader comes back to this page.
 * @type {(act: () => unknown) => void}
 */
export const onReturn = (act) => document.addEventListener("visibilitychange", () => document.hidden || act());

/** @type {(id: keyof Ids, text: string) => void} */
export const write = (id, text) => {
  byId(id).textContent = text;
};

/** @type {(id: keyof Ids, ...children: Node[]) => void} */
export const fill = (id, ...children) => byId(id).replaceChildren(...children);

/** @type {(id: keyof Ids, visible: unknown) => void} */
export const show = (id, visible) => {
  byId(id).hidden = !visible;
};

/**
 * Those of the parts that are there.
 * @template T
 * @param {(T | Falsy)[]} parts
 * @returns {T[]}
 */
export const those = (...parts) => /** @type {any} */ (parts.filter(Boolean));

/**
 * An element with attributes (and `onclick`); a child that is null or "" is left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{ [name: string]: any, onclick?: () => unknown }} attributes
 * @param {(Node | string | null)[]} children
 */
export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  const { onclick = null, ...plain } = attributes;
  node.onclick = onclick;
  for (const [name, value] of Object.entries(plain)) node.setAttribute(name, value);
  node.append(...those(...children));
  return node;
}

/** @type {(scope: string, text: string, look?: string) => HTMLElement} */
export const th = (scope, text, look = "") => el("th", { scope, class: look }, text);

/** @type {(group: HTMLElement) => HTMLButtonElement[]} */
const buttonsOf = (group) => /** @type {any} */ ([...group.children]);

/** @type {(button: HTMLElement, isPressed: boolean) => void} */
export const press = (button, isPressed) => button.setAttribute("aria-pressed", `${isPressed}`);

/**
 * Show `options` ({code, label, small, amount, chosen, look, off}) as buttons of a group, each picked by `onPick(code)` unless it is
 * off. Buttons that stay are kept, so that neither the focus nor the finger's target jumps.
 * @param {HTMLElement} group
 * @param {Option[]} options
 * @param {(code: string) => unknown} onPick
 */
export function fillGroup(group, options, onPick) {
  const codes = options.map((option) => option.code).join();
  if (group.dataset.codes !== codes) {
    const held = /** @type {HTMLElement} */ (document.activeElement);
    const isHere = group.contains(held);
    const focused = held.dataset.code;
    group.replaceChildren(...options.map(({ code }) => el("button", { type: "button", "data-code": code })));
    group.dataset.codes = codes;
    if (isHere) buttonsOf(group).find((button) => button.dataset.code === focused)?.focus();
  }
  options.forEach(({ label, small = "", amount = "", gives = false, chosen = false, look = "", off = false }, place) => {
    const button = buttonsOf(group)[place];
    press(button, chosen);
    button.setAttribute("aria-disabled", `${off}`);
    button.className = look;
    button.replaceChildren(...those(el("span", { class: "label" }, label), amount && el("i", { class: gives ? "gives" : "" }, amount), small && el("small", {}, small)));
  });
  group.onclick = ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (button && !options[buttonsOf(group).indexOf(button)].off) onPick(/** @type {string} */ (button.dataset.code));
  };
  group.hidden = options.length === 0;
}

/**
 * Draw; what had the focus has it again where it was replaced by its like.
 * @param {() => void} draw
 */
export function keepFocus(draw) {
  const held = /** @type {HTMLElement} */ (document.activeElement);
  const around = held.closest("[id]");
  const like = () => /** @type {HTMLElement[]} */ (around ? [...document.querySelectorAll(`#${around.id} ${held.tagName}`)] : []);
  const place = like().indexOf(held);
  draw();
  if (!held.isConnected) like()[place]?.focus({ preventScroll: true });
}

/**
 * Say what is wrong at the control concerned; an empty text takes it away.
 * @param {Spot} place
 * @param {string} text
 */
export function sayAt(place, text) {
  write(`${place}-problem`, text);
  show(`${place}-problem`, text);
}
