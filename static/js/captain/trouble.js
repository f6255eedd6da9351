// What needs a person: reports that differ from another phone's, were refused, or came too late; and the network.

import { byId, el, fill, th, those, write } from "./dom.js";
import { declarerOf, effectText, withName } from "./sentences.js";
import { clock, say, signed } from "./words.js";

export const button = (text, onclick, look = "") => el("button", { type: "button", class: look, onclick }, text);

export const card = (look, texts, ...buttons) =>
  el("div", { class: `message ${look}`, role: "alert" }, ...texts.map((text) => (text.nodeType ? text : el("p", {}, text))),
    el("div", { class: "actions" }, ...buttons));

/** The same report in few words, with what it pays where the players are known. */
const told = (names, item) => (names.length && item.result ? `${withName(item, names)} (${effectText(names, item.tokens, declarerOf(item.result))})` : item.text);

const why = (said) => said.map(({ message }) => message).join(" ");

/** Over plain http no worker keeps what makes codes: it has to be here before the network goes. */
export const fetchCodes = () => import("./codes.js").catch(() => {});

/** Reports as codes that the desk types or scans; their script is loaded when it is first asked for. */
export async function showCodes(items) {
  const place = byId("code");
  try {
    (await fetchCodes()).showCode(items, items[0].table, place);
  } catch {
    place.textContent = say("not_sent");
  }
  place.scrollIntoView();
}

/** Two versions of a deal beside each other: who plays, what, how it ended, each player's tokens. */
function beside({ names, short }, sides) {
  const cells = sides.map(({ result, text, tokens }) => {
    const [contract, ...ended] = result ? text.split(" · ") : [say("taken_back")];
    return [result ? names[declarerOf(result)] || "–" : "–", contract, ended.join(" · ") || "–", ...names.map((name, position) => (result ? signed(tokens[position]) : ""))];
  });
  const rows = [say("plays"), say("contract"), say("result"), ...short].map((name, row) => {
    const [theirs, mine] = cells.map((side) => side[row]);
    return el("tr", { class: theirs === mine ? "" : "differs" }, th("row", name), el("td", {}, theirs), el("td", {}, mine));
  });
  const heads = ["", ...sides.map(({ head }) => head)].map((head) => th("col", head));
  return el("table", { class: "beside" }, el("tr", {}, ...heads), ...rows);
}

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
    card("warning", [say("kept", { deal: item.deal, text: told(names, item) })], ...ends(item, act, "seen")),
};

export const itemCards = (table, act) =>
  table.outbox.having(...Object.keys(CARDS)).map((item) => CARDS[item.status](table, item, act));

/** Show these cards; those that stay are not read out again. */
export function fillNotices(notices) {
  const said = notices.map((notice) => notice.textContent).join("\n");
  if (said === byId("notices").dataset.said) return;
  byId("notices").dataset.said = said;
  fill("notices", ...notices);
}

/** Show all of it; `act.doubts` are accepted reports that the rules call rare, `holder` another phone that enters. */
export function renderTrouble(table, { dead, holder, takeOver }, act) {
  const { names, outbox, facts } = table;
  const lost = outbox.waiting.filter(({ place }) => place === "memory");
  fillNotices(those(
    dead && card("error", [say(dead)]),
    !facts.started && card("", [say("table_waiting")]),
    holder && card("warning", [say("other_phone", { phone: holder })], button(say("take_over"), takeOver, "primary")),
    lost.length && card("error", [say("place_memory"), ...lost.map((item) => say("left_over", { deal: item.deal, text: told(names, item) }))],
      button(say("code"), () => showCodes(lost))),
    ...itemCards(table, act),
    ...act.doubts.map((item) =>
      card("warning", [say("doubtful", { deal: item.deal, why: why(item.warnings) })],
        button(say("right_so"), () => act.believe(item)), el("a", { class: "button", href: `#correct-${item.deal}` }, say("correct")))),
  ));
}

/** The badge: always the truth about where the deals are. */
export function renderBadge({ saved, outbox }, { offline, clockOff }) {
  const waiting = outbox.waiting.length;
  const look = outbox.having("conflict", "refused").length;
  const { place } = outbox;
  const parts = those(
    say("badge", { saved, waiting }), look && say("badge_look", { count: look }), offline && say("badge_offline"),
    place !== "disk" && say(`badge_${place}`),
  );
  write("badge", parts.join(" · "));
  byId("badge").classList.toggle("busy", waiting > 0 || parts.length > 1);
  const more = those(offline && "offline", place !== "disk" && `place_${place}`, clockOff && "clock_off");
  write("place", [say("place", { saved, waiting }), ...more.map((name) => say(name))].join(" "));
  byId("show-code").hidden = waiting === 0;
}
