// What the captain's modules speak of: what the server tells (`tournaments/captain/state.py`, `offers.py`), what is sent to
// it, and what is kept on the phone. For readers, editors and `make js`; nothing of it reaches a phone.

/** Where somebody sits, from 0 in the order of play. */
export type Position = number;
/** What somebody is in a deal: "FH", "MH", "BH", "IDLE" … */
export type Role = string;
/** "S", "H", "D", "C"; "" is none. */
export type Suit = string;
/** What results are made of. */
export type Json = boolean | number | string | Json[] | { [name: string]: Json };

// What may be reported: the engine's choices, with names (`scoring/choices.py` says what each means).

/** Times the pool; `[times, plus, by]`; or so much, but no more than the pool. */
export type Share = number | [number, number, number] | { most: number };

/** A button: what a tap on it adds to the report, and what that gives. */
export interface Patch {
  code: string;
  /** On its button, and in a sentence, where that is not what `Choices.names` has. */
  name?: string;
  text?: string;
  set: { [name: string]: Json };
  /** By declarer, then by role; null where it is not this declarer's. */
  tokens: (number[] | null)[];
  pool?: (Share[] | null)[];
  /** The results that it goes with; all where there is none. */
  with?: string[];
  /** What is asked back, since it is rare. */
  ask?: string;
  count?: [least: number, most: number];
  must?: boolean;
}

export interface Extra extends Patch {
  with: string[];
  without: string[];
  /** It has a button among the results. */
  main?: boolean;
}

export interface Joiner {
  seat: Role;
  must: boolean;
  with: string[];
  results: Patch[];
}

export interface Partner extends Patch {
  seat: Role;
}

export interface Takeover {
  code?: undefined;
  seat: Role;
  set: { [name: string]: Json };
}

/** A number to ask for. */
export interface Field {
  name: string;
  minimum: number;
  maximum: number;
  must: boolean;
  with?: string[];
}

export interface Contract {
  id: string;
  name: string;
  declarers: Role[];
  trumps: Suit[];
  trump_must: boolean;
  /** What is asked back, by trump. */
  asks: { [trump: string]: string };
  results: Patch[];
  rare: Patch[];
  extras: Extra[];
  joiners: Joiner[];
  partners: Partner[];
  takeovers: Takeover[];
  fields: Field[];
}

export interface Choices {
  roles: Role[];
  role_names: { [role: Role]: string };
  names: { [code: string]: string };
  all_passed: boolean;
  /** What a deal costs each role before it is played; null where there is no pool. */
  antes: number[] | null;
  contracts: Contract[];
}

/**
 * What is tapped: a position, codes, a code by seat, numbers by name, a code, a seat, and the tokens in the pool where there
 * is one. `trump` is null until it is said, and "" for none where there may be none.
 */
export interface Selection {
  declarer: Position | null;
  contract: string | null;
  trump: Suit | null;
  result: string | null;
  extras: string[];
  joiners: { [seat: Role]: string | undefined };
  counts: { [name: string]: number | undefined };
  partner: string | null;
  takeover: Role | null;
  allPassed: boolean;
  pool: number | null;
}

// What the server tells of a table.

/** A report's result as the protocol has it; seats are positions. */
export interface Result {
  contract?: string;
  declarer?: Position | undefined;
  /** Who took the game over. */
  takeover?: Position;
  trump?: Suit;
  pool?: number;
  all_passed?: boolean;
  [more: string]: Json | undefined;
}

/** One version of a deal. */
export interface Version {
  /** 0: not reported yet. */
  revision: number;
  /** null: not reported, or taken back. */
  result: Result | null;
  /** By position; none without a result. */
  tokens: number[];
  text: string;
  outcome?: string;
  source?: "captain" | "desk";
  reported_at?: string;
  reason?: string;
}

export interface Seating {
  roles: Role[];
  sits_out: Position | null;
  /** Whose hand the player sitting out takes over. */
  plays?: Position;
  /** The same by declarer, where that changes it. */
  taken_over?: { [declarer: Position]: Seating };
}

/** A deal as it stands, for this phone. */
export interface Deal extends Version, Seating {
  number: number;
  dealer: Position;
  /** Earlier versions, the oldest first. */
  older: Version[];
  /** A report of this phone's that waits is laid over it: its key, what was tapped, and the revision under it. */
  waits?: string;
  selection?: Selection | null;
  under?: number;
  /** The phone's own report of it that the server had. */
  item?: Report;
}

/** A deal that has a result. */
export type Reported = Deal & { result: Result };

