// A deal that was reported, back in the entry to be corrected.

import { byId, show, those, write } from "./dom.js";
import { EMPTY, contractOf, fieldsFor, goes, once, setOf } from "./offers.js";
import { withName } from "./sentences.js";
import { totalsOf } from "./totals.js";
import { say, signed } from "./words.js";

function within(part, whole) {
  if (whole === undefined || typeof part !== "object") return part === whole;
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((one) => whole.includes(one));
  return Object.entries(part).every(([name, value]) => within(value, whole[name]));
}

/** The selection that a reported result came from, as far as buttons can say it. */
export function selectionOf(choices, result, outcome, roles) {
  const { contract, declarer, pool = null, takeover } = result || {};
  if (!contract) return { ...EMPTY, pool, allPassed: Boolean(result && result.all_passed) };
  const offered = contractOf(choices, { contract });
  const owner = takeover === undefined ? declarer : takeover;
  const said = (patch) => within(setOf(patch, roles, owner), result);
  const codeOf = (patch) => (patch ? patch.code : null);
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
    extras: once(fitting.filter((extra) => !extra.count && said(extra))).map(codeOf),
    partner: codeOf(offered.partners.find((one) => goes(one, main) && said(one))),
  };
}

/** What a correction comes to, and how it moves every total. */
export function correctedText({ table, deal }, effect, tokens) {
  const totals = totalsOf(table);
  const moves = those(...table.short.map((name, position) => {
    const change = tokens[position] - deal.tokens[position];
    return change && `${name} ${signed(totals[position])} → ${signed(totals[position] + change)}`;
  })).join(" · ");
  return `${effect}. ${say(moves ? "totals_move" : "totals_stay", { moves })}`;
}

/** What the deal was before, and why it is corrected: one of the usual reasons by one tap, or words of one's own. */
export function renderCorrection(entry) {
  const buttons = [...byId("reasons").children];
  const own = buttons.pop();
  const reason = byId("reason");
  const inOwnWords = entry.inOwnWords || (reason.value && !buttons.some((button) => button.textContent === reason.value));
  write("was", `${say("before", { text: withName(entry.dealt, entry.table.names) })} · ${entry.table.dealerText(entry.deal)}`);
  for (const button of buttons) button.setAttribute("aria-pressed", !inOwnWords && button.textContent === reason.value);
  own.setAttribute("aria-pressed", Boolean(inOwnWords));
  show("reason", inOwnWords);
  byId("reasons").onclick = ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    reason.value = button === own ? "" : button.textContent;
    entry.tap({}, { inOwnWords: button === own });
    if (button === own) reason.focus();
  };
}

/** Leave a correction that is not saved only when it is meant. */
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
