// The table as this phone knows it: what the server has told, with what waits here laid over it.

import { say } from "./words.js";

/** @import { Position } from "./choices.d.ts" */
/** @import { Answer, Call, Deal, Flag, Missed, Report, Reported, Seen, State } from "./types.d.ts" */
/** @import { Outbox } from "./outbox.js" */

/** @type {(tokens: number[]) => number} */
export const total = (tokens) => tokens.reduce((sum, amount) => sum + amount, 0);

/**
 * A deal as it plays once this position declares: in pairs the player sitting out may play the partner's hand.
 * @type {(deal: Deal, declarer: Position | null | undefined) => Deal}
 */
export const declaredBy = (deal, declarer) => ({ ...deal, ...deal.taken_over?.[/** @type {Position} */ (declarer)] });

/**
 * @param {Deal} deal
 * @returns {deal is Reported}
 */
export const isReported = (deal) => Boolean(deal.result);

/**
 * The flags there are with another call; one that settles takes the mark of its deal away, or the call with its words.
 * @type {(flags: Flag[], call: Flag) => Flag[]}
 */
const withCall = (flags, call) => {
  const others = flags.filter(({ kind, deal, words }) => kind !== call.kind || deal !== call.deal || (words !== call.words && !(call.settled && kind === "later")));
  return call.settled ? others : [...others, call];
};

export class Table {
  /**
   * @param {State} state
   * @param {Outbox} outbox
   */
  constructor(state, outbox) {
    this.outbox = outbox;
    this.known = /** @type {Map<number, Deal>} */ (new Map());
    this.flags = /** @type {Flag[]} */ ([]);
    this.missing = this.adopt(state);
  }

  /**
   * Take over what the server tells: everything, or only the deals that changed. Returns the captain's deals that it knew
   * in a newer version than it tells, once the table plays: an older backup has been put in its place.
   * @param {State} state
   * @returns {Missed[]}
   */
  adopt({ partial, deals, seatings, choices = this.choices, table, ...rest }) {
    /** @type {Map<number, Missed>} */
    const before = new Map(this.earlier || this.known);
    for (const item of this.outbox.delivered) before.set(item.deal, { ...item, number: item.deal, source: "captain", ...before.get(item.deal), item });
    // Nothing of this phone's knowledge is changed before all of the new has been read.
    const known = new Map(partial ? this.known : []);
    for (const deal of deals) known.set(deal.number, { revision: 0, result: null, tokens: [], text: "", older: [], ...seatings[deal.dealer], ...deal });
    // `heard` is newer than `version` once a report of ours is stored, also in what the phone has kept.
    Object.assign(this, { heard: rest.version, isBehind: false }, rest, {
      known, told: { ...rest, seatings, table },
      choices, earlier: table.started ? null : before, facts: table, names: rest.seats.map((seat) => seat.called), short: rest.seats.map((seat) => seat.short),
    });
    if (partial || !table.started) return [];
    return [...before.values()].filter(({ number, source, revision }) => {
      const now = this.known.get(number);
      return now && source === "captain" && revision > now.revision && !this.outbox.waiting.some(({ deal }) => deal === number);
    });
  }

  /**
   * All that the server has told but the choices, for `adopt`; `heard` is the version that it is good for.
   * @returns {State}
   */
  get snapshot() {
    return { ...this.told, heard: this.heard, deals: [...this.known.values()] };
  }

  /**
   * The deal as it stands: the server's word, or the newest report of it that waits here.
   * @param {number} number
   * @returns {Deal}
   */
  deal(number) {
    const deal = /** @type {Deal} */ (this.known.get(number));
    const mine = this.outbox.waiting.filter((item) => item.deal === number && !(item.result && item.tokens.length - this.names.length)).pop();
    if (!mine) return deal;
    const { result, tokens, text, selection, base } = mine;
    return { ...deal, result, tokens, text, selection, revision: base + 1, waits: mine.key, under: base };
  }

  /**
   * Which version of a deal is seen now, to be kept with what is typed over it: see `revisionSeen`.
   * @param {number} number
   * @returns {Seen}
   */
  seen(number) {
    const { revision, waits, under } = this.deal(number);
    return { revision, key: waits, under };
  }

  /**
   * The revision that the server knows that version by. One that waited here may have been stored meanwhile; where it was
   * not, what lay under it is all that was seen of others.
   * @param {Seen} seen
   * @returns {number}
   */
  revisionSeen({ revision, key, under }) {
    if (!key) return revision;
    const item = /** @type {Report | undefined} */ (this.outbox.items.find((one) => one.key === key));
    if (!item) return /** @type {number} */ (under);
    return item.status === "waiting" ? revision : item.status === "delivered" ? item.revision : item.base;
  }