/** What is known of a captain's deal that the server may miss. */
export interface Missed extends Version {
  number: number;
  older?: Version[];
  item?: Report;
}

/** A deal as it is told: what it lacks is as its dealer's seating, or as a deal not reported. */
export type DealTold = Partial<Deal> & Pick<Deal, "number" | "dealer">;

export interface Seat {
  position: Position;
  name: string;
  called: string;
  short: string;
  agreed: boolean;
}

export interface Facts {
  deals: number;
  first_dealer: Position;
  /** How often the dealer or the seats have been changed. */
  turns: number;
  /** The folder of each deal; none where cards are dealt by hand. */
  folders: number[];
  started: boolean;
  ended: boolean;
  sums: boolean;
  sides: boolean;
}

export interface State {
  version: number;
  sequence: number;
  /** Only deals that changed. */
  partial?: boolean;
  /** Which phone enters; "" if none does. */
  phone: string;
  table: Facts;
  seats: Seat[];
  seatings: Seating[];
  deals: DealTold[];
  flags: Flag[];
  choices?: Choices;
  /** Of what the phone has kept: the version that it is good for. */
  heard?: number;
}

/** What is asked of the desk: a call of the organiser, or a deal marked for later. */
export interface Call {
  kind: "call" | "later";
  deal: number | null;
  words: string;
  /** It takes such a mark back. */
  settled?: boolean;
}

export interface Flag extends Call {
  /** It is still on the phone. */
  waits?: boolean;
}

export interface Problem {
  code?: string;
  field: string;
  message: string;
}

/** What the server says to one report. */
export interface Answer {
  key: string;
  status: "accepted" | "duplicate" | "conflict" | "refused" | "kept";
  revision: number;
  problems?: Problem[];
  warnings?: Problem[];
  /** What counts now, with a conflict; null: nothing. */
  current?: Version | null;
}

/** Any answer of the server's; {} where there was none. */
export interface Reply {
  status: number;
  data: any; // whatever came: a State, `{results}`, `{error, message}`
}

// What is kept on the phone.

export type Place = "disk" | "store" | "memory";
export type Status = "waiting" | "conflict" | "refused" | "kept" | "delivered";

interface Kept {
  key: string;
  status: Status;
  /** The secret of the link that it was made with. */
  table: string;
  /** When it was made, in the order of its table's. */
  order: number;
  place?: Place;
  /** It has been sent, whether or not it came. */
  tried?: boolean;
}

/** A report, from the tap to the server's answer. */
export interface Report extends Kept {
  call?: undefined;
  deal: number;
  /** The revision that it goes over. */
  base: number;
  result: Result | null;
  tokens: number[];
  text: string;
  reason?: string;
  made_at?: string;
  turns?: number;
  /** It is rare, and a person said yes. */
  asked?: boolean;
  selection?: Selection | null;
  /** What the deal was, where this corrects it. */
  before?: Deal | null;
  older?: Version[];
  /** The server's answer. */
  revision: number;
  problems?: Problem[];
  warnings?: Problem[];
  current?: Version | null;
}

/** A call on its way to the desk. */
export interface CallKept extends Kept {
  call: Call;
  /** Why it was refused. */
  why?: string;
}

export type Item = Report | CallKept;

/** Where reports are kept over a reload. */
export interface Store {
  place: Place;
  all(): Promise<Item[]>;
  put(item: Item): Promise<unknown>;
  remove(key: string): Promise<unknown>;
}

/** Which version of a deal was seen when something was typed over it. */
export interface Seen {
  revision: number;
  key?: string;
  under?: number;
}

/** What was tapped and is not saved, as it outlives a reload. */
export interface Draft {
  name: string;
  number: number | null;
  correcting?: boolean;
  selection?: Selection | null;
  seen?: Seen;
  reason?: string;
  problems?: Problem[];
}

/** Asked before it is done. */
export interface Question {
  text: string;
  yes: string;
  no: string;
  act(): unknown;
}

/** The last thing that was done, and what it is undone by: a report, or the mark of a deal. */
export type Done = { said: string; label: string } & ({ item: Report; mark?: undefined } | { item?: undefined; mark: number });

/** A button of a group. */
export interface Option {
  code: string;
  label: string;
  small?: string;
  chosen?: boolean;
  look?: string;
  off?: boolean;
}

/** What waits for a tap; each is the id of the place where that is done. */
export type Control = "pool" | "declarer" | "contract" | "trump" | "joiners" | "partner" | "counts" | "result";

