// The running sheet, and one deal of it with all its versions.

import { byId, el, fill, sayAt, show, th, those, write } from "./dom.js";
import { later } from "./later.js";
import { declarerOf, effectText, withName } from "./sentences.js";
import { declaredBy, total } from "./table.js";
import { dealsToDeal, poolLeft, sideTotals, totalsOf } from "./totals.js";
import { clock, say, signed } from "./words.js";

/** @import { Deal, Version } from "./types.d.ts" */
/** @import { Page } from "./main.js" */
/** @import { Table } from "./table.js" */

/** @type {(...children: (Node | string | null)[]) => HTMLElement} */
const td = (...children) => el("td", { class: "amount" }, ...children);

/** Whether the deals still to be played have a line each. */
let showsRest = false;

/**
 * @param {Table} table
 * @param {Page} page
 */
export function renderSheet(table, page) {
  const { names, short, marked, leftOut, facts, deals, next, newest } = table;
  const heads = short.map((name) => th("col", name, name.length > 6 ? "amount long" : "amount"));
  fill("sheet-head", el("tr", {}, th("col", "#"), th("col", say("result")), ...heads));
  let running = names.map(() => 0);
  const isToCome = (/** @type {Deal} */ { number, revision }) => number > newest && !revision && !marked.has(number);
  const shown = deals.filter((deal) => showsRest || !isToCome(deal));
  const lines = shown.map((deal) => {
    if (deal.result) running = running.map((tokens, position) => tokens + deal.tokens[position]);
    return dealLine(deal, short, running, { isMarked: marked.has(deal.number), isLeftOut: leftOut.includes(deal.number) }, gapText(table, deal), folderText(table, deal));
  });
  const rest = deals.slice(shown.length);
  const showRest = () => {
    showsRest = true;
    renderSheet(table, page);
    later.showLine(rest[0].number);
  };
  fill("sheet-lines", ...lines, ...those(rest.length && el("tr", { class: "rest" }, el("td", { colspan: 2 + names.length },
    el("button", { type: "button", class: "link", onclick: showRest }, say("to_come", { from: rest[0].number, to: facts.deals }))))));
  // A browser that lays nothing over a whole row opens it all the same.
  byId("sheet-lines").onclick = ({ target }) => {
    const link = /** @type {Element} */ (target).closest("a, button") ? null : /** @type {Element} */ (target).closest("tr")?.querySelector("a");
    link?.click();
  };
  write("to-deal", next === null ? say("to_end") : say("to_deal", { deal: next }));
  show("to-deal", page.desk.enters);
  /** @type {(look: string, text: string, cells: string[]) => HTMLElement} */
  const row = (look, text, cells) => el("tr", { class: look }, th("row", ""), th("row", text), ...cells.map((cell) => td(cell)));
  fill("sheet-more", ...those(
    table.choices.antes && row("soft", say("pool_left", { tokens: poolLeft(table) }), []),
    row("soft", say("deals_left"), dealsToDeal(table).map(String)),
  ));
  fill("sheet-foot", ...those(
    row("", facts.sums && !total(totalsOf(table)) ? say("totals_zero") : say("totals"), totalsOf(table).map(signed)),
    facts.sides && row("", say("sides"), sideTotals(table).map(signed)),
  ));
}

/**
 * Bring a deal's line into sight, where one came from it; else the newest.
 * @param {number | null} [number]
 */
export function showLine(number) {
  const lines = [...byId("sheet-lines").querySelectorAll("tr:not(.rest)")];
  const line = number ? lines[number - 1] || lines.pop() : lines.filter((one) => !one.matches(".open")).pop();
  line?.scrollIntoView({ block: "center" });
  if (line && number) /** @type {HTMLElement} */ (line.querySelector("a")).focus({ preventScroll: true });
}

/**
 * What a deal without a result is: taken back, or not reported yet.
 * @type {(deal: Deal) => string}
 */
const emptyText = (deal) => say(deal.revision ? "taken_back" : "not_reported");

/**
 * Where a deal's pool is not what the deal before left.
 * @param {Table} table
 * @param {Deal} deal
 */
function gapText(table, { number, result }) {
  const pool = result ? result.pool : undefined;
  const follows = pool === undefined ? null : table.poolFollows(number);
  return follows !== null && follows !== pool ? say("pool_gap", { pool, follows }) : "";
}

/**
 * The folder of a deal where it has another number.
 * @param {Table} table
 * @param {Deal} deal
 */
function folderText({ facts }, { number }) {
  const folder = facts.folders[number - 1];
  return folder && folder !== number ? say("folder", { folder }) : "";
}

/**
 * Who played what, and below it how it ended and what that gave.
 * @param {Deal} deal
 * @param {string[]} names
 */
