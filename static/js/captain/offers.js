// What may be reported, looked up in the server's table of choices: no rule of the game is here. A report is the
// patches of the chosen buttons laid over each other, its effect the sum of their tokens.
//
// A selection is {declarer, contract, trump, result, extras, joiners, allPassed, pool}: a position, codes, a code by
// seat, and the tokens in the pool where there is one.

export const EMPTY = Object.freeze({
  declarer: null, contract: null, trump: null, result: null, extras: [], joiners: {}, allPassed: false, pool: null,
});

/** Nothing tapped yet; the pool stays as it is. */
export const emptied = ({ pool }) => ({ ...EMPTY, pool });

/** Roles that may declare anything, in the order of play. */
export const declarerRoles = ({ roles, contracts }) =>
  roles.filter((role) => contracts.some(({ declarers }) => declarers.includes(role)));

/** Contracts on offer to a role; before anybody is chosen those that the active players share. */
export const contractsFor = ({ contracts }, role) =>
  contracts.filter(({ declarers }) => (role ? declarers.includes(role) : declarers.length > 1));

export const contractOf = ({ contracts }, { contract }) => contracts.find(({ id }) => id === contract) || null;

/** Tokens by role that a button gives with this declarer; nothing if it is not theirs. */
const given = (contract, patch, role) => patch.tokens[contract.declarers.indexOf(role)];

const allows = (contract, patch, role) => !role || given(contract, patch, role);
const goes = (extra, result) => !result || extra.with.includes(result);
const extrasOf = ({ extras }, selection) => extras.filter(({ code }) => selection.extras.includes(code));

/** Main results ("results") or what takes their place ("rare"), less those that a chosen extra rules out. */
export const resultsFor = (contract, selection, role, kind) =>
  contract[kind].filter((patch) => allows(contract, patch, role) && extrasOf(contract, selection).every((extra) => goes(extra, patch.code)));

export const extrasFor = (contract, { result }, role) =>
  contract.extras.filter((extra) => allows(contract, extra, role) && goes(extra, result));

/** Those who play along, or may. */
export const joinersFor = (contract, { result }, role) =>
  contract.joiners.filter((joiner) => allows(contract, joiner.results[0], role) && goes(joiner, result));

/** The chosen buttons: how it ended, what came besides, who played along. */
export function patchesOf(choices, selection) {
  const contract = contractOf(choices, selection);
  if (!contract) return [];
  const { result, joiners } = selection;
  const main = [...contract.results, ...contract.rare].filter(({ code }) => code === result);
  const joined = contract.joiners.map((joiner) => goes(joiner, result) && joiner.results.find(({ code }) => code === joiners[joiner.seat]));
  return [...main, ...extrasOf(contract, selection), ...joined].filter(Boolean);
}

/** Which control still waits for a tap: declarer, contract, trump, joiners, result, pool; "" when there is none. */
export function missing(choices, selection, roles) {
  const { declarer, trump, result, joiners, pool } = selection;
  if (choices.antes && pool === null) return "pool";
  if (selection.allPassed) return "";
  const contract = contractOf(choices, selection);
  if (declarer === null) return "declarer";
  if (!contract) return "contract";
  if (contract.trumps.length && !trump) return "trump";
  if (joinersFor(contract, selection, roles[declarer]).some(({ must, seat }) => must && !joiners[seat])) return "joiners";
  return result ? "" : "result";
}

/** Tokens by position that the chosen buttons give: fixed ones, shares of the pool, and the antes. */
export function tokensOf(choices, selection, roles) {
  const contract = contractOf(choices, selection);
  const of = (amounts) => (amounts ? amounts[contract.declarers.indexOf(roles[selection.declarer])] : null);
  const patches = patchesOf(choices, selection);
  return roles.map((role) => {
    const place = choices.roles.indexOf(role);
    const at = (amounts) => (amounts ? amounts[place] : 0);
    const start = at(choices.antes);
    return patches.reduce((sum, { tokens, pool }) => sum + at(of(tokens)) + at(of(pool)) * selection.pool, start);
  });
}

/** The same with positions in place of roles. */
function seated(value, seats) {
  if (Array.isArray(value)) return value.map((one) => seated(one, seats));
  if (typeof value !== "object") return value in seats ? seats[value] : value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name in seats ? seats[name] : name, seated(one, seats)]));
}

const setOf = (patch, roles, declarer) =>
  seated(patch.set, { DECLARER: declarer, ...Object.fromEntries(roles.map((role, position) => [role, position])) });

function laidOver(under, over) {
  if (under === undefined || typeof over !== "object") return over;
  if (Array.isArray(over)) return [...under, ...over];
  return Object.entries(over).reduce((both, [name, value]) => ({ ...both, [name]: laidOver(both[name], value) }), under);
}

/** The report's result, with seats as positions, as the protocol wants it. */
export function resultOf(choices, selection, roles) {
  const { allPassed, contract, declarer, trump } = selection;
  const pool = choices.antes ? { pool: selection.pool } : {};
  if (allPassed) return { all_passed: true, ...pool };
  const start = { contract, declarer, ...(trump ? { trump } : {}), ...pool };
  return patchesOf(choices, selection).reduce((result, patch) => laidOver(result, setOf(patch, roles, declarer)), start);
}

function within(part, whole) {
  if (whole === undefined || typeof part !== "object") return part === whole;
  if (Array.isArray(part)) return part.every((one) => whole.includes(one));
  return Object.entries(part).every(([name, value]) => within(value, whole[name]));
}

/** The selection that a reported result came from, as far as buttons can say it. */
export function selectionOf(choices, result, outcome, roles) {
  const { contract, declarer, trump = null, pool = null } = result || {};
  if (!contract) return { ...EMPTY, pool, allPassed: Boolean(result && result.all_passed) };
  const offered = contractOf(choices, { contract });
  const said = (patch) => within(setOf(patch, roles, declarer), result);
  const codeOf = (patch) => (patch ? patch.code : null);
  const mains = [...offered.rare, ...offered.results];
  const joined = offered.joiners.map(({ seat, results }) => [seat, codeOf(results.find(said))]);
  return {
    ...EMPTY, declarer, contract, trump, pool, extras: offered.extras.filter(said).map(codeOf), joiners: Object.fromEntries(joined),
    result: codeOf(mains.find(said) || mains.find(({ code }) => code === outcome)),
  };
}
