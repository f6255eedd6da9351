// The page's words, in the reader's language, as the server wrote them.

import { byId, root } from "./dom.js";

/** @type {{ [name: string]: string }} */
const words = JSON.parse(byId("words").textContent);

/** @type {(name: string) => boolean} */
export const knows = (name) => name in words;

/**
 * The text `name` with its {places} filled; "" where the rules were changed after the page came, and need others.
 * @type {(name: string, places?: any) => string}
 */
export const say = (name, places = {}) =>
  (words[name] || "").replace(/\{(\w+)\}/g, (whole, place) => (place in places ? places[place] : whole));

/**
 * An amount of tokens with its sign: +6, −2, 0.
 * @type {(tokens: number) => string}
 */
export const signed = (tokens) => (tokens > 0 ? `+${tokens}` : tokens < 0 ? `−${-tokens}` : "0");

/**
 * The time of day of an ISO moment.
 * @type {(moment: string) => string}
 */
export const clock = (moment) =>
  new Date(moment).toLocaleTimeString(root.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
