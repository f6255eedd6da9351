// What a person decides on the cards over the page.

import { itemCards, lostCard, passedCard } from "./cards.js";
import { byId } from "./dom.js";
import { say } from "./words.js";

/** @import { Item, Report } from "./types.d.ts" */
/** @import { Page } from "./main.js" */

/**
 * What was tapped gives way to what somebody else has reported meanwhile.
 * @param {Page} page
 */
function giveWay(page) {
  page.keepDraft(null);
  page.entry.number = null;
  if (location.hash) location.hash = "sheet";
  else page.go();
}

/**
 * "Mine is right": what is tapped goes over the version that counts now.
 * @param {Page} page
 */
function goOver(page) {
  const { entry, table } = page;
  const correcting = Boolean(entry.dealt.result);
  Object.assign(entry, { seen: table.seen(/** @type {number} */ (entry.number)), correcting });
  if (correcting && !byId("reason").value) byId("reason").value = say("two_phones");
  entry.tap({});
  page.render();
}

/**
 * A refused report back into the entry, with what was wrong at its place.
 * @param {Page} page
 * @param {Report} item
 */
async function look(page, item) {
  await page.reporting.drop(item);
  const correcting = Boolean(page.table.deal(item.deal).result);
  page.reopen(`${correcting ? "correct" : "enter"}-${item.deal}`, item.deal, { ...item, seen: { revision: item.base }, correcting });
}

/**
 * "Mine is right": the same report again, on top of the version that the other phone made.
 * @param {Page} page
 * @param {Report} item
 */
async function insist({ reporting }, item) {
  await reporting.outbox.remove(item);
  await reporting.keep({ ...item, base: item.revision, reason: say("two_phones") });
  reporting.onChange();
}

/**
 * What is rare is right.
 * @param {Page} page
 * @param {Report} item
 */
function believe({ reporting }, item) {
  reporting.doubts = reporting.doubts.filter((doubt) => doubt !== item);
  reporting.onChange();
}

/**
 * All cards on which something is to be decided.
 * @param {Page} page
 */
export function decisions(page) {
  const { table, entry, reporting } = page;
  /** @type {(decide: (page: Page, item: Report) => unknown) => (item: Report) => unknown} */
  const decided = (decide) => (item) => decide(page, item);
  const act = {
    doubts: reporting.doubts, drop: (/** @type {Item} */ item) => reporting.drop(item), look: decided(look), insist: decided(insist), believe: decided(believe),
  };
  const isPassed = page.view === "entry" && !page.isComing && !page.saving && entry.isPassed;
  const passed = isPassed && passedCard(table, { entry, giveWay: () => giveWay(page), goOver: () => goOver(page) });
  return [lostCard(table), passed, ...itemCards(table, act)];
}
