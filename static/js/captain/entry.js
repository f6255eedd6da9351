// One deal, four taps: who plays, what, which trumps, how it ended.

import { rareIn, renderBar, toutText } from "./bar.js";
import { byId, fillGroup, on, sayAt, show, those, write } from "./dom.js";
import { hush } from "./guard.js";
import { isLaterHere, later } from "./later.js";
import { EMPTY, contractOf, contractsFor, declarerRoles, emptied, missing, resultStays, tokensOf, trumpsOf } from "./offers.js";
import { fillResults } from "./results.js";
import { SIGNS } from "./sentences.js";
import { declaredBy } from "./table.js";
import { totalsOf } from "./totals.js";
import { say, signed } from "./words.js";

/** @import { Choices, Contract, Control, Selection, Suit } from "./choices.d.ts" */
/** @import { Draft, Option, Question, Spot } from "./page.d.ts" */
/** @import { Deal, Seen } from "./types.d.ts" */
/** @import { Table } from "./table.js" */

const LONG_WORD = /[^\s-]{11}/; // wider than a button in the usual size
/** @type {string[]} */
const CONTROLS = ["declarer", "contract", "trump", "result", "pool", "reason"];
const LARGEST_POOL = 9999;
const MANY = 12; // contracts in four lines
const SLEEP = 1500; // ms; "all passed" acts at once, and is no second tap's of whoever pressed it

/**
 * Where something is said about a field.
 * @type {(field: string) => Spot}
 */
const placeOf = (field) => (CONTROLS.includes(field) ? /** @type {Spot} */ (field) : "result");

export class Entry {
  /**
   * `onSave()`: it is finished; `onTap(entry)`: a tap more; `onCancel()`: not corrected; `redraw()`: the whole page; `careful()`: always wait for Save.
   * @param {Table} table
   * @param {{ onSave: () => unknown, onTap: (entry: Entry) => void, onCancel: () => void, redraw: () => void, careful: () => boolean }} act
   */
  constructor(table, { onSave, onTap, onCancel, redraw, careful }) {
    this.table = table;
    this.onSave = onSave;
    this.onTap = onTap;
    this.redraw = redraw;
    this.careful = careful;
    /** The deal that is open; null where none is. */
    this.number = /** @type {number | null} */ (null);
    this.question = /** @type {Question | null} */ (null);
    this.sleeping = false;
    /** What is rare in the deal that was saved last, until something else is tapped. */
    this.remark = "";
    on("entry", "submit", (event) => {
      event.preventDefault();
      this.save();
    });
    on("more", "click", () => this.tap({}, { wide: !this.wide }));
    on("reason", "input", () => {
      onTap(this);
      renderBar(this);
    });
    on("pool", "input", () => this.typePool(byId("pool").value));
    on("no", "click", () => (this.question ? this.ask(null) : onCancel()));
  }

  /**
   * Begin a deal, or a correction of one; `selection` is what is tapped already.
   * @param {number} number
   * @param {Partial<Draft>} draft
   */
  open(number, { correcting = false, selection = null, reason = "", problems = [], seen = this.table.seen(number) } = {}) {
    this.number = number;
    /** @type {boolean} */
    this.correcting = correcting;
    /** @type {Seen} */
    this.seen = seen;
    this.question = null;
    this.inOwnWords = false;
    const { dealt, choices } = this;
    const before = correcting ? dealt.selection || later.selectionOf(choices, dealt) : EMPTY;
    this.before = JSON.stringify(before);
    const tapped = selection || before;
    /** @type {Selection} */
    this.selection = { ...tapped, pool: tapped.pool === null ? this.table.poolBefore(number) : tapped.pool };
    byId("pool").value = /** @type {any} */ (this.selection.pool); // nothing for null
    const main = this.contract ? this.contract.results.map((patch) => patch.code) : [];
    const { extras, takeover, result } = this.selection;
    const besides = this.contract ? this.contract.extras.filter(({ code, main: called }) => !called && extras.includes(code)) : [];
    this.wide = Boolean(besides.length || takeover || (result && !main.includes(result)));
    byId("reason").value = reason;
    this.clearProblems();
    for (const { field, message } of problems) this.complain(placeOf(field), message);
    this.render();
  }

  /** @returns {Choices} */
  get choices() {
    return this.table.choices;
  }

  /** Whether somebody has changed the deal since this form was opened. */
  get isPassed() {
    return this.number !== null && this.table.isChanged(this.number, this.seen);
  }

  /** Both versions are beside each other in a card. */
  askWhich() {
    this.complain("result", say("choose_version"));
    renderBar(this);
    byId("notices").scrollIntoView({ block: "nearest" });
  }

