// What may be reported, looked up in the server's table of choices: no rule of the game is here. A report is the
// patches of the chosen buttons laid over each other, its effect the sum of what they give.

/** @import { Choices, Contract, Control, Extra, Field, Joiner, Json, Partner, Patch, Position, Role, Selection, Share, Suit, Takeover } from "./choices.d.ts" */
/** @import { Result } from "./types.d.ts" */

/** @type {Readonly<Selection>} */
export const EMPTY = Object.freeze({
  declarer: null, contract: null, trump: null, result: null, extras: [], joiners: {}, counts: {}, partner: null, takeover: null,
  allPassed: false, pool: null,
});

/**
 * Nothing tapped yet; the pool stays as it is.
 * @type {(selection: Selection) => Selection}
 */
export const emptied = ({ pool }) => ({ ...EMPTY, pool });

/**
 * Roles that may declare anything, in the order of play.
 * @type {(choices: Choices) => Role[]}
 */
export const declarerRoles = ({ roles, contracts }) =>
  roles.filter((role) => contracts.some(({ declarers }) => declarers.includes(role)));

/**
 * Contracts on offer to a role; before anybody is chosen those that the active players share.
 * @type {(choices: Choices, role: Role | null) => Contract[]}
 */
export const contractsFor = ({ contracts }, role) =>
  contracts.filter(({ declarers }) => (role ? declarers.includes(role) : declarers.length > 1));

/** @type {(choices: Choices, selection: Pick<Selection, "contract">) => Contract | null} */
export const contractOf = ({ contracts }, { contract }) => contracts.find(({ id }) => id === contract) || null;

/**
 * The suits to choose trumps from, and "" where there may be none.
 * @type {(contract?: Contract | null) => Suit[]}
 */
export const trumpsOf = (contract) => (contract?.trumps.length ? [...contract.trumps, ...(contract.trump_must ? [] : [""])] : []);

/**
 * Whose game it counts as: the declarer's, or whose who took it over.
 * @type {(selection: Selection, roles: Role[]) => Role}
 */
const ownerOf = ({ declarer, takeover }, roles) => takeover || roles[/** @type {Position} */ (declarer)];

/**
 * Whether a patch may be this declarer's; of any declarer's where there is none yet.
 * @type {(contract: Contract, patch: Patch, role: Role | null) => unknown}
 */
const mayBeOf = (contract, patch, role) => !role || patch.tokens[contract.declarers.indexOf(role)];
/** @type {(patch: { with?: string[] }, result: string | null) => boolean} */
export const goes = (patch, result) => !result || !patch.with || patch.with.includes(result);
/**
 * @template {Patch} P
 * @param {P[]} patches
 * @returns {P[]}
 */
export const once = (patches) => patches.filter(({ code }, place) => patches.findIndex((one) => one.code === code) === place);
/** @type {(contract: Contract, selection: Pick<Selection, "extras">, result: string) => boolean} */
const allExtrasGo = ({ extras }, selection, result) =>
  selection.extras.every((code) => extras.some((extra) => extra.code === code && goes(extra, result)));

/**
 * Main results ("results") or what takes their place ("rare"), less those that a chosen extra rules out.
 * @type {(contract: Contract, selection: Pick<Selection, "extras" | "takeover">, role: Role | null, kind: "results" | "rare") => Patch[]}
 */
export const resultsFor = (contract, selection, role, kind) =>
  contract[kind].filter((patch) => mayBeOf(contract, patch, selection.takeover || role) && allExtrasGo(contract, selection, patch.code));

/**
 * Whether the chosen result can be this declarer's: nobody loses to himself.
 * @param {Choices} choices
 * @param {Selection} selection
 * @param {Role[]} roles
 */
export function resultStays(choices, selection, roles) {
  const contract = contractOf(choices, selection);
  const patch = contract && [...contract.results, ...contract.rare].find(({ code }) => code === selection.result);
  return !patch || mayBeOf(contract, patch, ownerOf(selection, roles));
}

/**
 * Extras to be tapped, and those of which a number is asked ("counted").
 * @type {(contract: Contract, selection: Pick<Selection, "result">, role: Role | null, counted?: boolean) => Extra[]}
 */
export const extrasFor = (contract, { result }, role, counted = false) =>
  once(contract.extras.filter((extra) => Boolean(extra.count) === counted && mayBeOf(contract, extra, role) && goes(extra, result)));

/**
 * Those who play along, or may.
 * @type {(contract: Contract, selection: Pick<Selection, "result">, role: Role) => Joiner[]}
 */
export const joinersFor = (contract, { result }, role) =>
  contract.joiners.filter((joiner) => mayBeOf(contract, joiner.results[0], role) && goes(joiner, result));

/**
 * Seats of which one is the declarer's partner.
 * @type {(contract: Contract, selection: Pick<Selection, "result">, role: Role) => Partner[]}
 */
export const partnersFor = (contract, { result }, role) =>
  once(contract.partners.filter((partner) => partner.seat !== role && goes(partner, result)));

/**
 * Seats that may have taken the game over.
 * @type {(contract: Contract, role: Role | null) => Takeover[]}
 */
export const takeoversFor = (contract, role) =>
  contract.takeovers.filter(({ seat }) => role && seat !== role && contract.declarers.includes(seat));

/**
 * Numbers beside those of extras: a pool has its own place.
 * @type {(contract: Contract, selection: Pick<Selection, "result">) => Field[]}
 */
export const fieldsFor = (contract, { result }) =>
  contract.fields.filter((field) => field.name !== "pool" && (!field.with || field.with.includes(/** @type {string} */ (result))));

