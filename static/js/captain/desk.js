// Which phone enters at the table, and marks for later.

import { post } from "./link.js";
import { recall, remember } from "./memory.js";
import { newKey } from "./outbox.js";

/** A phone's name for itself: what it is, so that another phone's user knows it, and what tells it from its like. */
function newPhone() {
  const [kind] = navigator.userAgent.match(/iPhone|iPad|Android|Windows|Macintosh|Linux(?!.*Android)/) || ["browser"];
  return `${kind}-${newKey().slice(-10)}`;
}

export class Desk {
  /** `send()` sends what waits. */
  constructor(table, send) {
    Object.assign(this, { table, send, phone: recall("phone") || newPhone() });
    remember("phone", this.phone);
  }

  /** Keep a call on the phone's disk, as everything; then it is sent. Returns it, and `sent` when that has been tried. */
  async ask(call) {
    const item = { key: newKey(), status: "waiting", call };
    await this.table.outbox.put(item);
    return { item, sent: this.send() };
  }

  /** Mark a deal for later, or take its mark back; a mark that the desk cannot have heard of just goes. */
  async mark(deal, isLater) {
    const { outbox } = this.table;
    const unheard = outbox.calls("waiting").find(({ call, tried }) => call.deal === deal && !tried);
    if (unheard) await outbox.remove(unheard);
    else await this.ask({ kind: "later", deal, words: "", settled: !isLater });
  }

  /** Whether this phone enters the deals, as far as it knows: only one does, unless it is taken over. */
  get enters() {
    return !this.table.phone || this.table.phone === this.phone;
  }

  /** What kind of phone enters instead of this one; "" if this one does. */
  get holder() {
    return this.enters ? "" : this.table.phone.split("-")[0];
  }

  /** Say that this phone is here; it enters if no other phone does, or if it takes over. */
  async hold(take) {
    const { status, data } = await post("phone", { phone: this.phone, take });
    if (status === 200) this.table.phone = data.phone;
  }
}
