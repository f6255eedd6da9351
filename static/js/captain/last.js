// The last thing that was done, over the entry: what it was, for ten seconds the way back, and what was left out.

import { byId, on, show, those, write } from "./dom.js";
import { withName } from "./sentences.js";
import { isReported } from "./table.js";
import { say, signed } from "./words.js";

/** @import { Done } from "./page.d.ts" */
/** @import { Report, Reported } from "./types.d.ts" */
/** @import { Entry } from "./entry.js" */
/** @import { Table } from "./table.js" */

const UNDO_TIME = 10000; // ms
/** @type {{ [state: string]: string }} */
const STATES = { saved: "is_saved", kept: "is_kept", failed: "is_not_kept" };

/**
 * Where a report is: the server has it, only this phone's disk has it, or only the open page.
 * @param {Report | undefined} item
 */
const stateOf = (item) => (!item ? "" : item.status === "delivered" ? "saved" : item.place === "memory" ? "failed" : "kept");

export class Last {
  /**
   * `onUndo(done)` takes it back; `onChange()`: the way back is gone.
   * @param {{ onUndo: (done: Done) => unknown, onChange: () => unknown }} act
   */
  constructor({ onUndo, onChange }) {
    this.onChange = onChange;
    this.done = /** @type {Done | null} */ (null);
    on("undo", "click", () => {
      const { done } = this;
      this.offer(null);
      if (done) onUndo(done);
    });
  }

  /**
   * `done`: `{said, label}` and what it is undone by; null where nothing can be taken back any more.
   * @param {Done | null} done
   */
  offer(done) {
    clearTimeout(this.ending);
    this.done = done;
    if (!done) return this.onChange();
    this.ending = setTimeout(() => this.offer(null), UNDO_TIME);
    return null;
  }

  /**
   * A report came to nothing at the desk: it has its own card, and there is nothing to take back.
   * @param {Report} item
   */
  forget(item) {
    if (this.done?.item === item) this.offer(null);
  }

  /**
   * `entry`: as it is seen, or null. While it asks, the bar alone has buttons; a correction has no room for this.
   * @param {Table} table
   * @param {Entry | null} entry
   */
  render(table, entry) {
    const asking = entry?.question;
    const { done } = this;
    const newest = table.deals.filter(isReported).pop();
    const state = stateOf(done?.item);
    byId("last").className = `last ${state}`;
    write("last-state", state && say(STATES[state], done?.item));
    show("last-state", state);
    write("last-text", done ? done.said : newest ? newestText(newest, table) : say("welcome", { table: table.facts.number, round: table.facts.round }));
    write("undo", done ? done.label : "");
    show("undo", done && !asking);
    write("last-correct", newest ? say("correcting", { deal: newest.number }) : "");
    byId("last-correct").href = newest ? `#correct-${newest.number}` : "#";
    show("last-correct", newest && !done && !asking && entry);
    show("last", entry ? !entry.correcting : done);
    const [first, ...more] = table.leftOut;
    write("left-out", more.length ? say("left_out_many", { count: more.length + 1 }) : say("left_out", { deal: first }));
    byId("left-out").href = more.length ? "#sheet" : `#enter-${first}`;
    show("left-out", first && !done && !asking);
  }
}

/**
 * A deal of the sheet in few words, with what its declarer got.
 * @param {Reported} deal
 * @param {Table} table
 */
function newestText(deal, { names }) {
  const tokens = deal.tokens[/** @type {number} */ (deal.result.declarer)];
  return those(`${say("deal", { deal: deal.number })} · ${withName(deal, names)}`, tokens !== undefined && signed(tokens)).join(" ");
}
