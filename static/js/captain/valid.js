// Whether data has the shape that the page relies on: what the server answered, and what this phone kept, before it is used.

/** @typedef {(value: any) => boolean} Is */

/** @type {Is} */
const isText = (value) => typeof value === "string";
/** @type {Is} */
const isFlag = (value) => typeof value === "boolean";
/** @type {Is} */
const isWhole = (value) => Number.isInteger(value);
/** @type {Is} */
const isCount = (value) => isWhole(value) && value >= 0;
/** @type {Is} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {(is: Is) => Is} */
const maybe = (is) => (value) => value === undefined || value === null || is(value);
/** @type {(is: Is) => Is} */
const listOf = (is) => (value) => Array.isArray(value) && value.every(is);
/** @type {(names: string[]) => Is} */
const oneOf = (names) => (value) => names.includes(value);
/** @type {(shape: { [name: string]: Is }) => Is} */
const shaped = (shape) => (value) => isObject(value) && Object.entries(shape).every(([name, is]) => is(value[name]));

// A deal, and the whole table.

const DEAL_VERSION = { revision: isCount, result: maybe(isObject), tokens: listOf(isWhole), text: isText };
const REPORTED = shaped({ ...DEAL_VERSION, older: maybe(listOf(shaped(DEAL_VERSION))), roles: maybe(listOf(isText)) });
const SEATING = shaped({ roles: listOf(isText), sits_out: maybe(isCount) });
const DEAL = shaped({ number: isCount, dealer: isCount });
const CALL = shaped({ kind: oneOf(["call", "later"]), deal: maybe(isCount), words: isText });
const CHOICES = shaped({ contracts: listOf(isObject), roles: listOf(isText), names: isObject, role_names: isObject });
const STATE = shaped({
  version: isCount, sequence: isCount, phone: isText,
  table: shaped({ number: isCount, round: isCount, deals: isCount, first_dealer: isCount, turns: isCount, folders: listOf(isCount), started: isFlag, ended: isFlag, sums: isFlag, sides: isFlag }),
  seats: listOf(shaped({ position: isCount, name: isText, called: isText, short: isText, agreed: isFlag })),
  seatings: listOf(SEATING), deals: listOf(DEAL), flags: listOf(CALL),
});

/**
 * The table as the server tells it: the whole with each deal and the choices, or a part with the deals that changed.
 * @param {any} state
 * @returns {boolean}
 */
export function isState(state) {
  if (!STATE(state)) return false;
  const { partial, deals, seats, seatings, table, choices } = state;
  const numbers = new Set(deals.map((/** @type {{ number: number }} */ { number }) => number));
  const isWholeTable = numbers.size === table.deals && deals.length === table.deals && CHOICES(choices);
  return seats.length > 0 && seatings.length === seats.length && (partial || isWholeTable) && deals.every((/** @type {any} */ deal) =>
    deal.number > 0 && deal.number <= table.deals && deal.dealer < seats.length && (deal.revision === undefined || REPORTED(deal)));
}

// The other answers.

const PROBLEMS = maybe(listOf(shaped({ message: isText })));
const RESULTS = listOf(shaped({
  key: isText, status: oneOf(["accepted", "duplicate", "conflict", "refused", "kept"]), revision: isCount, problems: PROBLEMS, warnings: PROBLEMS,
  current: maybe(shaped(DEAL_VERSION)),
}));

export const isSettled = shaped({ results: RESULTS, state_version: isCount, sequence: maybe(isCount), tokens: maybe(listOf(isWhole)) });
export const isHeard = shaped({ state_version: isCount });
export const isHolder = shaped({ phone: isText });
const PLACE = shaped({ place: isText, name: isText, moved: isText, total: isText });
export const isComing = shaped({
  next: listOf(isText), end: shaped({ thanks: isText, note: isText, places: listOf(PLACE), provisional: isText, is_last: isFlag }),
});
export const isRefusal = shaped({ error: isText, message: isText });
export const isDead = shaped({ error: oneOf(["closed", "revoked", "unknown"]), message: isText, results: maybe(RESULTS) });

// What this phone kept.

const STATUS = oneOf(["waiting", "conflict", "refused", "kept", "delivered"]);
const KEPT = shaped({ key: isText, table: isText, status: STATUS, order: Number.isFinite });
const REPORT = shaped({ deal: isCount, base: isCount, result: maybe(isObject), tokens: listOf(isWhole), text: isText });

/** @type {Is} */
export const isItem = (item) => KEPT(item) && (item.call === undefined ? REPORT(item) : CALL(item.call));

const SELECTION = shaped({ extras: listOf(isText), joiners: isObject, counts: isObject });

export const isDraft = shaped({ name: isText, number: maybe(isCount), selection: maybe(SELECTION), seen: maybe(shaped({ revision: isCount })), reason: maybe(isText), problems: PROBLEMS });
export const isTold = shaped({ table: isText, language: isText, told: shaped({ heard: isCount }) });
export const isPhone = (/** @type {any} */ name) => /^[0-9A-Za-z-]{1,36}$/.test(isText(name) ? name : "");
