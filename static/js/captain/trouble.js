// What needs a person: reports that differ from another phone's, were refused, or came too late; and the network.

import { byId, el } from "./dom.js";
import { effectText, withName } from "./sentences.js";
import { say } from "./words.js";

const button = (text, onclick, look = "") => el("button", { type: "button", class: look, onclick }, text);

const card = (look, texts, ...buttons) =>
  el("div", { class: `message ${look}`, role: "alert" }, ...texts.map((text) => el("p", {}, text)), el("div", { class: "actions" }, ...buttons));

function told(names, said) {
  return said && said.result ? `${withName(said, names)} (${effectText(names, said.tokens, said.result.declarer)})` : say("taken_back");
}

const why = (said) => said.map(({ message }) => message).join(" ");

/** A card for each report that a person must decide on, by its status. */
const CARDS = {
  conflict: (names, item, act) =>
    card("warning", [say("conflict", item), say("theirs", { text: told(names, item.current) }), say("mine", { text: told(names, item) })],
      button(say("keep_theirs"), () => act.drop(item)), button(say("mine_is_right"), () => act.insist(item), "primary")),
  refused: (names, item, act) =>
    card("error", [say("refused", { deal: item.deal, why: why(item.problems) }), told(names, item)],
      button(say("look"), () => act.look(item), "primary"), button(say("drop"), () => act.drop(item))),
  kept: (names, item, act) =>
    card("warning", [say("kept", { deal: item.deal, text: told(names, item) })], button(say("seen"), () => act.drop(item))),
};

/** Show all of it; `doubts` are accepted reports that the rules call rare. */
export function renderTrouble(table, { dead, doubts, enters }, act) {
  const items = table.outbox.having(...Object.keys(CARDS)).map((item) => CARDS[item.status](table.names, item, act));
  const doubtful = doubts.map((item) =>
    card("warning", [say("doubtful", { deal: item.deal, why: why(item.warnings) })],
      button(say("right_so"), () => act.believe(item)), el("a", { class: "button", href: `#correct-${item.deal}` }, say("correct"))),
  );
  const notices = [
    ...(dead ? [card("error", [say(dead)])] : []),
    ...(table.facts.started ? [] : [card("", [say("table_waiting")])]),
    ...(enters ? [] : [card("warning", [say("other_phone")], button(say("take_over"), act.takeOver, "primary"))]),
    ...items, ...doubtful,
  ];
  const said = notices.map((notice) => notice.textContent).join("\n");
  if (said === byId("notices").dataset.said) return; // an alert that stays is not to be read out again
  byId("notices").dataset.said = said;
  byId("notices").replaceChildren(...notices);
}

/** The badge: always the truth about where the deals are. */
export function renderBadge({ saved, outbox }, offline) {
  const waiting = outbox.having("waiting").length;
  const look = outbox.having("conflict", "refused").length;
  const parts = [say("badge", { saved, waiting })];
  if (look) parts.push(say("badge_look", { count: look }));
  if (offline) parts.push(say("badge_offline"));
  if (outbox.place !== "disk") parts.push(say(`badge_${outbox.place}`));
  byId("badge").textContent = parts.join(" · ");
  byId("badge").classList.toggle("busy", waiting > 0 || parts.length > 1);
  const more = [offline && "offline", outbox.place !== "disk" && `place_${outbox.place}`].filter(Boolean).map((name) => say(name));
  byId("place").textContent = [say("place", { saved, waiting }), ...more].join(" ");
}
