// The end of a round: each player says yes to the totals on the captain's phone.

import { byId, el, fill, sayAt, show, those, write } from "./dom.js";
import { get, post } from "./link.js";
import { total } from "./table.js";
import { poolLeft, sideTotals, totalsOf } from "./totals.js";
import { isComing, isHeard } from "./valid.js";
import { say, signed } from "./words.js";

/** @import { Ending, Seat } from "./types.d.ts" */
/** @import { Page } from "./main.js" */
/** @import { Table } from "./table.js" */

/**
 * Yes from these seats to the tokens that this phone shows; whoever has agreed takes it back.
 * @param {Table} table
 * @param {Seat[]} seats
 * @param {() => Promise<unknown>} refresh
 */
async function send(table, seats, refresh) {
  for (const { position, agreed } of seats) {
    const { meaning, data } = await post("agree", isHeard, { position, tokens: totalsOf(table)[position], agreed: !agreed });
    await refresh();
    if (meaning !== "done") return sayAt("agree", data.message || say("not_sent"));
  }
  return null;
}

const AGAIN = 20000; // the next round may be drawn, or seats swapped, while the page stays here
/** @type {number | undefined} */
let timer;

/** Whether the names are shown again, since something is wrong. */
let isWrong = false;

/**
 * How the four stand, and what there is to do now.
 * @param {Ending} end
 * @param {string[]} next where each of them sits next
 */
function showEnd({ thanks, note, places, provisional, is_last: isLast }, next) {
  write("agree-thanks", thanks);
  write("agree-note", note);
  fill("agree-places", ...places.map(({ place, name, moved, total: points }) =>
    el("li", {}, el("span", { class: "at" }, place), el("span", {}, name), el("span", { class: `moved${moved.includes("↑") ? " up" : ""}` }, moved), el("strong", {}, points))));
  write("agree-provisional", provisional);
  show("agree-provisional", provisional);
  fill("agree-next", ...next.map((said) => el("li", {}, said)));
  byId("agree-standings").classList.toggle("primary", isLast || !next.length);
}

/** That, asked for as long as one looks at it. */
async function showNext() {
  clearTimeout(timer);
  if (byId("agree").hidden || byId("agree-end").hidden) return;
  const { meaning, data } = await get("next", isComing);
  if (meaning === "done") showEnd(data.end, data.next);
  clearTimeout(timer);
  timer = setTimeout(showNext, AGAIN);
}

/**
 * @param {Table} table
 * @param {Page} page
 */
export function renderAgreement(table, page) {
  const refresh = () => page.refresh();
  const { seats, facts, outbox } = table;
  const totals = totalsOf(table);
  const waiting = outbox.waiting.length > 0;
  const all = seats.every((seat) => seat.agreed);
  const isOver = all || facts.ended;
  const buttons = seats.map((seat) =>
    el("button", { type: "button", "aria-pressed": seat.agreed, onclick: () => send(table, [seat], refresh) },
      el("span", { class: "label" }, say(seat.agreed ? "agreed" : "agrees", seat)), el("strong", {}, signed(totals[seat.position]))),
  );
  fill("agree-seats", ...buttons);
  const sides = sideTotals(table).slice(2).map((tokens, side) => `${table.short[side]} + ${table.short[side + 2]}: ${signed(tokens)}`);
  const pool = table.choices.antes && say("pool_left", { tokens: poolLeft(table) });
  write("agree-sum", those(signed(total(totals)), ...sides, pool).join(" · "));
  show("agree-sum-line", facts.sums);
  byId("agree-all").onclick = () => send(table, seats.filter((seat) => !seat.agreed), refresh);
  for (const button of [...buttons, byId("agree-all")]) button.disabled = waiting;
  show("agree-all", !all);
  if (!all) isWrong = false;
  show("agree-ask", !all || isWrong);
  show("agree-end", isOver);
  if (!byId("agree-thanks").textContent) write("agree-thanks", say("thanks"));
  show("agree-done", isOver);
  write("agree-done", say(all ? "all_agreed" : "ended_early"));
  byId("agree-wrong").onclick = () => {
    isWrong = true;
    page.render();
    scrollTo(0, 0);
  };
  show("agree-wrong", all && !isWrong);
  if (isOver) showNext();
  sayAt("agree", waiting ? say("agree_waits") : "");
}
