// Sends what waits, oldest first, in batches, until every report has its own answer.

import { onReturn } from "./dom.js";
import { post } from "./link.js";
import { isHeard, isSettled } from "./valid.js";

/** @import { Answer, Call, Report } from "./types.d.ts" */
/** @import { Outbox } from "./outbox.js" */

const BATCH = 20;
const SHORTEST = 1000;
const LONGEST = 30000;

export class Sender {
  /**
   * `onAnswer(item, answer)` settles a report; `onHeard(call)`: the desk has this call; `onChange()`: the network changed;
   * `onSent()`: all is sent.
   * @param {Outbox} outbox
   * @param {{ onAnswer: (item: Report, answer: Answer, data: any) => unknown, onHeard?: (call: Call) => void, onChange: () => unknown, onSent: () => unknown }} act
   */
  constructor(outbox, { onAnswer, onHeard = () => {}, onChange, onSent }) {
    this.outbox = outbox;
    this.onAnswer = onAnswer;
    this.onHeard = onHeard;
    this.onChange = onChange;
    this.onSent = onSent;
    this.pause = SHORTEST;
    this.failing = false;
    this.dead = ""; // why the link is dead: closed, revoked, unknown
    window.addEventListener("online", () => this.wake());
    onReturn(() => this.wake());
  }

  /** Send now, however long the pause was to be. */
  async wake() {
    clearTimeout(this.timer);
    if (this.running) return;
    this.running = true;
    let sent = false;
    while (await this.send(BATCH)) sent = true;
    while (await this.sendCall()) sent = true;
    this.running = false;
    this.onChange();
    if (sent) this.onSent();
  }

  /**
   * One request of at most so many reports; true if there may be more to send at once.
   * @param {number} most
   * @returns {Promise<boolean>}
   */
  async send(most) {
    const { waiting } = this.outbox;
    // One of each deal: what the next one goes over hangs on its answer.
    const batch = waiting.filter(({ deal }, place) => waiting.findIndex((one) => one.deal === deal) === place).slice(0, most);
    if (!batch.length) {
      this.failing = false;
      return false;
    }
    for (const item of batch) item.tried = true;
    const reports = batch.map(({ key, deal, base, result, made_at, reason, asked, turns }) => ({ key, deal, base, result, made_at, reason, asked, turns }));
    const { meaning, data } = await post("reports", isSettled, { reports });
    if (meaning === "refused" && batch.length > 1) return this.send(1); // one bad report does not hold up the others
    const refused = { key: batch[0].key, status: "refused", problems: [{ field: "", message: data.message }] };
    const results = meaning === "refused" ? [refused] : data.results;
    this.dead = meaning === "dead" ? data.error : "";
    let settled = 0;
    for (const answer of results || []) {
      const item = batch.find((one) => one.key === answer.key);
      if (!item) continue;
      await this.onAnswer(item, answer, data);
      settled += item.status === "waiting" ? 0 : 1; // there may be no room for it yet
    }
    this.failing = !results;
    if (settled) this.pause = SHORTEST;
    else this.later();
    return settled > 0;
  }

  /** Send the oldest call; true if there may be another to send at once. */
  async sendCall() {
    const [item] = this.outbox.calls("waiting");
    if (!item) return false;
    item.tried = true;
    const { meaning, data } = await post("flag", isHeard, { key: item.key, ...item.call });
    if (meaning === "done") {
      this.onHeard(item.call);
      await this.outbox.remove(item);
      return true;
    }
    this.dead = meaning === "dead" ? data.error : this.dead;
    const isRefused = meaning === "refused";
    if (isRefused || meaning === "full") await this.outbox.put(Object.assign(item, { status: isRefused ? "refused" : "waiting", why: data.message }));
    if (isRefused) return true;
    this.failing = meaning === "none";
    this.later();
    return false;
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, LONGEST);
  }
}