  /**
   * Whether a deal has another version by now than the one that was seen.
   * @param {number} number
   * @param {Seen} seen
   */
  isChanged(number, seen) {
    return this.revisionSeen(seen) !== this.deal(number).revision;
  }

  get deals() {
    return [...this.known.keys()].sort((one, other) => one - other).map((number) => this.deal(number));
  }

  /** The number of the newest deal that has a result; 0 before there is one. */
  get newest() {
    return Math.max(0, ...this.deals.filter(isReported).map((deal) => deal.number));
  }

  /** How many deals the server has. */
  get saved() {
    return [...this.known.values()].filter(isReported).length;
  }

  /**
   * What is asked of the desk: what it knows, with what waits here laid over it.
   * @returns {Flag[]}
   */
  get asked() {
    return this.outbox.calls("waiting").reduce((asked, { call }) => withCall(asked, { ...call, waits: true }), this.flags);
  }

  /**
   * The desk has a call of ours: show it so at once, before the server tells the whole.
   * @param {Call} call
   */
  heardOf(call) {
    this.flags = withCall(this.flags, call);
  }

  /** Deals marked to be looked at later, by their numbers. */
  get marked() {
    return new Set(this.asked.filter((flag) => flag.kind === "later").map((flag) => flag.deal));
  }

  /**
   * The deal to be entered now: the one after the newest, at the end those left out, or null.
   * @returns {number | null}
   */
  get next() {
    const { deals, marked, newest } = this;
    const open = deals.filter((deal) => !deal.result).map((deal) => deal.number);
    if (this.facts.ended || open.length === 0) return null;
    return open.find((number) => number > newest && !marked.has(number)) || open[0];
  }

  /** Deals without a result before the newest one that has one. */
  get leftOut() {
    const { deals, newest } = this;
    return deals.filter((deal) => !deal.result && deal.number < newest).map((deal) => deal.number);
  }

  /**
   * What lies in the pool before a deal is settled, its antes included; deals not reported count as washed out.
   * @param {number} number
   * @returns {number | null}
   */
  poolBefore(number) {
    const { antes } = this.choices;
    if (!antes) return null;
    const each = -total(antes);
    const last = this.deals.filter(isReported).filter((deal) => deal.number < number).pop();
    if (!last) return each * number;
    const lay = last.result.pool === undefined ? /** @type {number} */ (this.poolBefore(last.number)) : last.result.pool;
    return lay - total(last.tokens) + each * (number - last.number - 1);
  }

  /**
   * The same where the deal before says it, else null.
   * @param {number} number
   */
  poolFollows(number) {
    return number === 1 || this.deal(number - 1).result ? this.poolBefore(number) : null;
  }

  /** @param {Deal} deal */
  dealerText({ dealer, sits_out, plays }) {
    if (sits_out === dealer) return say("dealer_sits_out", { name: this.names[dealer] });
    const said = sits_out === null ? "dealer" : plays === undefined ? "dealer_and_out" : "dealer_and_taken";
    return say(said, { name: this.names[dealer], out: this.names[/** @type {Position} */ (sits_out)], plays: this.names[/** @type {Position} */ (plays)] });
  }

  /**
   * The server has stored a report of ours: show it so at once, before the server tells the whole.
   * @param {Report} report
   * @param {Answer} answer
   * @param {number} version
   */
  accepted({ deal: number, result, tokens, text }, answer, version) {
    this.heard = version;
    const deal = /** @type {Deal} */ (this.known.get(number));
    if (answer.revision > deal.revision) this.known.set(number, { ...deal, ...answer, result, tokens, text, source: "captain" });
  }

  /**
   * The server has answered a batch: where nobody else has changed anything, and no mark can have ended, this is all there is.
   * An older server does not tell the seats' tokens: then the state is to be asked for.
   * @param {any} answered
   */
  follow({ since, state_version: version, sequence, tokens }) {
    this.isBehind = ![since, version].includes(this.version) || this.flags.length > 0 || !tokens;
    if (this.isBehind) return;
    const seats = this.told.seats.map((seat, place) => ({ ...seat, tokens: tokens[place], agreed: seat.agreed && since === version }));
    Object.assign(this, (this.told = { ...this.told, version, sequence, seats }));
  }
}
