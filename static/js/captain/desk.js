// Which phone enters at the table, and marks for later.

import { post } from "./link.js";
import { recall, remember } from "./memory.js";
import { newKey } from "./outbox.js";
import { isHolder, isPhone } from "./valid.js";
import { say } from "./words.js";

/** @import { Call, CallKept } from "./types.d.ts" */
/** @import { Table } from "./table.js" */

// What a browser calls itself, the most telling first: most of them call themselves Chrome or Safari too.
const SYSTEM = /iPhone|iPad|Android|Windows|Macintosh|Linux/;
const BROWSER = /Firefox|FxiOS|Edg|OPR|SamsungBrowser|CriOS|Chrome|Safari/;
/** @type {{ [name: string]: string }} */
const KNOWN_AS = { FxiOS: "Firefox", Edg: "Edge", OPR: "Opera", SamsungBrowser: "Samsung", CriOS: "Chrome" };

/** A phone's name for itself: system and browser, and by lot what tells it from its like. */
function newPhone() {
  const found = [SYSTEM, BROWSER].flatMap((kind) => navigator.userAgent.match(kind) || []);
  return [...found.map((name) => KNOWN_AS[name] || name), newKey().slice(-10)].join("-");
}

/**
 * Its name for people: two of a kind have their numbers, each shown in its own menu.
 * @param {string} phone
 */
export function phoneText(phone) {
  const kind = phone.split("-");
  return say("phone_name", { number: 100 + ((parseInt(`${kind.pop()}`, 16) || 0) % 900), kind: kind.join(" ") });
}

export class Desk {
  /**
   * `send()` sends what waits.
   * @param {Table} table
   * @param {() => Promise<void>} send
   */
  constructor(table, send) {
    this.table = table;
    this.send = send;
    const known = recall("phone");
    /** @type {string} */
    this.phone = isPhone(known) ? known : newPhone();
    remember("phone", this.phone);
  }

  /**
   * Keep a call on the phone's disk, as everything; then it is sent.
   * @param {Call} call
   */
  async ask(call) {
    const item = /** @type {CallKept} */ ({ key: newKey(), status: "waiting", call });
    await this.table.outbox.put(item);
    this.send();
  }

  /**
   * Mark a deal for later, or take its mark back.
   * @param {number} deal
   * @param {boolean} isLater
   */
  mark(deal, isLater) {
    return this.takeBack({ kind: "later", deal, words: "" }, !isLater);
  }

  /**
   * Take a call back, or a mark, or that one was taken back; what the desk cannot have heard of just goes.
   * @param {Call} call
   */
  async takeBack({ kind, deal, words }, settled = true) {
    const { outbox } = this.table;
    const unheard = outbox.calls("waiting").find(({ call, tried }) => !tried && call.kind === kind && call.deal === deal && call.words === words);
    if (unheard) await outbox.remove(unheard);
    else await this.ask({ kind, deal, words, settled });
  }

  /** Whether this phone enters the deals, as far as it knows: only one does, unless it is taken over. */
  get enters() {
    return !this.table.phone || this.table.phone === this.phone;
  }

  /** Which phone enters instead of this one; "" if this one does. */
  get holder() {
    return this.enters ? "" : phoneText(this.table.phone);
  }

  /**
   * Say that this phone is here; it enters if no other phone does, or if it takes over.
   * @param {boolean} take
   */
  async hold(take) {
    const { meaning, data } = await post("phone", isHolder, { phone: this.phone, take });
    if (meaning === "done") this.table.phone = data.phone;
  }
}
