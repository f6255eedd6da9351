// What a table's deals come to.

import { isReported, total } from "./table.js";

/** @import { Table } from "./table.js" */

/**
 * Tokens by position over all deals.
 * @param {Table} table
 */
export function totalsOf(table) {
  const played = table.deals.filter(isReported);
  return table.names.map((name, position) => total(played.map(({ tokens }) => tokens[position])));
}

/**
 * Where pairs or teams meet, what each seat and the one opposite have won together; else nothing.
 * @param {Table} table
 */
export function sideTotals(table) {
  const totals = totalsOf(table);
  return table.facts.sides ? totals.map((tokens, position) => tokens + totals[(position + 2) % 4]) : [];
}

/**
 * What lies in the pool after the last deal reported.
 * @param {Table} table
 */
export function poolLeft(table) {
  const last = table.deals.filter(isReported).pop();
  return /** @type {number} */ (table.poolBefore(last ? last.number + 1 : 1)) + total(/** @type {number[]} */ (table.choices.antes));
}

/**
 * How many of the deals not yet reported each seat deals.
 * @param {Table} table
 */
export function dealsToDeal(table) {
  const open = table.deals.filter((deal) => !deal.result);
  return table.names.map((name, position) => open.filter((deal) => deal.dealer === position).length);
}
