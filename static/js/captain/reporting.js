// A report's life on this phone: kept, sent, settled; taken back, or chosen between two phones' versions.

import { byId } from "./dom.js";
import { resultOf, tokensOf } from "./offers.js";
import { newKey } from "./outbox.js";
import { Sender } from "./sender.js";
import { sentence, shortText } from "./sentences.js";
import { say } from "./words.js";

/** @import { Choices, Role, Selection } from "./choices.d.ts" */
/** @import { Answer, Deal, Item, Missed, Report, Version } from "./types.d.ts" */
/** @import { Entry } from "./entry.js" */
/** @import { Last } from "./last.js" */
/** @import { Table } from "./table.js" */

export class Reporting {
  /**
   * `last` is told what can be taken back; `doubts` are accepted reports that the rules call rare.
   * @param {Table} table
   * @param {{ last: Last, onChange: () => unknown, onSent: () => unknown }} page
   */
  constructor(table, { last, onChange, onSent }) {
    this.table = table;
    this.outbox = table.outbox;
    this.last = last;
    this.onChange = onChange;
    this.doubts = /** @type {Report[]} */ ([]);
    this.sender = new Sender(this.outbox, { onAnswer: (...answered) => this.settle(...answered), onHeard: (call) => table.heardOf(call), onChange, onSent });
  }

  /**
   * Keep a report on the phone's disk; then it counts as saved here and is sent.
   * @param {Partial<Report> & Pick<Report, "deal" | "base" | "result" | "tokens" | "text">} report
   */
  async keep(report) {
    const before = /** @type {Deal} */ (this.table.known.get(report.deal));
    const item = /** @type {Report} */ ({ ...report, turns: this.table.facts.turns, key: newKey(), made_at: new Date().toISOString(), status: "waiting", older: [before, ...before.older] });
    await this.outbox.put(item);
    this.sender.wake();
    return item;
  }

  /**
   * Keep a deal as it is tapped; returns what is said about it.
   * @param {Entry & { number: number }} entry
   */
  async save({ number, deal, choices, selection, question, remark, seen }) {
    const { table, table: { names } } = this;
    /** @type {[Choices, Selection, Role[]]} */
    const said = [choices, selection, deal.roles];
    const item = await this.keep({
      deal: number, base: table.revisionSeen(seen), result: resultOf(...said), reason: byId("reason").value.trim(), asked: Boolean(question || remark),
      selection, text: shortText(...said, names), tokens: tokensOf(...said), before: deal.result && deal,
    });
    const what = sentence(...said, names);
    this.last.offer({ said: item.place === "memory" ? say("write_on_paper") : what, label: say("undo", item), item });
    return item.place === "memory" ? say("not_stored") : say("saved_here", { deal: number, said: what });
  }

  /**
   * Take back a report: not sent yet it is forgotten, else the deal is reported as before.
   * @param {Report} item
   */
  async undo(item) {
    if (this.outbox.items.includes(item) && !item.tried) await this.outbox.remove(item);
    else {
      const mine = item.status === "delivered" ? item.revision : item.base + 1;
      await this.takeBack(item.deal, mine, "undo", item.before || undefined);
    }
  }

  /**
   * Report a deal, seen in this revision, as it was `before`: not at all, or the version that a correction replaced.
   * @param {number} number
   * @param {number} revision
   * @param {string} reason
   * @param {Pick<Version, "result" | "tokens" | "text">} before
   */
  takeBack(number, revision, reason, before = { result: null, tokens: [], text: "" }) {
    return this.keep({ ...before, deal: number, base: revision, reason, selection: null });
  }

  /**
   * What the server `misses` of what it had stored is sent again, by the key of this phone's own report where it is one;
   * what others have written meanwhile is not passed over: then it is sent as one that has not seen it.
   * @param {Missed[]} misses
   */
  async recover(misses) {
    const { outbox, table: { known } } = this;
    for (const deal of misses) {
      const { item = /** @type {any} */ ({ ...deal, deal: deal.number, key: newKey() }), older = [], result } = deal;
      const { revision, reported_at } = /** @type {Deal} */ (known.get(item.deal));
      const base = [deal, ...older].some((version) => version.reported_at === reported_at) ? revision : 0;
      if (result || revision) await outbox.put(Object.assign(item, { base, status: "waiting", reason: item.reason || say("brought_back") }));
    }
    await outbox.forget(outbox.delivered.filter(({ deal, revision }) => known.has(deal) && /** @type {Deal} */ (known.get(deal)).revision > revision));
    if (misses.length) this.sender.wake();
  }

  /**
   * @param {Report} item
   * @param {Answer} answer
   * @param {any} data what the batch was answered
   */
  async settle(item, answer, data) {
    const stored = await this.outbox.settle(item, answer);
    this.table.follow(data);
    if (item.status === "waiting") return this.onChange();
    await this.lead(item, stored);
    if (stored) {
      this.table.accepted(item, answer, data.state_version);
      if (answer.warnings && !item.asked) this.doubts.push({ ...item, warnings: answer.warnings });
    } else this.last.forget(item);
    return this.onChange();
  }

  /**
   * What this phone has said of the deal after `item`, which was answered: it goes over what was stored, or takes the place
   * of what was not.
   * @param {Report} item
   * @param {boolean} stored
   */
  async lead(item, stored) {
    const next = this.outbox.waiting.find(({ deal }) => deal === item.deal);
    if (!next || item.status === "kept") return;
    if (!stored) await this.outbox.remove(item);
    if (!stored && next.reason === "undo") await this.outbox.remove(next);
    else await this.outbox.put(Object.assign(next, { base: stored ? item.revision : item.base }));
  }

  /** @param {Item} item */
  async drop(item) {
    await this.outbox.remove(item);
    this.onChange();
  }
}
