// A deal that was reported, back in the entry to be corrected.

import { byId, press, show, those, write } from "./dom.js";
import { EMPTY, contractOf, fieldsFor, goes, once, setOf } from "./offers.js";
import { withName } from "./sentences.js";
import { declaredBy } from "./table.js";
import { totalsOf } from "./totals.js";
import { say, signed } from "./words.js";

/** @import { Choices, Contract, Json, Patch, Selection } from "./choices.d.ts" */
/** @import { Deal } from "./types.d.ts" */
/** @import { Entry } from "./entry.js" */
/** @import { Page } from "./main.js" */

/**
 * @param {any} part
 * @param {any} whole
 * @returns {boolean}
 */
function within(part, whole) {
  if (whole === undefined || typeof part !== "object") return part === whole;
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((one) => whole.includes(one));
  return Object.entries(part).every(([name, value]) => within(value, whole[name]));
}

/**
 * The selection that a reported result came from, as far as buttons can say it.
 * @param {Choices} choices
 * @param {Deal} deal
 * @returns {Selection}
 */
export function selectionOf(choices, deal) {
  const { result, outcome } = deal;
  const { contract, declarer, pool = null, takeover } = result || {};
  if (!result || !contract || declarer === undefined) return { ...EMPTY, pool, allPassed: Boolean(result?.all_passed) };
  const { roles } = declaredBy(deal, declarer);
  const offered = /** @type {Contract} */ (contractOf(choices, { contract }));
  const owner = takeover === undefined ? declarer : takeover;
  /** @type {(patch: { set: Json }) => boolean} */
  const said = (patch) => within(setOf(patch, roles, owner), result);
  /** @type {(patch?: Patch) => string | null} */
  const codeOf = (patch) => (patch ? patch.code : null);
  /** @type {(patch: Patch) => number} */
  const size = (patch) => JSON.stringify(patch.set).length;
  const mains = [...(takeover === undefined ? offered.rare : []), ...offered.results].sort((one, other) => size(other) - size(one));
  const main = codeOf(mains.find(said) || mains.find(({ code }) => code === outcome));
  const fitting = offered.extras.filter((extra) => goes(extra, main));
  const joined = offered.joiners.map(({ seat, results }) => [seat, codeOf(results.find(said))]);
  const counted = [...fitting.filter(({ count }) => count), ...fieldsFor(offered, { result: main }).map(({ name }) => ({ code: name }))];
  const counts = counted.map(({ code }) => [code, result[code]]).filter(([, count]) => count !== undefined);
  return {
    ...EMPTY, declarer, contract, pool, result: main, joiners: Object.fromEntries(joined), counts: Object.fromEntries(counts),
    trump: result.trump || (offered.trump_must ? null : ""), takeover: takeover === undefined ? null : roles[takeover],
    extras: once(fitting.filter((extra) => !extra.count && said(extra))).map(({ code }) => code),
    partner: codeOf(offered.partners.find((one) => goes(one, main) && said(one))),
  };
}

/**
 * What a correction comes to, and how it moves every total.
 * @param {Entry} entry
 * @param {string} effect
 * @param {number[]} tokens
 */
export function correctedText({ table, deal }, effect, tokens) {
  const totals = totalsOf(table);
  const moves = those(...table.short.map((name, position) => {
    const change = tokens[position] - deal.tokens[position];
    return change && `${name} ${signed(totals[position])} → ${signed(totals[position] + change)}`;
  })).join(" · ");
  return `${effect}. ${say(moves ? "totals_move" : "totals_stay", { moves })}`;
}

/**
 * What the deal was before, and why it is corrected: one of the usual reasons by one tap, or words of one's own.
 * @param {Entry} entry
 */
export function renderCorrection(entry) {
  const buttons = [...byId("reasons").querySelectorAll("button")];
  const own = /** @type {HTMLButtonElement} */ (buttons.pop());
  const reason = byId("reason");
  const inOwnWords = entry.inOwnWords || (reason.value !== "" && !buttons.some((button) => button.textContent === reason.value));
  write("was", `${say("before", { text: withName(entry.dealt, entry.table.names) })} · ${entry.table.dealerText(entry.deal)}`);
  for (const button of buttons) press(button, !inOwnWords && button.textContent === reason.value);
  press(own, inOwnWords);
  show("reason", inOwnWords);
  byId("reasons").onclick = ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (!button) return;
    reason.value = button === own ? "" : button.textContent;
    entry.tap({}, { inOwnWords: button === own });
    if (button === own) reason.focus();
  };
}

/**
 * Leave a correction that is not saved only when it is meant.
 * @param {Page} page
 * @param {string} hash
 */
export function askToLeave(page, hash) {
  const { entry } = page;
  location.hash = `correct-${entry.number}`;
  const act = () => {
    entry.number = null;
    page.keepDraft(null);
    location.hash = hash;
  };
  entry.ask({ text: say("leave_correction", { deal: entry.number }), yes: say("leave"), no: say("stay"), act });
}