function lineText(deal, names) {
  const { result, tokens, text } = deal;
  if (!result) return [emptyText(deal)];
  const declarer = declarerOf(result);
  if (!names[declarer]) return [text];
  const [contract, ...ended] = text.split(" · ");
  // No sign is parted from its game.
  const [game, red = ""] = contract.replace(/ (?=.$)/, "\u00a0").split(/(?=.[♥♦])/);
  return [el("b", {}, names[declarer]), ` ${game}`, el("span", { class: "suit-h" }, red), el("span", { class: "ended" }, `${ended.join(" · ")} ${signed(tokens[declarer])}`)];
}

/**
 * A deal's line: who deals and who sits out is said in the columns of their tokens.
 * @param {Deal} dealt
 * @param {string[]} names
 * @param {number[]} running
 * @param {{ isMarked: boolean, isLeftOut: boolean }} remarks
 * @param {string} gap
 * @param {string} folder
 */
function dealLine(dealt, names, running, { isMarked, isLeftOut }, gap, folder) {
  const deal = declaredBy(dealt, dealt.result?.declarer);
  const remark = deal.waits ? "waits" : !deal.result ? those(isMarked && "marked", isLeftOut && "left_out_line")[0] : deal.revision > 1 && "corrected";
  const number = el("span", { class: "visually-hidden" }, say("deal", { deal: deal.number }), " ");
  const chips = those(remark && say(remark), gap, folder).map((said) => el("small", { class: "chip" }, said));
  const link = el("a", { href: `#deal-${deal.number}` }, number, ...lineText(deal, names), ...chips);
  const cells = running.map((tokens, position) => {
    const isOut = position === deal.sits_out;
    const word = those(position === deal.dealer && say("dealer_word"), isOut && say("out_word")).join(" · ");
    return el("td", { class: isOut ? "amount out" : "amount" }, deal.result ? signed(tokens) : "", word && el("small", {}, word));
  });
  const look = those(!deal.result && "open", isLeftOut && "left-out-line", isMarked && !deal.result && "later").join(" ");
  return el("tr", { class: look }, th("row", String(deal.number)), el("td", {}, link), ...cells);
}

/**
 * When and by whom a version was reported, and why it replaced the one before.
 * @param {Version} version
 */
function origin({ reported_at, source, by = source, reason }) {
  const text = say("version", { time: clock(/** @type {string} */ (reported_at)), who: say(`by_${by}`) });
  return reason ? `${text} · ${say("version_reason", { reason })}` : text;
}

/** @type {(names: string[], version: Version) => HTMLElement | ""} */
const effect = (names, { tokens, result }) => (result ? el("p", {}, effectText(names, tokens, declarerOf(result))) : "");

/**
 * Ask why a deal is taken back; `seen` is the version that it was asked of.
 * @param {Page} page
 * @param {number} number
 */
function askWhy(page, number) {
  const { table } = page;
  let seen = table.seen(number);
  show("back-form", true);
  byId("back-form").onsubmit = async (event) => {
    event.preventDefault();
    const reason = byId("back-reason").value.trim();
    sayAt("back", reason ? "" : say("reason_missing"));
    if (!reason) return;
    if (table.isChanged(number, seen)) {
      seen = table.seen(number);
      sayAt("back", say("changed_meanwhile", { deal: number }));
      return;
    }
    await page.reporting.takeBack(number, table.revisionSeen(seen), reason);
    byId("back-reason").value = "";
    location.hash = "sheet";
  };
}

/**
 * @param {Table} table
 * @param {Page} page
 */
export function renderDeal(table, page) {
  const number = /** @type {number} */ (page.place.number);
  byId("deal-back").onclick = () => askWhy(page, number);
  byId("deal-later").onclick = () => page.mark(number);
  const { names, facts } = table;
  const dealt = table.deal(number);
  const deal = declaredBy(dealt, dealt.result?.declarer);
  const reported = deal.result;
  write("deal-line", table.dealerText(deal));
  const from = deal.waits ? say("waits") : deal.revision ? origin(deal) : "";
  fill("deal-now", ...those(el("strong", {}, reported ? withName(deal, names) : emptyText(deal)), effect(names, deal), from && el("small", {}, from)));
  write("deal-correct", say(reported ? "correct" : "enter"));
  byId("deal-correct").href = `#${reported ? "correct" : "enter"}-${number}`;
  show("deal-folder", facts.folders.length > 0);
  byId("deal-folder").href = `folder/${number}/`;
  show("deal-back", reported);
  const isMarked = table.marked.has(number);
  show("deal-later", !reported || isMarked);
  write("deal-later", say(isMarked ? "unmark" : "mark"));
  const older = deal.older.map((version) =>
    el("li", {}, el("del", {}, version.result ? withName(version, names) : version.text), effect(names, version), el("small", {}, origin(version))),
  );
  show("older-title", older.length > 0);
  fill("deal-older", ...older.reverse());
}
