// Reports as codes for the desk: letters to type, and the same as a square code to scan. Needs neither network nor server.

import { qrPicture } from "./code_qr.js";
import { writeCode } from "./code_text.js";
import { el } from "./dom.js";
import { say } from "./words.js";

/** @import { Report } from "./types.d.ts" */

const ROOMY = 270; // letters: so many make a square code that a small phone still shows in squares of some pixels

/** @type {(code: string) => string} */
const letters = (code) => code.replace(/ /g, "");

/**
 * The reports in as few codes as are easily scanned, each whole in itself.
 * @param {Report[]} items
 * @param {string} secret
 */
function inCodes(items, secret) {
  const codes = [];
  for (const item of items) {
    const last = codes[codes.length - 1];
    const more = last && writeCode([...last.items, item], secret);
    if (more && letters(more).length <= ROOMY) Object.assign(last, { items: [...last.items, item], text: more });
    else codes.push({ items: [item], text: writeCode([item], secret) });
  }
  return codes;
}

/**
 * @param {{ items: Report[], text: string }} code
 * @param {number} part
 * @param {number} parts
 */
function codeCard({ items, text }, part, parts) {
  const deals = items.map(({ deal }) => deal).join(", ");
  const title = say(parts === 1 ? "code_of" : "code_part", { deals, part, parts });
  const groups = text.split(" ").map((group) => el("span", {}, group));
  return el("section", { class: "report-code" }, el("h3", {}, title), qrPicture(letters(text), title),
    el("p", { class: "code-groups", translate: "no" }, ...groups.flatMap((group) => [group, " "])));
}

/**
 * Show the codes of these reports in `element`; `table` is the secret of the link they were made with.
 * @param {Report[]} items
 * @param {string} table
 * @param {HTMLElement} element
 */
export function showCode(items, table, element) {
  const tables = [...new Set(items.map((item) => item.table || table))];
  const codes = tables.flatMap((secret) => inCodes(items.filter((item) => (item.table || table) === secret), secret));
  element.replaceChildren(
    el("p", {}, say("code_help")),
    ...codes.map((code, place) => codeCard(code, place + 1, codes.length)),
    el("div", { class: "actions" }, el("button", { type: "button", onclick: () => element.replaceChildren() }, say("code_hide"))),
  );
}
