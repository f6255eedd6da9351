// What needs a person, in cards over the page (what is to be decided of a report: `deciding.js`), and the badge.

import { byId, el, fill, those, write } from "./dom.js";
import { fetchLater, later } from "./later.js";
import { say } from "./words.js";

/** @import { Falsy } from "./page.d.ts" */
/** @import { Report } from "./types.d.ts" */
/** @import { Table } from "./table.js" */

/** @type {(text: string, onclick: () => unknown, look?: string) => HTMLElement} */
export const button = (text, onclick, look = "") => el("button", { type: "button", class: look, onclick }, text);

/** @type {(look: string, texts: (string | HTMLElement)[], ...buttons: (HTMLElement | "")[]) => HTMLElement} */
export const card = (look, texts, ...buttons) =>
  el("div", { class: `message ${look}`, role: "alert" }, ...texts.map((text) => (typeof text === "string" ? el("p", {}, text) : text)),
    el("div", { class: "actions" }, ...buttons));

/**
 * Reports as codes that the desk types or scans.
 * @param {Report[]} items
 */
export async function showCodes(items) {
  const place = byId("code");
  if (await fetchLater()) later.showCode(items, items[0].table, place);
  else place.textContent = say("not_sent");
  place.scrollIntoView();
}

/**
 * Show these cards; those that stay are not read out again.
 * @param {HTMLElement[]} notices
 */
export function fillNotices(notices) {
  const said = notices.map((notice) => notice.textContent).join("\n");
  if (said === byId("notices").dataset.said) return;
  byId("notices").dataset.said = said;
  fill("notices", ...notices);
}

/**
 * Show all of it: `holder` is another phone that enters, `decisions` the cards of `deciding.js`.
 * @param {Table} table
 * @param {{ dead: string, holder: string, takeOver: () => unknown }} told
 * @param {(HTMLElement | Falsy)[]} decisions
 */
export function renderTrouble(table, { dead, holder, takeOver }, decisions) {
  fillNotices(those(
    dead && card("error", [say(dead)]),
    !dead && !table.facts.started && card("", [say("table_waiting")]),
    !dead && holder && card("warning", [say("other_phone", { phone: holder })], button(say("take_over"), takeOver, "primary")),
    ...decisions,
  ));
}

/**
 * The badge: always the truth about where the deals are.
 * @param {Table} table
 * @param {boolean} offline
 */
export function renderBadge({ saved, outbox }, offline) {
  const waiting = outbox.left;
  const look = outbox.having("conflict", "refused").length + outbox.calls("refused").length;
  const { place } = outbox;
  const here = offline ? waiting && "badge_here" : waiting ? "badge" : "badge_all";
  const parts = those(
    offline && say("badge_offline"), here && say(here, { saved, waiting }), look && say("badge_look", { count: look }),
    place !== "disk" && say(`badge_${place}`),
  );
  write("badge", parts.join(" · "));
  byId("badge").classList.toggle("busy", waiting > 0 || parts.length > 1);
}
