// What may be reported: the engine's choices, with names (`scoring/choices.py` says what each means),
// and what is tapped of them.

/** Where somebody sits, from 0 in the order of play. */
export type Position = number;
/** What somebody is in a deal: "FH", "MH", "BH", "IDLE" … */
export type Role = string;
/** "S", "H", "D", "C"; "" is none. */
export type Suit = string;
/** What results are made of. */
export type Json = boolean | number | string | Json[] | { [name: string]: Json };

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

/** What waits for a tap; each is the id of the place where that is done. */
export type Control = "pool" | "declarer" | "contract" | "trump" | "joiners" | "partner" | "counts" | "result";
