// What is to be decided of a report: it differs from another phone's, was refused, came too late, or is rare.

import { el, th, those } from "./dom.js";
import { resultOf, tokensOf } from "./offers.js";
import { declarerOf, effectText, shortText, withName } from "./sentences.js";
import { button, card, showCodes } from "./trouble.js";
import { clock, say, signed } from "./words.js";

/** The same report in few words, with what it pays where the players are known. */
const told = (names, item) => (item.result && item.tokens.length === names.length ? `${withName(item, names)} (${effectText(names, item.tokens, declarerOf(item.result))})` : item.text);

const why = (said) => said.map(({ message }) => message).join(" ");

/** Two versions of a deal beside each other: who plays, what, how it ended, each player's tokens. */
function beside({ names, short }, sides) {
  const cells = sides.map(({ result, text, tokens }) => {
    const [contract, ...ended] = result ? text.split(" · ") : [say("taken_back")];
    return [result ? names[declarerOf(result)] || "–" : "–", contract, ended.join(" · ") || "–", ...names.map((name, position) => (result && tokens.length ? signed(tokens[position]) : ""))];
  });
  const rows = [say("plays"), say("contract"), say("result"), ...short].map((name, row) => {
    const [one, other] = cells.map((side) => side[row]);
    return el("tr", { class: one === other ? "" : "differs" }, th("row", name), el("td", {}, one), el("td", {}, other));
  });
  const heads = ["", ...sides.map(({ head }) => head)].map((head) => th("col", head));
  return el("table", { class: "beside" }, el("tr", {}, ...heads), ...rows);
}

/** What is tapped so far, as a side of that. */
function tapped({ choices, selection, deal, waits, contract, table }) {
  const head = say("mine");
  if (!waits) return { head, result: resultOf(choices, selection, deal.roles), text: shortText(choices, selection, deal.roles, table.names), tokens: tokensOf(choices, selection, deal.roles) };
  return { head, result: { declarer: selection.declarer }, text: contract ? contract.name : "–", tokens: [] };
}

/** The deal that is being typed has been reported, or changed, by somebody else. */
export const passedCard = (table, { entry, giveWay, goOver }) =>
  card("warning", [say("changed_meanwhile", { deal: entry.number }), beside(table, [theirs(table.deal(entry.number)), tapped(entry)])],
    button(say("keep_theirs"), giveWay), button(say("mine_is_right"), goOver, "primary"));

function theirs(current) {
  const { source, reported_at } = current || {};
  const head = those(say(source === "desk" ? "at_desk" : "theirs"), reported_at && clock(reported_at)).join(" ");
  return { result: null, ...current, head };
}

/** What can be done with a report that is not to be sent again. */
const ends = (item, act, name) => [button(say("code"), () => showCodes([item])), button(say(name), () => act.drop(item))];

/** A card for each report that a person must decide on, by its status; `act` lacks what cannot be done any more. */
const CARDS = {
  conflict: (table, item, act) =>
    act.insist
      ? card("warning", [say("conflict", item), beside(table, [theirs(item.current), { ...item, head: say("mine") }])],
        button(say("keep_theirs"), () => act.drop(item)), button(say("mine_is_right"), () => act.insist(item), "primary"))
      : card("warning", [say("left_over", item)], ...ends(item, act, "drop")),
  refused: ({ names }, item, act) =>
    card("error", [say("refused", { deal: item.deal, why: why(item.problems) }), told(names, item)],
      act.look ? button(say("look"), () => act.look(item), "primary") : "", ...ends(item, act, "drop")),
  kept: ({ names }, item, act) =>
    card("warning", [say(item.problems.length ? "kept_why" : "kept", { deal: item.deal, text: told(names, item), why: why(item.problems) })],
      ...ends(item, act, "seen")),
};

/** What the rules call rare in a report that was accepted. */
const doubtful = (item, act) =>
  card("warning", [say("doubtful", { deal: item.deal, why: why(item.warnings) })],
    button(say("right_so"), () => act.believe(item)), el("a", { class: "button", href: `#correct-${item.deal}` }, say("correct")));

/** Reports that there is no room for at the desk yet. */
function fullCards({ names, outbox }) {
  const full = outbox.waiting.filter(({ problems = [] }) => problems.length);
  const texts = full.map((item) => say("left_over", { deal: item.deal, text: told(names, item) }));
  return full.length ? [card("warning", [why(full[0].problems), ...texts], button(say("code"), () => showCodes(full)))] : [];
}

/** Calls that do not reach the desk: refused, or on the page of a dead link all that are left. */
const callCards = ({ outbox }, act) =>
  outbox.calls("refused", ...(act.insist ? [] : ["waiting"])).map((item) =>
    card("warning", [say(`call_left_${item.call.kind}`, item.call), ...those(item.why)], button(say("drop"), () => act.drop(item))));

/** What this phone cannot keep, and only has as long as the page is open. */
export function lostCard({ names, outbox }) {
  const lost = outbox.waiting.filter(({ place }) => place === "memory");
  const texts = lost.map((item) => say("left_over", { deal: item.deal, text: told(names, item) }));
  return lost.length && card("error", [say("place_memory"), ...texts], button(say("code"), () => showCodes(lost)));
}

/** A card for each report that is to be decided on; `act.doubts` are accepted ones, none on the page of a dead link. */
export const itemCards = (table, act) => [
  ...fullCards(table),
  ...callCards(table, act),
  ...table.outbox.having(...Object.keys(CARDS)).map((item) => CARDS[item.status](table, item, act)),
  ...(act.doubts || []).map((item) => doubtful(item, act)),
];
