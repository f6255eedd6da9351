// Small things that this phone remembers: switches, its own name, what is tapped but not saved.

/** @typedef {"localStorage" | "sessionStorage"} Where */

/**
 * The store that lasts as long as this tab.
 * @type {Where}
 */
export const TAB = "sessionStorage";

/**
 * What was kept under a name, or null.
 * @param {string} name
 * @param {Where} store
 * @returns {any}
 */
export function recall(name, store = "localStorage") {
  try {
    return JSON.parse(window[store][`spadille-${name}`]);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {Where} store
 */
export function remember(name, value, store = "localStorage") {
  try {
    window[store][`spadille-${name}`] = JSON.stringify(value);
  } catch {
    // Then it lasts as long as the page is open.
  }
}
