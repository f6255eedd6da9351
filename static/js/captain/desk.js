// What a table says to the desk besides deals: a call, a mark for later, who deals first; and which phone enters.

import { byId, el, fill, fillGroup, on, sayAt, show } from "./dom.js";
import { post } from "./link.js";
import { TAB, recall, remember } from "./memory.js";
import { newKey } from "./outbox.js";
import { say } from "./words.js";

/** A phone's name for itself: what it is, so that another phone's user knows it, and what tells it from its like. */
function newPhone() {
  const [kind] = navigator.userAgent.match(/iPhone|iPad|Android|Windows|Macintosh|Linux(?!.*Android)/) || ["browser"];
  return `${kind}-${newKey().slice(-10)}`;
}

const SOON = 3000; // ms; then what is sent is said to wait

export class Desk {
  /** `send()` sends what waits. */
  constructor(table, { tell, refresh, send }) {
    Object.assign(this, { table, tell, refresh, sendNow: send, phone: recall("phone") || newPhone() });
    remember("phone", this.phone);
    this.type(recall("call", TAB));
    on("call-words", "input", ({ target }) => this.type(target.value));
    on("call", "submit", (event) => {
      event.preventDefault();
      this.call(byId("call-words").value.trim());
    });
  }

  /** The words of a call, kept over a reload and another language. */
  type(words) {
    byId("call-words").value = words;
    remember("call", words, TAB);
  }

  /** Send it; what is wrong is said at its place, and what was typed stays. */
  async send(path, body, place, done) {
    const { status, data } = await post(path, body);
    if (status !== 200) return sayAt(place, data.message || say("not_sent"));
    sayAt(place, "");
    this.type("");
    location.hash = "";
    this.tell(done);
    return this.refresh();
  }

  /** Keep a call on the phone's disk, as everything; then it is sent. Returns it, with its `place`. */
  async ask(call) {
    const item = { key: newKey(), status: "waiting", call };
    await this.table.outbox.put(item);
    const sent = this.sendNow();
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, SOON))]);
    return item;
  }

  /** Call the organiser. */
  async call(words) {
    this.type("");
    location.hash = "";
    const item = await this.ask({ kind: "call", deal: null, words });
    const waits = this.table.outbox.items.includes(item);
    if (item.status === "waiting") this.tell(say(waits ? "flag_waits" : "flag_sent"));
  }

  /** Mark a deal for later, or take its mark back; a mark that the desk cannot have heard of just goes. */
  async mark(deal, isLater) {
    const { outbox } = this.table;
    const unheard = outbox.calls("waiting").find(({ call, tried }) => call.deal === deal && !tried);
    if (unheard) await outbox.remove(unheard);
    else this.ask({ kind: "later", deal, words: "", settled: !isLater });
    this.tell(say(isLater ? "flag_later" : "unmarked", { deal }));
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

  render() {
    const { asked, seats, sequence, outbox, facts, names } = this.table;
    fill("flags", ...asked.map((flag) => el("p", { class: "message" }, say(`flag_${flag.waits ? "waits" : "open"}_${flag.kind}`, flag))));
    show("first-link", !sequence && !outbox.having("waiting", "delivered").length && !facts.folders.length);
    const buttons = seats.map(({ name, position }) => ({ code: String(position), label: name, chosen: position === facts.first_dealer }));
    fillGroup(byId("first-seats"), buttons, (code) =>
      this.send("first-dealer", { position: Number(code) }, "first", say("first_dealer_set", { name: names[code] })),
    );
  }
}
