// What a choice says in words: for the eye in few, for the ear in a sentence.

import { contractOf, patchesOf, tokensOf } from "./offers.js";
import { knows, say, signed } from "./words.js";

export const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** A name with the player in it: "foul by {FH}". */
export const named = (text, roles, names) => text.replace(/\{(\w+)\}/g, (whole, role) => names[roles.indexOf(role)] || whole);

/** The chosen buttons in words. */
const wordsOf = (choices, selection, roles, names) =>
  patchesOf(choices, selection).map(({ code, text = choices.names[code] }) => named(text, roles, names));

/** Whose game it counts as: who took it over is its declarer. */
export const declarerOf = ({ declarer, takeover = declarer }) => takeover;

/** A report as the sheet has it: "Carl · Solo ♥ · won". */
export const withName = ({ text, result }, names) => {
  const name = names[declarerOf(result)];
  return name ? `${name} · ${text}` : text;
};

/** In few words, its declarer left to the result: "Solo ♥ · won". */
export function shortText(choices, selection, roles, names) {
  if (selection.allPassed) return say("all_passed");
  const trump = selection.trump ? ` ${SIGNS[selection.trump]}` : "";
  return [contractOf(choices, selection).name + trump, ...wordsOf(choices, selection, roles, names)].join(" · ");
}

/** As a sentence: "Carl won solo in hearts: +6". */
export function sentence(choices, selection, roles, names) {
  if (selection.allPassed) return say("said_all_passed");
  const { declarer, trump } = selection;
  const name = contractOf(choices, selection).name.toLocaleLowerCase();
  const contract = trump ? say("in_trump", { contract: name, trump: say(`trump_${trump}`) }) : name;
  const [result, ...more] = wordsOf(choices, selection, roles, names);
  const pattern = knows(`said_${selection.result}`) ? `said_${selection.result}` : "said_other";
  const said = [say(pattern, { name: names[declarer], contract, result }), ...more].join(", ");
  return `${said}: ${signed(tokensOf(choices, selection, roles)[declarer])}`;
}

/** Who gets and gives what: "Carl +6 · the others −2 each". */
export function effectText(names, tokens, declarer) {
  if (!tokens.some(Boolean)) return say("nobody_pays");
  const known = typeof declarer === "number";
  const groups = new Map();
  names.forEach((name, position) => {
    if (position !== declarer) groups.set(tokens[position], [...(groups.get(tokens[position]) || []), name]);
  });
  const parts = known ? [`${names[declarer]} ${signed(tokens[declarer])}`] : [];
  for (const [amount, people] of [...groups].sort(([one], [other]) => Math.abs(other) - Math.abs(one))) {
    const who = known && groups.size === 1 ? say("the_others") : people.join(", ");
    parts.push(people.length > 1 && amount ? say("each", { who, tokens: signed(amount) }) : `${who} ${signed(amount)}`);
  }
  return parts.join(" · ");
}

/** On a result's button: what it gives the declarer and, where there is room, each of the others. */
export function amountText(tokens, declarer, withOthers) {
  const others = tokens.filter((amount, position) => position !== declarer && amount);
  const paid = new Set(others);
  const own = signed(tokens[declarer]);
  return withOthers && others.length > 1 && paid.size === 1 ? say("own_and_each", { own, each: signed([...paid][0]) }) : own;
}