/** What has a name on the captain's page: `byId` finds no other. */
export interface Ids {
  agree: HTMLElement;
  "agree-all": HTMLButtonElement;
  "agree-done": HTMLElement;
  "agree-problem": HTMLElement;
  "agree-seats": HTMLElement;
  "agree-sum": HTMLElement;
  "agree-sum-line": HTMLElement;
  app: HTMLElement;
  "at-deal": HTMLElement;
  "back-form": HTMLFormElement;
  "back-problem": HTMLElement;
  "back-reason": HTMLInputElement;
  badge: HTMLAnchorElement;
  bar: HTMLElement;
  "big-type": HTMLButtonElement;
  call: HTMLFormElement;
  "call-problem": HTMLElement;
  "call-words": HTMLTextAreaElement;
  careful: HTMLButtonElement;
  code: HTMLElement;
  comforts: HTMLElement;
  contract: HTMLElement;
  "contract-problem": HTMLElement;
  correction: HTMLElement;
  counts: HTMLElement;
  dark: HTMLButtonElement;
  deal: HTMLElement;
  "deal-back": HTMLButtonElement;
  "deal-correct": HTMLAnchorElement;
  "deal-folder": HTMLAnchorElement;
  "deal-later": HTMLButtonElement;
  "deal-line": HTMLElement;
  "deal-now": HTMLElement;
  "deal-older": HTMLElement;
  "dealer-line": HTMLElement;
  declarer: HTMLElement;
  "declarer-problem": HTMLElement;
  entry: HTMLFormElement;
  extras: HTMLElement;
  first: HTMLElement;
  "first-link": HTMLAnchorElement;
  "first-problem": HTMLElement;
  "first-seats": HTMLElement;
  flags: HTMLElement;
  instead: HTMLElement;
  joiners: HTMLElement;
  last: HTMLElement;
  "last-text": HTMLElement;
  "left-out": HTMLAnchorElement;
  main: HTMLElement;
  "mark-later": HTMLButtonElement;
  menu: HTMLElement;
  more: HTMLButtonElement;
  no: HTMLButtonElement;
  notices: HTMLElement;
  "older-title": HTMLElement;
  place: HTMLElement;
  pool: HTMLInputElement;
  "pool-line": HTMLElement;
  "pool-problem": HTMLElement;
  preview: HTMLElement;
  rare: HTMLElement;
  reason: HTMLInputElement;
  "reason-label": HTMLElement;
  "reason-problem": HTMLElement;
  reasons: HTMLElement;
  result: HTMLElement;
  "result-problem": HTMLElement;
  said: HTMLElement;
  save: HTMLButtonElement;
  sheet: HTMLElement;
  "sheet-foot": HTMLTableSectionElement;
  "sheet-head": HTMLTableSectionElement;
  "sheet-lines": HTMLTableSectionElement;
  "sheet-more": HTMLTableSectionElement;
  "show-code": HTMLButtonElement;
  starting: HTMLElement;
  state: HTMLScriptElement;
  takeovers: HTMLElement;
  toast: HTMLElement;
  trump: HTMLElement;
  "trump-problem": HTMLElement;
  undo: HTMLButtonElement;
  was: HTMLElement;
  where: HTMLElement;
  words: HTMLScriptElement;
}

/** Where something can be said to be wrong: beside it stands its "…-problem". */
export type Spot = "declarer" | "contract" | "trump" | "result" | "pool" | "reason" | "agree" | "back" | "call" | "first";

/** What `those` and `filter(Boolean)` leave out. */
export type Falsy = false | null | undefined | 0 | "";

/** What the second script brings. */
export interface Later {
  askToLeave: typeof import("./correcting.js").askToLeave;
  correctedText: typeof import("./correcting.js").correctedText;
  renderCorrection: typeof import("./correcting.js").renderCorrection;
  selectionOf: typeof import("./correcting.js").selectionOf;
  decisions: typeof import("./deciding.js").decisions;
  renderAgreement: typeof import("./agree.js").renderAgreement;
  renderMenu: typeof import("./menu.js").renderMenu;
  renderDeal: typeof import("./sheet.js").renderDeal;
  renderSheet: typeof import("./sheet.js").renderSheet;
  showLine: typeof import("./sheet.js").showLine;
  showCode: typeof import("./codes.js").showCode;
}

// What the classes lay on themselves at once, which the checker does not see.

declare module "./table.js" {
  interface Table extends Pick<State, "version" | "sequence" | "phone" | "seats"> {
    choices: Choices;
    facts: Facts;
    /** By position: as sentences call them, and as short as a column's head. */
    names: string[];
    short: string[];
    /** What was known while the table has not started, or had not yet. */
    earlier: Map<number, Missed> | null;
    told: Omit<State, "deals" | "choices">;
  }
}
