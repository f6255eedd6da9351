// How a deal ended: the main results with what they pay, who plays along, and behind "more" what is rare.

import { byId, el, fillGroup, show } from "./dom.js";
import { extrasFor, fieldsFor, joinersFor, missing, partnersFor, resultsFor, takeoversFor, tokensOf } from "./offers.js";
import { amountText, named } from "./sentences.js";
import { say } from "./words.js";

/** @import { Contract, Extra, Joiner, Patch, Position, Role, Selection } from "./choices.d.ts" */
/** @import { Option } from "./page.d.ts" */
/** @import { Entry } from "./entry.js" */
/** @typedef {Entry & { contract: Contract }} Chosen */
/** @typedef {(patch: Patch, chosen: boolean) => Option} MakeButton */
/** @typedef {{ key: string, text: string, look?: string, options: Option[], onPick: (code: string) => unknown }} Row */

const ONE_ROW = 3; // as many results have room for their amounts
const LONG = 8; // letters of a result that five in a row have room for
const LONGER = 16; // and three in a row
/** @type {(buttons: Option[]) => number} */
const longest = (buttons) => Math.max(0, ...buttons.map(({ label }) => label.length));

/** @param {Entry} entry */
export function fillResults(entry) {
  const { contract, selection, choices, deal, role } = entry;
  const names = entry.table.short;
  /** @type {MakeButton} */
  const button = (patch, chosen) => ({ code: patch.code, label: named(patch.name || choices.names[patch.code], deal.roles, names), chosen });
  const main = mainButtons(entry, button);
  const rare = contract ? resultsFor(contract, plainOf(contract, selection), role, "rare").map((patch) => button(patch, patch.code === selection.result)) : [];
  const extras = contract ? extrasFor(contract, selection, role).filter((extra) => !extra.main) : [];
  const joiners = contract && role ? joinersFor(contract, selection, role) : [];
  const { classList } = byId("result");
  classList.toggle("four", main.length === ONE_ROW + 1 && longest(main) <= LONG);
  classList.toggle("many", main.length > ONE_ROW + 1 && longest(main) <= LONG);
  classList.toggle("wordy", longest(main) > LONGER);
  fillGroup(byId("result"), main, (code) => entry.tapResult(resultTap(/** @type {Chosen} */ (entry), code)));
  fillRows("counts", contract ? [...countRows(/** @type {Chosen} */ (entry)), ...partnerRows(/** @type {Chosen} */ (entry))] : []);
  fillRows("joiners", joiners.filter((joiner) => joiner.must || entry.wide).map((joiner) => joinerRow(entry, joiner, button)));
  const besides = extras.map((extra) => button(extra, selection.extras.includes(extra.code)));
  byId("extras").classList.toggle("wordy", longest(besides) > LONGER);
  fillGroup(byId("extras"), besides, (code) => entry.tap({ extras: toggled(/** @type {Contract} */ (contract), selection.extras, code) }));
  fillGroup(byId("instead"), rare, (code) => entry.tap({ result: code === selection.result ? null : code, extras: [], joiners: {} }));
  const takeovers = contract ? takeoversFor(contract, role) : [];
  fillGroup(
    byId("takeovers"),
    takeovers.map(({ seat }) => ({ code: seat, label: say("took_over", { name: names[deal.roles.indexOf(seat)] }), chosen: seat === selection.takeover })),
    (seat) => entry.tap({ takeover: seat === selection.takeover ? null : seat, result: null }),
  );
  const more = rare.length + extras.length + takeovers.length > 0 || joiners.some((joiner) => !joiner.must);
  show("more", more && !entry.question);
  byId("more").setAttribute("aria-expanded", String(entry.wide));
  show("rare", more && entry.wide);
}

/**
 * What may be tapped as a result: the main ones, and each with an extra that players call a result of its own.
 * @param {Contract} contract
 * @param {Selection} selection
 * @param {Role | null} role
 * @returns {Patch[]}
 */
function mainPatches(contract, selection, role) {
  const called = extrasFor(contract, { result: null }, role).filter((extra) => extra.main);
  return resultsFor(contract, plainOf(contract, selection), role, "results").flatMap((patch) => [patch, ...called.filter((extra) => extra.with[0] === patch.code)]);
}

/**
 * The buttons of results with what they give; until there is a contract, in their place those of the first one, off.
 * @param {Entry} entry
 * @param {MakeButton} button
 * @returns {Option[]}
 */
function mainButtons(entry, button) {
  const { contract, selection, choices, deal, role } = entry;
  const patches = mainPatches(contract || choices.contracts[0], selection, role);
  if (!contract) return patches.map((patch) => ({ ...button(patch, false), off: true }));
  const plain = { ...plainOf(contract, selection), result: null };
  /** @type {(patch: Patch) => boolean} */
  const isChosen = ({ code }) => (selection.extras.length > plain.extras.length ? selection.extras.includes(code) : code === selection.result);
  return patches.map((patch) => {
    const then = { ...plain, ...resultTap({ contract, selection: plain }, patch.code) };
    const pays = missing(choices, then, deal.roles) ? "" : amountText(tokensOf(choices, then, deal.roles), /** @type {Position} */ (selection.declarer), patches.length <= ONE_ROW);
    return { ...button(patch, isChosen(patch)), small: pays };
  });
}