  /**
   * The deal as it was dealt.
   * @returns {Deal}
   */
  get dealt() {
    return this.table.deal(/** @type {number} */ (this.number));
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

  /**
   * Which control waits for a tap; "" when the report is complete.
   * @returns {Control | ""}
   */
  get waits() {
    return missing(this.choices, this.selection, this.deal.roles);
  }

  /** Whether the last tap on a result saves, with the undo after it. */
  get quick() {
    return !this.careful() && !this.correcting && !this.wide;
  }

  clearProblems() {
    for (const place of CONTROLS) this.complain(/** @type {Spot} */ (place), "");
  }

  /**
   * Say what is wrong with a control: in the bar, with a ring around the control, so that nothing moves.
   * @param {Spot} place
   * @param {string} text
   */
  complain(place, text) {
    sayAt(place, text);
    /** @type {HTMLElement} */ (byId(place)).classList.toggle("asked", text !== "");
  }

  /** What is wrong now; a correction's missing reason has its own place in the bar. */
  get problem() {
    const texts = CONTROLS.filter((place) => place !== "reason").map((place) => /** @type {HTMLElement} */ (byId(`${place}-problem`)).textContent);
    return texts.find(Boolean) || "";
  }

  /**
   * @param {Partial<Selection>} selected
   * @param {{ wide?: boolean, inOwnWords?: boolean }} more
   */
  tap(selected, more = {}) {
    const { question } = this;
    const top = window.scrollY;
    this.selection = { ...this.selection, ...selected };
    Object.assign(this, { question: null, remark: "" }, more);
    this.clearProblems();
    this.onTap(this);
    if (question) this.redraw();
    else this.render();
    byId(this.waits)?.scrollIntoView({ block: "nearest" });
    if (window.scrollY !== top) hush();
  }

  /**
   * Ask before it is done: `{text, yes, no, act}`; null asks nothing any more. The bar then holds the answers alone.
   * @param {Question | null} question
   */
  ask(question) {
    this.question = question;
    this.redraw();
    hush();
    /** @type {HTMLElement} */ (byId("save").hidden ? byId("result").firstElementChild : byId("save")).focus();
  }

  /**
   * A tap that says how the deal ended.
   * @param {Partial<Selection>} selected
   */
  tapResult(selected) {
    this.tap(selected);
    if (this.quick && !this.waits) this.save();
  }

  /** @param {string} typed */
  typePool(typed) {
    const pool = /^\d+$/.test(typed.trim()) ? Number(typed) : null;
    this.tap({ pool: pool !== null && pool <= LARGEST_POOL ? pool : null });
  }

  /** @param {string} code */
  tapDeclarer(code) {
    if (code === "pass") return this.tapPassed();
    const declarer = Number(code) === this.selection.declarer ? null : Number(code);
    const offered = contractsFor(this.choices, declarer === null ? null : this.deal.roles[declarer]);
    const stays = offered.includes(/** @type {Contract} */ (this.contract)) ? { joiners: {}, partner: null, takeover: null } : emptied(this.selection);
    this.tap({ ...stays, declarer, allPassed: false });
    if (!resultStays(this.choices, this.selection, this.deal.roles)) this.tap({ result: null });
    return null;
  }

  /** All passed: there is nothing more to say, so it is saved at once. */
  tapPassed() {
    const { quick } = this;
    this.tap({ ...emptied(this.selection), allPassed: quick || !this.selection.allPassed });
    if (!quick || this.waits) return;
    this.sleeping = true;
    this.render();
    setTimeout(() => {
      this.sleeping = false;
      if (this.number !== null) this.render();
    }, SLEEP);
    this.save();
  }

  /** @param {string} code */
  tapContract(code) {
    const { declarer, trump } = this.selection;
    const contract = code === this.selection.contract ? null : code;
    const trumps = trumpsOf(this.choices.contracts.find((one) => one.id === code));
    this.tap({ ...emptied(this.selection), declarer, contract, trump: contract && trumps.includes(/** @type {Suit} */ (trump)) ? trump : null });
  }

  render() {
    // Since dealer or seats were changed, who was tapped may sit out.
    if (this.role && !declarerRoles(this.choices).includes(this.role)) this.selection = emptied(this.selection);
    const { deal, selection, choices, contract } = this;
    const isOffered = contractsFor(choices, this.role);
    const suits = trumpsOf(contract);
    const { sits_out: out } = deal;
    write("dealer-line", those(this.table.dealerText(deal), out !== null && signed(totalsOf(this.table)[out])).join(" "));
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

  /**
   * @param {Entry} entry
   * @returns {Option[]}
   */
  declarerButtons({ dealt, deal, selection, choices, waits, quick, sleeping, table }) {
    const { names } = table;
    const totals = totalsOf(table);
    const given = waits ? [] : tokensOf(choices, selection, deal.roles);
    /** @type {Option[]} */
    const buttons = declarerRoles(this.choices).map((role) => {
      const position = dealt.roles.indexOf(role);
      const isDealer = position === dealt.dealer;
      return {
        code: String(position), label: names[position], look: "who", chosen: position === selection.declarer,
        small: [...new Set(those(choices.role_names[role], isDealer && say("dealer_word")))].join(" · "),
        amount: signed(position in given ? given[position] : totals[position]), gives: position in given,
      };
    });
    if (choices.all_passed) buttons.push({ code: "pass", label: say("all_passed"), small: quick ? say("saved_at_once") : "", look: "passed", chosen: selection.allPassed, off: sleeping });
    return buttons;
  }

  /** Save if nothing is missing; what is rare is asked back first. */
  save() {
    const { question, waits: place } = this;
    if (question) return question.act();
    if (place) {
      this.complain(placeOf(place), say(place === "declarer" ? "choose_declarer_first" : `choose_${place}`));
      return renderBar(this);
    }
    if (this.isPassed && isLaterHere()) return this.askWhich();
    if (this.correcting && !byId("reason").value.trim()) {
      /** @type {HTMLElement} */ (byId("reasons").firstElementChild).focus();
      return sayAt("reason", say("reason_missing"));
    }
    const rare = rareIn(this);
    if (rare.length === 0) {
      this.remark = toutText(this);
      return this.onSave();
    }
    return this.ask({ text: rare.join(" "), yes: say("yes_save"), no: say("no_change"), act: () => this.onSave() });
  }
}
