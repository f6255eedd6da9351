// Building and filling the page. Text always goes in as text, never as markup.

export const root = document.documentElement;

export const byId = (id) => document.getElementById(id);

export const on = (id, event, act) => byId(id).addEventListener(event, act);

/** Act whenever the reader comes back to this page. */
export const onReturn = (act) => document.addEventListener("visibilitychange", () => document.hidden || act());

export const write = (id, text) => {
  byId(id).textContent = text;
};

export const fill = (id, ...children) => byId(id).replaceChildren(...children);

export const show = (id, visible) => {
  byId(id).hidden = !visible;
};

/** An element with attributes (and `onclick`); a child that is null or "" is left out. */
export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  const { onclick = null, ...plain } = attributes;
  node.onclick = onclick;
  for (const [name, value] of Object.entries(plain)) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null && child !== ""));
  return node;
}

export const th = (scope, text, look = "") => el("th", { scope, class: look }, text);

/** Those of the parts that are there. */
export const those = (...parts) => parts.filter(Boolean);

/**
 * Show `options` ({code, label, small, chosen, look, off}) as buttons of a group, each picked by `onPick(code)` unless it is
 * off. Buttons that stay are kept, so that neither the focus nor the finger's target jumps.
 */
export function fillGroup(group, options, onPick) {
  const codes = options.map((option) => option.code).join();
  if (group.dataset.codes !== codes) {
    const focused = document.activeElement.dataset.code;
    const held = group.contains(document.activeElement);
    group.replaceChildren(...options.map(({ code }) => el("button", { type: "button", "data-code": code })));
    group.dataset.codes = codes;
    if (held) [...group.children].filter((button) => button.dataset.code === focused).forEach((button) => button.focus());
  }
  options.forEach(({ label, small = "", chosen = false, look = "", off = false }, place) => {
    const button = group.children[place];
    button.setAttribute("aria-pressed", chosen);
    button.setAttribute("aria-disabled", off);
    button.className = look;
    button.replaceChildren(...those(el("span", { class: "label" }, label), small && el("small", {}, small)));
  });
  group.onclick = ({ target }) => {
    const button = target.closest("button");
    if (button && button.ariaDisabled !== "true") onPick(button.dataset.code);
  };
  group.hidden = options.length === 0;
}

/** Draw; what had the focus has it again where it was replaced by its like. */
export function keepFocus(draw) {
  const held = document.activeElement;
  const around = held.closest("[id]");
  const like = () => [...byId(around.id).querySelectorAll(held.tagName)];
  const place = around && like().indexOf(held);
  draw();
  if (!held.isConnected && around && like()[place]) like()[place].focus({ preventScroll: true });
}

/** Say what is wrong at the control concerned; an empty text takes it away. */
export function sayAt(place, text) {
  write(`${place}-problem`, text);
  show(`${place}-problem`, text);
}