/**
 * The chosen buttons: how it ended, what came besides, who played along.
 * @param {Choices} choices
 * @param {Selection} selection
 * @returns {Patch[]}
 */
export function patchesOf(choices, selection) {
  const contract = contractOf(choices, selection);
  if (!contract) return [];
  const { result, extras, joiners, counts, partner } = selection;
  const main = [...contract.results, ...contract.rare].filter(({ code }) => code === result);
  const besides = contract.extras.filter((extra) => goes(extra, result) && (extra.count ? counts[extra.code] : extras.includes(extra.code)));
  const joined = contract.joiners.map((joiner) => goes(joiner, result) && joiner.results.find(({ code }) => code === joiners[joiner.seat]));
  const partners = contract.partners.filter((one) => one.code === partner && goes(one, result));
  return /** @type {Patch[]} */ ([...main, ...besides, ...joined, ...partners].filter(Boolean));
}

/**
 * Which control still waits: pool, declarer, contract, trump, joiners, partner, counts, result; "" when none does.
 * @param {Choices} choices
 * @param {Selection} selection
 * @param {Role[]} roles
 * @returns {Control | ""}
 */
export function missing(choices, selection, roles) {
  const { declarer, trump, result, joiners, counts, partner, pool } = selection;
  if (choices.antes && pool === null) return "pool";
  if (selection.allPassed) return "";
  const contract = contractOf(choices, selection);
  if (declarer === null) return "declarer";
  if (!contract) return "contract";
  const role = ownerOf(selection, roles);
  if (contract.trumps.length && trump === null) return "trump";
  if (joinersFor(contract, selection, role).some(({ must, seat }) => must && !joiners[seat])) return "joiners";
  if (contract.partners.length && !partner) return "partner";
  if (extrasFor(contract, selection, role, true).some(({ must, code }) => must && !counts[code])) return "counts";
  return result ? "" : "result";
}

/**
 * Times the pool; `[times, plus, by]`: so many times the whole part of pool and plus divided by the third; or the most.
 * @type {(factor: Share, pool: number) => number}
 */
const shareOf = (factor, pool) =>
  typeof factor === "number" ? factor * pool : Array.isArray(factor) ? factor[0] * Math.floor((pool + factor[1]) / factor[2]) : Math.min(factor.most, pool);

/**
 * Tokens by position that the chosen buttons give: fixed ones, shares of the pool, and the antes.
 * @param {Choices} choices
 * @param {Selection} selection
 * @param {Role[]} roles
 * @returns {number[]}
 */
export function tokensOf(choices, selection, roles) {
  const contract = contractOf(choices, selection);
  const owner = contract ? contract.declarers.indexOf(ownerOf(selection, roles)) : -1;
  const patches = patchesOf(choices, selection);
  return roles.map((role) => {
    const place = choices.roles.indexOf(role);
    const start = choices.antes ? choices.antes[place] : 0;
    return patches.reduce((sum, { code, tokens, pool, count }) => {
      const times = count ? /** @type {number} */ (selection.counts[code]) : 1;
      const shared = pool?.[owner] ? shareOf(pool[owner][place], /** @type {number} */ (selection.pool)) : 0;
      return sum + (tokens[owner] ? times * tokens[owner][place] : 0) + shared;
    }, start);
  });
}

/**
 * The same with positions in place of roles.
 * @param {Json} value
 * @param {{ [name: string]: any }} seats
 * @returns {Json}
 */
function seated(value, seats) {
  if (Array.isArray(value)) return value.map((one) => seated(one, seats));
  const seat = /** @type {string} */ (value);
  if (typeof value !== "object") return seat in seats ? seats[seat] : value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name in seats ? seats[name] : name, seated(one, seats)]));
}

/** @type {(patch: { set: Json }, roles: Role[], declarer: Position, count?: number) => Json} */
export const setOf = (patch, roles, declarer, count) =>
  seated(patch.set, { DECLARER: declarer, COUNT: count, ...Object.fromEntries(roles.map((role, position) => [role, position])) });

/**
 * @param {any} under
 * @param {any} over
 * @returns {any}
 */
function laidOver(under, over) {
  if (under === undefined || typeof over !== "object") return over;
  if (Array.isArray(over)) return [...under, ...over];
  return Object.entries(over).reduce((both, [name, value]) => ({ ...both, [name]: laidOver(both[name], value) }), under);
}

/**
 * The report's result, with seats as positions, as the protocol wants it.
 * @param {Choices} choices
 * @param {Selection} selection
 * @param {Role[]} roles
 * @returns {Result}
 */
export function resultOf(choices, selection, roles) {
  const { allPassed, contract, trump, takeover, counts } = selection;
  const declarer = /** @type {Position} */ (selection.declarer);
  const pool = choices.antes ? { pool: /** @type {number} */ (selection.pool) } : {};
  if (allPassed) return { all_passed: true, ...pool };
  const offered = /** @type {Contract} */ (contractOf(choices, selection));
  const numbers = fieldsFor(offered, selection).filter(({ name }) => counts[name]).map(({ name }) => [name, counts[name]]);
  const start = { contract, declarer, ...(trump ? { trump } : {}), ...pool, ...Object.fromEntries(numbers) };
  const patches = [...patchesOf(choices, selection), ...offered.takeovers.filter(({ seat }) => seat === takeover)];
  const owner = takeover ? roles.indexOf(takeover) : declarer;
  return patches.reduce((result, patch) => laidOver(result, setOf(patch, roles, owner, counts[patch.code || ""])), start);
}
