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

export class Desk {
  constructor(table, tell, refresh) {
    Object.assign(this, { table, tell, refresh, phone: recall("phone") || newPhone() });
    remember("phone", this.phone);
    this.type(recall("call", TAB));
    on("call-words", "input", ({ target }) => this.type(target.value));
    on("call", "submit", (event) => {
      event.preventDefault();
      this.send("flag", { kind: "call", words: byId("call-words").value }, "call", say("flag_sent"));
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

  async markLater(deal) {
    const { status, data } = await post("flag", { kind: "later", deal });
    await this.refresh();
    this.tell(status === 200 ? say("flag_later", { deal }) : data.message || say("not_sent"));
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
    const { flags, seats, sequence, outbox, facts, names } = this.table;
    fill("flags", ...flags.map((flag) => el("p", { class: "message" }, say(`flag_open_${flag.kind}`, flag))));
    show("first-link", !sequence && !outbox.items.length && !facts.folders.length);
    const buttons = seats.map(({ name, position }) => ({ code: String(position), label: name, chosen: position === facts.first_dealer }));
    fillGroup(byId("first-seats"), buttons, (code) =>
      this.send("first-dealer", { position: Number(code) }, "first", say("first_dealer_set", { name: names[code] })),
    );
  }
}
