// One deal, four taps: who plays, what, which trumps, how it ended.

import { rareIn, renderBar } from "./bar.js";
import { byId, fillGroup, on, sayAt, show, write } from "./dom.js";
import { hush } from "./guard.js";
import { isLaterHere, later } from "./later.js";
import { EMPTY, contractOf, contractsFor, declarerRoles, emptied, missing, resultStays, trumpsOf } from "./offers.js";
import { fillResults } from "./results.js";
import { SIGNS } from "./sentences.js";
import { declaredBy } from "./table.js";
import { say } from "./words.js";

const LONG_WORD = /[^\s-]{11}/; // wider than a button in the usual size
const CONTROLS = ["declarer", "contract", "trump", "result", "pool", "reason"];
const LARGEST_POOL = 9999;
const MANY = 12; // contracts in four lines

export class Entry {
  /** `onSave()`: it is finished; `onTap(entry)`: a tap more; `onCancel()`: not corrected; `redraw()`: the whole page; `careful()`: always wait for Save. */
  constructor(table, { onSave, onTap, onCancel, redraw, careful }) {
    Object.assign(this, { table, onSave, onTap, redraw, careful });
    on("entry", "submit", (event) => {
      event.preventDefault();
      this.save();
    });
    on("more", "click", () => this.tap({}, { wide: !this.wide }));
    on("reason", "input", () => {
      onTap(this);
      renderBar(this);
    });
    on("pool", "input", ({ target }) => this.typePool(target.value));
    on("no", "click", () => (this.question ? this.ask(null) : onCancel()));
  }

  /** Begin a deal, or a correction of one; `selection` is what is tapped already. */
  open(number, { correcting = false, selection = null, reason = "", problems = [], seen = this.table.seen(number) } = {}) {
    Object.assign(this, { number, correcting, seen, question: null, inOwnWords: false });
    const { dealt, choices } = this;
    const before = correcting ? dealt.selection || later.selectionOf(choices, dealt.result, dealt.outcome, declaredBy(dealt, dealt.result.declarer).roles) : EMPTY;
    this.before = JSON.stringify(before);
    const tapped = selection || before;
    this.selection = { ...tapped, pool: tapped.pool === null ? this.table.poolBefore(number) : tapped.pool };
    byId("pool").value = this.selection.pool;
    const main = this.contract ? this.contract.results.map((patch) => patch.code) : [];
    const { extras, takeover, result } = this.selection;
    const besides = this.contract ? this.contract.extras.filter(({ code, main: called }) => !called && extras.includes(code)) : [];
    this.wide = Boolean(besides.length || takeover || (result && !main.includes(result)));
    byId("reason").value = reason;
    this.clearProblems();
    for (const { field, message } of problems) sayAt(CONTROLS.includes(field) ? field : "result", message);
    this.render();
  }

  get choices() {
    return this.table.choices;
  }

  /** Whether somebody has changed the deal since this form was opened. */
  get isPassed() {
    return this.number !== null && this.table.isChanged(this.number, this.seen);
  }

  /** Both versions are beside each other in a card. */
  askWhich() {
    sayAt("result", say("choose_version"));
    byId("notices").scrollIntoView({ block: "nearest" });
  }

  /** The deal as it was dealt. */
  get dealt() {
    return this.table.deal(this.number);
  }

  /** The deal as the chosen declarer has it. */
  get deal() {
    return declaredBy(this.dealt, this.selection.declarer);
  }

  get role() {
    return this.selection.declarer === null ? null : this.deal.roles[this.selection.declarer];
  }

  get contract() {
    return contractOf(this.choices, this.selection);
  }

  /** Whether leaving a correction now would lose something. */
  get isChanged() {
    return this.correcting && this.number !== null && (JSON.stringify(this.selection) !== this.before || byId("reason").value.trim() !== "");
  }

  /** Which control waits for a tap; "" when the report is complete. */
  get waits() {
    return missing(this.choices, this.selection, this.deal.roles);
  }

  /** Whether the last tap on a result saves, with the undo after it. */
  get quick() {
    return !this.careful() && !this.correcting && !this.wide;
  }

  clearProblems() {
    for (const place of CONTROLS) sayAt(place, "");
  }

