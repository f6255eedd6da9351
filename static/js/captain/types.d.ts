// What the server tells of a table (`tournaments/reporting/captain_state.py`), what is sent to it, and what is kept on the phone. For
// readers, editors and `make js`, as the two files beside it: nothing of them reaches a phone.

import type { Choices, Json, Position, Role, Selection, Suit } from "./choices.d.ts";

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
  /** The source as it is told: a program reports in a captain's place. */
  by?: "captain" | "desk" | "program";
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
  number: number;
  round: number;
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
  /** It takes such a mark, or a call with these words, back. */
  settled?: boolean;
}

export interface Flag extends Call {
  /** It is still on the phone. */
  waits?: boolean;
}

/** What is told once a sheet is done: see `ending.py`. */
export interface Ending {
  thanks: string;
  note: string;
  places: { place: string; name: string; moved: string; total: string }[];
  provisional: string;
  is_last: boolean;
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
  /** Of a report that was accepted. */
  outcome?: string;
  reported_at?: string;
  by?: Version["by"];
  /** What counts now, with a conflict; null: nothing. */
  current?: Version | null;
}

/**
 * What an answer comes to: it is done; nothing has changed; it is refused, with a message; there is no room yet, with a
 * message; the link is dead; or the server has not answered.
 */
export type Meaning = "done" | "same" | "refused" | "full" | "dead" | "none";

/** An answer of the server's, validated; {} where there was none. */
export interface Reply {
  meaning: Meaning;
  data: any; // a State, `{results}`, `{error, message}`
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
