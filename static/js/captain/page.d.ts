// What the captain's page is made of: its elements by name, what is asked and tapped there, and its second script.

import type { Selection } from "./choices.d.ts";
import type { Problem, Report, Seen } from "./types.d.ts";

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
  /** An amount beside the label; `gives`: of this deal, and not how the player stands. */
  amount?: string;
  gives?: boolean;
  chosen?: boolean;
  look?: string;
  off?: boolean;
}

/** What has a name on the captain's page: `byId` finds no other. */
export interface Ids {
  agree: HTMLElement;
  "agree-all": HTMLButtonElement;
  "agree-ask": HTMLElement;
  "agree-done": HTMLElement;
  "agree-end": HTMLElement;
  "agree-next": HTMLElement;
  "agree-note": HTMLElement;
  "agree-places": HTMLElement;
  "agree-standings": HTMLAnchorElement;
  "agree-thanks": HTMLElement;
  "agree-provisional": HTMLElement;
  "agree-wrong": HTMLButtonElement;
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
  "call-reasons": HTMLElement;
  "call-undo": HTMLButtonElement;
  "call-words": HTMLInputElement;
  called: HTMLElement;
  "called-state": HTMLElement;
  "called-text": HTMLElement;
  careful: HTMLButtonElement;
  code: HTMLElement;
  comforts: HTMLElement;
  contract: HTMLElement;
  "contract-problem": HTMLElement;
  correction: HTMLElement;
  counts: HTMLElement;
  dark: HTMLButtonElement;
  night: HTMLLinkElement;
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
  "last-correct": HTMLAnchorElement;
  "last-state": HTMLElement;
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
  "to-deal": HTMLAnchorElement;
  toast: HTMLElement;
  trump: HTMLElement;
  "trump-problem": HTMLElement;
  undo: HTMLButtonElement;
  was: HTMLElement;
  where: HTMLElement;
  words: HTMLScriptElement;
}

/** Where something can be said to be wrong: beside it stands its "…-problem". */
export type Spot = "declarer" | "contract" | "trump" | "result" | "pool" | "reason" | "agree" | "back" | "first";

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
