// What a choice says in words: for the eye in few, for the ear in a sentence.

import { contractOf, patchesOf, tokensOf } from "./offers.js";
import { knows, say, signed } from "./words.js";

/** @import { Choices, Contract, Position, Role, Selection, Suit } from "./choices.d.ts" */
/** @import { Result, Version } from "./types.d.ts" */

/** @type {{ [trump: Suit]: string }} */
export const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/**
 * A name with the player in it: "foul by {FH}".
 * @type {(text: string, roles: Role[], names: string[]) => string}
 */
export const named = (text, roles, names) => text.replace(/\{(\w+)\}/g, (whole, role) => names[roles.indexOf(role)] || whole);

/**
 * The chosen buttons in words.
 * @type {(choices: Choices, selection: Selection, roles: Role[], names: string[]) => string[]}
 */
const wordsOf = (choices, selection, roles, names) =>
  patchesOf(choices, selection).map(({ code, text = choices.names[code] }) => named(text, roles, names));

/**
 * Whose game it counts as: who took it over is its declarer. Where nobody declared it is nobody's place in a list.
 * @type {(result: Pick<Result, "declarer" | "takeover">) => Position}
 */
export const declarerOf = ({ declarer, takeover = declarer }) => /** @type {Position} */ (takeover);

/**
 * A report as the sheet has it: "Carl · Solo ♥ · won".
 * @type {(version: Pick<Version, "text" | "result">, names: string[]) => string}
 */
export const withName = ({ text, result }, names) => {
  const name = result && names[declarerOf(result)];
  return name ? `${name} · ${text}` : text;
};

/**
 * In few words, its declarer left to the result: "Solo ♥ · won".
 * @param {Choices} choices
 * @param {Selection} selection
 * @param {Role[]} roles
 * @param {string[]} names
 */
export function shortText(choices, selection, roles, names) {
  if (selection.allPassed) return say("all_passed");
  const trump = selection.trump ? ` ${SIGNS[selection.trump]}` : "";
  return [/** @type {Contract} */ (contractOf(choices, selection)).name + trump, ...wordsOf(choices, selection, roles, names)].join(" · ");
}

/**
 * As a sentence: "Carl won solo in hearts: +6".
 * @param {Choices} choices
 * @param {Selection} selection
 * @param {Role[]} roles
 * @param {string[]} names
 */
export function sentence(choices, selection, roles, names) {
  if (selection.allPassed) return say("said_all_passed");
  const { trump } = selection;
  const declarer = /** @type {Position} */ (selection.declarer);
  const name = /** @type {Contract} */ (contractOf(choices, selection)).name.toLocaleLowerCase();
  const contract = trump ? say("in_trump", { contract: name, trump: say(`trump_${trump}`) }) : name;
  const [result, ...more] = wordsOf(choices, selection, roles, names);
  const pattern = knows(`said_${selection.result}`) ? `said_${selection.result}` : "said_other";
  const said = [say(pattern, { name: names[declarer], contract, result }), ...more].join(", ");
  return `${said}: ${signed(tokensOf(choices, selection, roles)[declarer])}`;
}

/**
 * Who gets and gives what: "Carl +6 · the others −2 each".
 * @param {string[]} names
 * @param {number[]} tokens
 * @param {Position | null | undefined} declarer
 */
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

/**
 * On a result's button: what it gives the declarer and, where there is room, each of the others.
 * @param {number[]} tokens
 * @param {Position} declarer
 * @param {boolean} withOthers
 */
export function amountText(tokens, declarer, withOthers) {
  const others = tokens.filter((amount, position) => position !== declarer && amount);
  const paid = new Set(others);
  const own = signed(tokens[declarer]);
  return withOthers && others.length > 1 && paid.size === 1 ? say("own_and_each", { own, each: signed([...paid][0]) }) : own;
}
