// The running sheet, and one deal of it with all its versions.

import { byId, el, fill, show, th, those, write } from "./dom.js";
import { declarerOf, effectText, withName } from "./sentences.js";
import { declaredBy } from "./table.js";
import { clock, say, signed } from "./words.js";

const td = (...children) => el("td", { class: "amount" }, ...children);

export function renderSheet(table) {
  const { names, short, marked, facts } = table;
  const heads = short.map((name) => th("col", name, "amount"));
  fill("sheet-head", el("tr", {}, th("col", "#"), th("col", say("result")), ...heads));
  let running = names.map(() => 0);
  const lines = table.deals.map((deal) => {
    if (deal.result) running = running.map((tokens, position) => tokens + deal.tokens[position]);
    return line(deal, short, running, marked.has(deal.number), gapText(table, deal), folderText(table, deal));
  });
  fill("sheet-lines", ...lines);
  const foot = (look, text, cells) => el("tr", { class: look }, th("row", ""), th("row", text), ...cells.map((cell) => td(cell)));
  fill("sheet-foot", ...those(
    foot("", say("totals"), table.totals().map(signed)),
    facts.sides && foot("", say("sides"), table.sideTotals.map(signed)),
    table.choices.antes && foot("soft", say("pool_left", { tokens: table.poolLeft }), []),
    foot("soft", say("deals_left"), table.dealsToDeal.map(String)),
  ));
}

/** What a deal without a result is: taken back, or not reported yet. */
const emptyText = (deal) => say(deal.revision ? "taken_back" : "not_reported");

/** Where a deal's pool is not what the deal before left. */
function gapText(table, { number, result }) {
  const follows = result && result.pool !== undefined ? table.poolFollows(number) : null;
  return follows !== null && follows !== result.pool ? say("pool_gap", { pool: result.pool, follows }) : "";
}

/** The folder of a deal where it has another number. */
function folderText({ facts }, { number }) {
  const folder = facts.folders[number - 1];
  return folder && folder !== number ? say("folder", { folder }) : "";
}

/** A deal's line: the dealer and the player sitting out are marked in the columns of their tokens. */
function line(dealt, names, running, marked, gap, folder) {
  const deal = declaredBy(dealt, dealt.result && dealt.result.declarer);
  const remark = deal.waits ? "waits" : !deal.result ? marked && "marked" : deal.revision > 1 && "corrected";
  const text = deal.result ? withName(deal, names) : emptyText(deal);
  const small = those(remark && say(remark), gap, folder).map((said) => el("small", {}, said));
  const link = el("a", { href: `#deal-${deal.number}` }, text, ...small);
  const cells = running.map((tokens, position) => {
    const mark = position === deal.dealer ? say("dealer_mark") : position === deal.sits_out ? say("out_mark") : "";
    return td(deal.result ? signed(tokens) : "", mark && el("sup", {}, mark));
  });
  return el("tr", { class: deal.result ? "" : "open" }, th("row", String(deal.number)), el("td", {}, link), ...cells);
}

/** When and by whom a version was reported, and why it replaced the one before. */
function origin({ reported_at, source, reason }) {
  const text = say("version", { time: clock(reported_at), who: say(`by_${source}`) });
  return reason ? `${text} · ${say("version_reason", { reason })}` : text;
}

const effect = (names, { tokens, result }) => (result ? el("p", {}, effectText(names, tokens, declarerOf(result))) : "");

export function renderDeal(table, { number }) {
  const { names, facts } = table;
  const dealt = table.deal(number);
  const deal = declaredBy(dealt, dealt.result && dealt.result.declarer);
  const reported = deal.result;
  write("deal-line", table.dealerText(deal));
  const from = deal.waits ? say("waits") : deal.revision ? origin(deal) : "";
  fill("deal-now", ...those(el("strong", {}, reported ? withName(deal, names) : emptyText(deal)), effect(names, deal), from && el("small", {}, from)));
  write("deal-correct", say(reported ? "correct" : "enter"));
  byId("deal-correct").href = `#${reported ? "correct" : "enter"}-${number}`;
  show("deal-folder", facts.folders.length > 0);
  byId("deal-folder").href = `folder/${number}/`;
  show("deal-back", reported);
  show("deal-later", !reported);
  write("deal-later", say(table.marked.has(number) ? "unmark" : "mark"));
  const older = deal.older.map((version) =>
    el("li", {}, el("del", {}, version.result ? withName(version, names) : version.text), effect(names, version), el("small", {}, origin(version))),
  );
  show("older-title", older.length > 0);
  fill("deal-older", ...older.reverse());
}
