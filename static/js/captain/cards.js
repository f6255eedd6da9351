// What is to be decided of a report: it differs from another phone's, was refused, came too late, or is rare.

import { el, th, those } from "./dom.js";
import { resultOf, tokensOf } from "./offers.js";
import { declarerOf, effectText, shortText, withName } from "./sentences.js";
import { button, card, showCodes } from "./trouble.js";
import { clock, say, signed } from "./words.js";

/** @import { Item, Problem, Report, Result, Version } from "./types.d.ts" */
/** @import { Entry } from "./entry.js" */
/** @import { Table } from "./table.js" */

/** @typedef {Pick<Table, "names" | "short" | "outbox">} Told */
/** @typedef {{ head: string, result: Result | null, text: string, tokens: number[] }} Side */
/** @typedef {(item: Report) => unknown} Decide */
/** @typedef {(item: Item) => unknown} Drop */
/** @typedef {{ drop: Drop, look?: Decide, insist?: Decide, believe?: Decide, doubts?: Report[] }} Act */

/**
 * The same report in few words, with what it pays where the players are known.
 * @type {(names: string[], item: Report) => string}
 */
const told = (names, item) => (item.result && item.tokens.length === names.length ? `${withName(item, names)} (${effectText(names, item.tokens, declarerOf(item.result))})` : item.text);

/** @type {(said?: Problem[]) => string} */
const why = (said = []) => said.map(({ message }) => message).join(" ");

/**
 * Two versions of a deal beside each other: who plays, what, how it ended, each player's tokens.
 * @param {Pick<Table, "names" | "short">} table
 * @param {Side[]} sides
 */
function beside({ names, short }, sides) {
  const cells = sides.map(({ result, text, tokens }) => {
    const [contract, ...ended] = result ? text.split(" · ") : [say("taken_back")];
    return [(result && names[declarerOf(result)]) || "–", contract, ended.join(" · ") || "–", ...names.map((name, position) => (result && tokens.length ? signed(tokens[position]) : ""))];
  });
  const rows = [say("plays"), say("contract"), say("result"), ...short].map((name, row) => {
    const [one, other] = cells.map((side) => side[row]);
    return el("tr", { class: one === other ? "" : "differs" }, th("row", name), el("td", {}, one), el("td", {}, other));
  });
  const heads = ["", ...sides.map(({ head }) => head)].map((head) => th("col", head));
  return el("table", { class: "beside" }, el("tr", {}, ...heads), ...rows);
}

/**
 * What is tapped so far, as a side of that.
 * @param {Entry} entry
 * @returns {Side}
 */
function tapped({ choices, selection, deal, waits, contract, table }) {
  const head = say("mine");
  if (!waits) return { head, result: resultOf(choices, selection, deal.roles), text: shortText(choices, selection, deal.roles, table.names), tokens: tokensOf(choices, selection, deal.roles) };
  return { head, result: { declarer: selection.declarer === null ? undefined : selection.declarer }, text: contract?.name || "–", tokens: [] };
}

/**
 * The deal that is being typed has been reported, or changed, by somebody else.
 * @type {(table: Table, act: { entry: Entry, giveWay: () => void, goOver: () => void }) => HTMLElement}
 */
export const passedCard = (table, { entry, giveWay, goOver }) =>
  card("warning", [say("changed_meanwhile", { deal: entry.number }), beside(table, [theirs(entry.dealt), tapped(entry)])],
    button(say("keep_theirs"), giveWay), button(say("mine_is_right"), goOver, "primary"));

/**
 * @param {Version | null} [current]
 * @returns {Side}
 */
function theirs(current) {
  const { source, reported_at } = current || {};
  const head = those(say(source === "desk" ? "at_desk" : "theirs"), reported_at && clock(reported_at)).join(" ");
  return { result: null, text: "", tokens: [], ...current, head };
}

/**
 * What can be done with a report that is not to be sent again.
 * @type {(item: Report, drop: Drop, name: string) => HTMLElement[]}
 */
const ends = (item, drop, name) => [button(say("code"), () => showCodes([item])), button(say(name), () => drop(item))];

/**
 * A card for each report that a person must decide on, by its status; `act` lacks what cannot be done any more.
 * @type {{ [status: string]: (table: Told, item: Report, act: Act) => HTMLElement }}
 */
const CARDS = {
  conflict: (table, item, { drop, insist }) =>
    insist
      ? card("warning", [say("conflict", item), beside(table, [theirs(item.current), { ...item, head: say("mine") }])],
        button(say("keep_theirs"), () => drop(item)), button(say("mine_is_right"), () => insist(item), "primary"))
      : card("warning", [say("left_over", item)], ...ends(item, drop, "drop")),
  refused: ({ names }, item, { drop, look }) =>
    card("error", [say("refused", { deal: item.deal, why: why(item.problems) }), told(names, item)],
      look ? button(say("look"), () => look(item), "primary") : "", ...ends(item, drop, "drop")),
  kept: ({ names }, item, { drop }) =>
    card("warning", [say(why(item.problems) ? "kept_why" : "kept", { deal: item.deal, text: told(names, item), why: why(item.problems) })],
      ...ends(item, drop, "seen")),
};

/**
 * What the rules call rare in a report that was accepted.
 * @type {(item: Report, believe: Decide) => HTMLElement}
 */
const doubtful = (item, believe) =>
  card("warning", [say("doubtful", { deal: item.deal, why: why(item.warnings) })],
    button(say("right_so"), () => believe(item)), el("a", { class: "button", href: `#correct-${item.deal}` }, say("correct")));

/**
 * Reports that there is no room for at the desk yet.
 * @param {Told} table
 */
function fullCards({ names, outbox }) {
  const full = outbox.waiting.filter(({ problems = [] }) => problems.length);
  const texts = full.map((item) => say("left_over", { deal: item.deal, text: told(names, item) }));
  return full.length ? [card("warning", [why(full[0].problems), ...texts], button(say("code"), () => showCodes(full)))] : [];
}

/**
 * Calls that do not reach the desk: refused, or on the page of a dead link all that are left.
 * @type {(table: Told, act: Act) => HTMLElement[]}
 */
const callCards = ({ outbox }, act) =>
  outbox.calls("refused", ...(act.insist ? [] : [/** @type {const} */ ("waiting")])).map((item) =>
    card("warning", [say(`call_left_${item.call.kind}`, item.call), ...those(item.why)], button(say("drop"), () => act.drop(item))));

/**
 * What this phone cannot keep, and only has as long as the page is open.
 * @param {Told} table
 */
export function lostCard({ names, outbox }) {
  const lost = outbox.waiting.filter(({ place }) => place === "memory");
  const texts = lost.map((item) => say("left_over", { deal: item.deal, text: told(names, item) }));
  return lost.length && card("error", [say("place_memory"), ...texts], button(say("code"), () => showCodes(lost)));
}

/**
 * A card for each report that is to be decided on; `act.doubts` are accepted ones, none on the page of a dead link.
 * @type {(table: Told, act: Act) => HTMLElement[]}
 */
export const itemCards = (table, act) => [
  ...fullCards(table),
  ...callCards(table, act),
  ...table.outbox.having("conflict", "refused", "kept").map((item) => CARDS[item.status](table, item, act)),
  ...(act.doubts || []).map((item) => doubtful(item, /** @type {Decide} */ (act.believe))),
];