/**
 * The selection without an extra that has a button among the results.
 * @param {Contract} contract
 * @param {Selection} selection
 */
function plainOf(contract, selection) {
  /** @type {(code: string) => boolean} */
  const isMain = (code) => contract.extras.some((extra) => extra.main && extra.code === code);
  return { ...selection, extras: selection.extras.filter((code) => !isMain(code)) };
}

/**
 * What a tap on a result says: a result, or one with an extra; once more on the chosen one takes it back.
 * @param {{ contract: Contract, selection: Selection, quick?: boolean }} entry
 * @param {string} code
 * @returns {Pick<Selection, "result" | "extras">}
 */
function resultTap({ contract, selection, quick }, code) {
  const { extras } = plainOf(contract, selection);
  const called = contract.extras.find((extra) => extra.main && extra.code === code);
  const isChosen = called ? selection.extras.includes(code) : code === selection.result && extras.length === selection.extras.length;
  if (isChosen && !quick) return { result: null, extras };
  return called ? { result: called.with[0], extras: toggled(contract, extras, code) } : { result: code, extras };
}

/**
 * An extra more or less; those that exclude each other give way to the later tap.
 * @param {Contract} contract
 * @param {string[]} chosen
 * @param {string} code
 */
function toggled(contract, chosen, code) {
  if (chosen.includes(code)) return chosen.filter((one) => one !== code);
  const { without } = /** @type {Extra} */ (contract.extras.find((extra) => extra.code === code));
  return [...chosen.filter((one) => !without.includes(one)), code];
}

/**
 * A line of text over a group of buttons, for each of `rows` ({key, text, options, onPick}).
 * @param {"counts" | "joiners"} id
 * @param {Row[]} rows
 */
function fillRows(id, rows) {
  const place = byId(id);
  const keys = rows.map(({ key }) => key).join();
  if (place.dataset.keys !== keys) {
    place.dataset.keys = keys;
    place.replaceChildren(...rows.flatMap(() => [el("p", { class: "line" }), el("div", { class: "group tricks", role: "group" })]));
  }
  rows.forEach(({ text, options, onPick, look = "tricks" }, number) => {
    const line = place.children[2 * number];
    const group = /** @type {HTMLElement} */ (line.nextSibling);
    line.textContent = text;
    group.className = `group ${look}`;
    group.setAttribute("aria-label", text);
    fillGroup(group, options, onPick);
  });
}

/**
 * The tricks of a player who plays along, or may.
 * @param {Entry} entry
 * @param {Joiner} joiner
 * @param {MakeButton} button
 * @returns {Row}
 */
function joinerRow(entry, { seat, must, results }, button) {
  const { selection, deal } = entry;
  return {
    key: seat,
    text: say(must ? "joins" : "may_join", { name: entry.table.names[deal.roles.indexOf(seat)] }),
    options: results.map((patch) => button(patch, selection.joiners[seat] === patch.code)),
    onPick: (code) => {
      const again = selection.joiners[seat] === code && !must;
      entry.tapResult({ joiners: { ...selection.joiners, [seat]: again ? undefined : code } });
    },
  };
}

/**
 * Numbers that the rules ask for: estuches, the trick before which a hand was given up.
 * @param {Chosen} entry
 * @returns {Row[]}
 */
function countRows(entry) {
  const { contract, selection, choices, role } = entry;
  const counted = extrasFor(contract, selection, role, true).map(({ code, count = [0, 0] }) => ({ name: code, minimum: count[0], maximum: count[1], must: true }));
  return [...counted, ...fieldsFor(contract, selection)].map(({ name, minimum, maximum, must }) => ({
    key: name,
    text: choices.names[name],
    options: Array.from({ length: maximum - minimum + 1 }, (_, more) => String(minimum + more)).map((count) => (
      { code: count, label: count, chosen: selection.counts[name] === Number(count) }
    )),
    onPick: (count) => {
      const again = selection.counts[name] === Number(count) && !must;
      entry.tapResult({ counts: { ...selection.counts, [name]: again ? undefined : Number(count) } });
    },
  }));
}

/**
 * Who plays with the declarer.
 * @param {Chosen} entry
 * @returns {Row[]}
 */
function partnerRows(entry) {
  const { contract, selection, deal, role } = entry;
  const partners = role ? partnersFor(contract, selection, role) : [];
  if (partners.length === 0) return [];
  return [{
    key: "partner", text: say("partner"), look: "declarers",
    options: partners.map(({ code, seat }) => ({ code, label: entry.table.names[deal.roles.indexOf(seat)], chosen: code === selection.partner })),
    onPick: (code) => entry.tapResult({ partner: code }),
  }];
}
