// What may be reported, looked up in the server's table of choices: no rule of the game is here. A report is the
// patches of the chosen buttons laid over each other, its effect the sum of what they give.
//
// A selection is {declarer, contract, trump, result, extras, joiners, counts, partner, takeover, allPassed, pool}: a
// position, codes, a code by seat, numbers by name, a code, a seat, and the tokens in the pool where there is one.
// `trump` is null until it is said, and "" for none where there may be none.

export const EMPTY = Object.freeze({
  declarer: null, contract: null, trump: null, result: null, extras: [], joiners: {}, counts: {}, partner: null, takeover: null,
  allPassed: false, pool: null,
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

/** The suits to choose trumps from, and "" where there may be none. */
export const trumpsOf = (contract) => (contract && contract.trumps.length ? [...contract.trumps, ...(contract.trump_must ? [] : [""])] : []);

/** Whose game it counts as: the declarer's, or whose who took it over. */
const ownerOf = ({ declarer, takeover }, roles) => takeover || roles[declarer];

const mayBeOf = (contract, patch, role) => !role || patch.tokens[contract.declarers.indexOf(role)];
export const goes = (patch, result) => !result || !patch.with || patch.with.includes(result);
export const once = (patches) => patches.filter(({ code }, place) => patches.findIndex((one) => one.code === code) === place);
const allExtrasGo = ({ extras }, selection, result) =>
  selection.extras.every((code) => extras.some((extra) => extra.code === code && goes(extra, result)));

/** Main results ("results") or what takes their place ("rare"), less those that a chosen extra rules out. */
export const resultsFor = (contract, selection, role, kind) =>
  contract[kind].filter((patch) => mayBeOf(contract, patch, selection.takeover || role) && allExtrasGo(contract, selection, patch.code));

/** Whether the chosen result can be this declarer's: nobody loses to himself. */
export function resultStays(choices, selection, roles) {
  const contract = contractOf(choices, selection);
  const patch = contract && [...contract.results, ...contract.rare].find(({ code }) => code === selection.result);
  return !patch || mayBeOf(contract, patch, ownerOf(selection, roles));
}

/** Extras to be tapped, and those of which a number is asked ("counted"). */
export const extrasFor = (contract, { result }, role, counted = false) =>
  once(contract.extras.filter((extra) => Boolean(extra.count) === counted && mayBeOf(contract, extra, role) && goes(extra, result)));

/** Those who play along, or may. */
export const joinersFor = (contract, { result }, role) =>
  contract.joiners.filter((joiner) => mayBeOf(contract, joiner.results[0], role) && goes(joiner, result));

/** Seats of which one is the declarer's partner. */
export const partnersFor = (contract, { result }, role) =>
  once(contract.partners.filter((partner) => partner.seat !== role && goes(partner, result)));

/** Seats that may have taken the game over. */
export const takeoversFor = (contract, role) =>
  contract.takeovers.filter(({ seat }) => role && seat !== role && contract.declarers.includes(seat));

/** Numbers beside those of extras: a pool has its own place. */
export const fieldsFor = (contract, { result }) =>
  contract.fields.filter((field) => field.name !== "pool" && (!field.with || field.with.includes(result)));

/** The chosen buttons: how it ended, what came besides, who played along. */
export function patchesOf(choices, selection) {
  const contract = contractOf(choices, selection);
  if (!contract) return [];
  const { result, extras, joiners, counts, partner } = selection;
  const main = [...contract.results, ...contract.rare].filter(({ code }) => code === result);
  const besides = contract.extras.filter((extra) => goes(extra, result) && (extra.count ? counts[extra.code] : extras.includes(extra.code)));
  const joined = contract.joiners.map((joiner) => goes(joiner, result) && joiner.results.find(({ code }) => code === joiners[joiner.seat]));
  const partners = contract.partners.filter((one) => one.code === partner && goes(one, result));
  return [...main, ...besides, ...joined, ...partners].filter(Boolean);
}

/** Which control still waits: pool, declarer, contract, trump, joiners, partner, counts, result; "" when none does. */
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

/** Times the pool; `[times, plus, by]`: so many times the whole part of pool and plus divided by the third; or the most. */
const shareOf = (factor, pool) =>
  factor.most ? Math.min(factor.most, pool) : Array.isArray(factor) ? factor[0] * Math.floor((pool + factor[1]) / factor[2]) : factor * pool;

/** Tokens by position that the chosen buttons give: fixed ones, shares of the pool, and the antes. */
export function tokensOf(choices, selection, roles) {
  const contract = contractOf(choices, selection);
  const owner = contract ? contract.declarers.indexOf(ownerOf(selection, roles)) : -1;
  const patches = patchesOf(choices, selection);
  return roles.map((role) => {
    const place = choices.roles.indexOf(role);
    const start = choices.antes ? choices.antes[place] : 0;
    return patches.reduce((sum, { code, tokens, pool, count }) => {
      const times = count ? selection.counts[code] : 1;
      const shared = pool && pool[owner] ? shareOf(pool[owner][place], selection.pool) : 0;
      return sum + (tokens[owner] ? times * tokens[owner][place] : 0) + shared;
    }, start);
  });
}

/** The same with positions in place of roles. */
function seated(value, seats) {
  if (Array.isArray(value)) return value.map((one) => seated(one, seats));
  if (typeof value !== "object") return value in seats ? seats[value] : value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name in seats ? seats[name] : name, seated(one, seats)]));
}

export const setOf = (patch, roles, declarer, count) =>
  seated(patch.set, { DECLARER: declarer, COUNT: count, ...Object.fromEntries(roles.map((role, position) => [role, position])) });

function laidOver(under, over) {
  if (under === undefined || typeof over !== "object") return over;
  if (Array.isArray(over)) return [...under, ...over];
  return Object.entries(over).reduce((both, [name, value]) => ({ ...both, [name]: laidOver(both[name], value) }), under);
}

/** The report's result, with seats as positions, as the protocol wants it. */
export function resultOf(choices, selection, roles) {
  const { allPassed, contract, declarer, trump, takeover, counts } = selection;
  const pool = choices.antes ? { pool: selection.pool } : {};
  if (allPassed) return { all_passed: true, ...pool };
  const offered = contractOf(choices, selection);
  const numbers = fieldsFor(offered, selection).filter(({ name }) => counts[name]).map(({ name }) => [name, counts[name]]);
  const start = { contract, declarer, ...(trump ? { trump } : {}), ...pool, ...Object.fromEntries(numbers) };
  const patches = patchesOf(choices, selection);
  if (takeover) patches.push(offered.takeovers.find(({ seat }) => seat === takeover));
  const owner = takeover ? roles.indexOf(takeover) : declarer;
  return patches.reduce((result, patch) => laidOver(result, setOf(patch, roles, owner, counts[patch.code])), start);
}