  tap(selected, more = {}) {
    const { question } = this;
    const top = window.scrollY;
    this.selection = { ...this.selection, ...selected };
    Object.assign(this, { question: null }, more);
    this.clearProblems();
    this.onTap(this);
    if (question) this.redraw();
    else this.render();
    const next = byId(this.waits);
    if (next) next.scrollIntoView({ block: "nearest" });
    if (window.scrollY !== top) hush();
  }

  /** Ask before it is done: `{text, yes, no, act}`; null asks nothing any more. The bar then holds the answers alone. */
  ask(question) {
    this.question = question;
    this.redraw();
    hush();
    (byId("save").hidden ? byId("result").firstElementChild : byId("save")).focus();
  }

  /** A tap that says how the deal ended. */
  tapResult(selected) {
    this.tap(selected);
    if (this.quick && !this.waits) this.save();
  }

  typePool(typed) {
    const pool = /^\d+$/.test(typed.trim()) ? Number(typed) : null;
    this.tap({ pool: pool !== null && pool <= LARGEST_POOL ? pool : null });
  }

  tapDeclarer(code) {
    if (code === "pass") return this.tap({ ...emptied(this.selection), allPassed: !this.selection.allPassed });
    const declarer = Number(code) === this.selection.declarer ? null : Number(code);
    const offered = contractsFor(this.choices, declarer === null ? null : this.deal.roles[declarer]);
    const stays = offered.includes(this.contract) ? { joiners: {}, partner: null, takeover: null } : emptied(this.selection);
    this.tap({ ...stays, declarer, allPassed: false });
    if (!resultStays(this.choices, this.selection, this.deal.roles)) this.tap({ result: null });
    return null;
  }

  tapContract(code) {
    const { declarer, trump } = this.selection;
    const contract = code === this.selection.contract ? null : code;
    const trumps = trumpsOf(this.choices.contracts.find((one) => one.id === code));
    this.tap({ ...emptied(this.selection), declarer, contract, trump: contract && trumps.includes(trump) ? trump : null });
  }

  render() {
    // Since dealer or seats were changed, who was tapped may sit out.
    if (this.role && !declarerRoles(this.choices).includes(this.role)) this.selection = emptied(this.selection);
    const { deal, selection, choices, contract } = this;
    const isOffered = contractsFor(choices, this.role);
    const suits = trumpsOf(contract);
    write("dealer-line", this.table.dealerText(deal));
    byId("app").classList.toggle("crowded", choices.contracts.length > MANY);
    fillGroup(byId("declarer"), this.declarerButtons(this), (code) => this.tapDeclarer(code));
    fillGroup(
      byId("contract"),
      choices.contracts.map((one) => (
        { code: one.id, label: one.name, look: LONG_WORD.test(one.name) ? "long" : "", chosen: one.id === selection.contract, off: !isOffered.includes(one) }
      )),
      (code) => this.tapContract(code),
    );
    fillGroup(
      byId("trump"),
      (suits.length ? suits : trumpsOf(choices.contracts.find(({ trumps }) => trumps.length))).map((suit) => ({
        code: suit, label: SIGNS[suit] || "–", small: say(`trump_${suit}`), look: `suit-${suit.toLowerCase()}`,
        chosen: suit === selection.trump, off: !suits.length,
      })),
      (code) => this.tap({ trump: code === selection.trump ? null : code }),
    );
    fillResults(this);
    show("pool-line", this.choices.antes);
    renderBar(this);
  }

  declarerButtons({ dealt, table: { names } }) {
    const buttons = declarerRoles(this.choices).map((role) => {
      const position = dealt.roles.indexOf(role);
      return { code: String(position), label: names[position], small: this.choices.role_names[role], chosen: position === this.selection.declarer };
    });
    if (this.choices.all_passed) buttons.push({ code: "pass", label: say("all_passed"), chosen: this.selection.allPassed });
    return buttons;
  }

  /** Save if nothing is missing; what is rare is asked back first. */
  save() {
    const { question, waits: place } = this;
    if (question) return question.act();
    if (place) return sayAt(CONTROLS.includes(place) ? place : "result", say(`choose_${place}`));
    if (this.isPassed && isLaterHere()) return this.askWhich();
    if (this.correcting && !byId("reason").value.trim()) {
      byId("reasons").firstElementChild.focus();
      return sayAt("reason", say("reason_missing"));
    }
    const rare = rareIn(this);
    if (rare.length === 0) return this.onSave();
    return this.ask({ text: rare.join(" "), yes: say("yes_save"), no: say("no_change"), act: () => this.onSave() });
  }
}
