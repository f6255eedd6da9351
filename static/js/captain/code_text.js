// Writes reports as the letters of a code: tournaments/ledger/report_codes.py says how, and reads them.

import { seal } from "./code_seal.js";

/** @typedef {Pick<Report, "key" | "deal" | "base" | "result" | "reason" | "turns"> & { made_at?: string | null }} Written */
/** @import { Json } from "./choices.d.ts" */
/** @import { Report } from "./types.d.ts" */

const VERSION = 2;
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const SHORT_KEY = "00000000-0000-8000-8000-00";
const EPOCH = Date.UTC(2020, 0, 1);
export const WORDS = (
  "contract declarer trump outcome won bete kodille S H D C all_passed simple_game solo tricks tout" +
  " spade_game tourne simple_nolo pure_nolo nolo_ouvert grand_tourne spade_solo kaske mort mort_nolo" +
  " exchange_nolo nolo grand grandissimo casco play entrada voltereta vuelta gascarola contrabola" +
  " spadille_force ask_leave ombre tournee tournee_respect 0 1 2 3 4 played_out five_first first_five_by" +
  " led_sixth claimed_after abandoned declarer_has_played foul joined idle_abandoned exchange_repeated aces" +
  " pool estuches turned bonus_bid before_trick accepted_by takeover won_by partner failed simple_loss" +
  " simple_remis piccolo_remis crocodile_lunch contraprimeras contranolo vole_failed vole remise lost" +
  " cuatro primeras talking_ouvert OPP none both FH MH BH IDLE H3 H4 ELD MID DLR nine_matadors mort_spadille" +
  " five_tricks six_tricks seven_tricks eight_tricks nine_tricks"
).split(" ");

/** @type {(number: number, width: number) => string} */
export const binary = (number, width) => number.toString(2).padStart(width, "0");
/** @type {(bits: string, unit: number) => string} */
const filled = (bits, unit) => bits.padEnd(Math.ceil(bits.length / unit) * unit, "0");
/** @type {(bits: string, unit: number) => number[]} */
const parts = (bits, unit) => (filled(bits, unit).match(new RegExp(`.{${unit}}`, "g")) || []).map((part) => parseInt(part, 2));
/** @type {(text: string) => number[]} */
const utf8 = (text) => [...new TextEncoder().encode(text)];

/**
 * @param {number} number
 * @returns {string}
 */
function numberBits(number) {
  const more = Math.floor(number / 8);
  return (more ? "1" : "0") + binary(number % 8, 3) + (more ? numberBits(more) : "");
}

/** @param {string} text */
function textBits(text) {
  const bytes = utf8(text);
  return numberBits(bytes.length) + bytes.map((byte) => binary(byte, 8)).join("");
}

/** @param {string} text */
function wordBits(text) {
  const place = WORDS.indexOf(text);
  if (place < 0) return `11110${textBits(text)}`;
  return place < 16 ? `00${binary(place, 4)}` : `01${binary(place - 16, 7)}`;
}

/**
 * @param {Json | null} value
 * @returns {string}
 */
function valueBits(value) {
  if (value === null) return "1111111";
  if (typeof value === "boolean") return value ? "111110" : "1111110";
  if (typeof value === "string") return wordBits(value);
  if (typeof value === "number" && value >= 0 && value < 4) return `10${binary(value, 2)}`;
  if (typeof value === "number") return `1110${value < 0 ? 1 : 0}${numberBits(Math.abs(value))}`;
  const inside = Array.isArray(value) ? value : Object.entries(value).flat();
  const kind = Array.isArray(value) ? "1101" : "1100";
  return kind + numberBits(Array.isArray(value) ? inside.length : inside.length / 2) + inside.map(valueBits).join("");
}

/** @param {Written} item */
function reportBits({ key, deal, base, turns, made_at: madeAt, reason, result }) {
  const short = key.startsWith(SHORT_KEY);
  const digits = [...key.replace(/-/g, "").slice(short ? -10 : -32)];
  const minutes = Math.floor((Date.parse(madeAt || "") - EPOCH) / 60000);
  return [
    short ? "0" : "1", ...digits.map((digit) => binary(parseInt(digit, 16), 4)), numberBits(deal), numberBits(base),
    numberBits(typeof turns === "number" ? turns + 1 : 0),
    binary(minutes >= 0 && minutes < 2 ** 24 ? minutes : 0, 24), textBits(reason || ""), valueBits(/** @type {Json | null} */ (result)),
  ].join("");
}

/**
 * @param {number} part
 * @param {number} place
 */
function group(part, place) {
  const digits = [29791, 961, 31, 1].map((power) => Math.floor(part / power) % 31);
  const check = digits.reduce((sum, digit, at) => sum + (at + 1) * digit, 5 * place) % 31;
  return [...digits, check].map((digit) => ALPHABET[digit]).join("");
}

/**
 * The code of these reports of one table, sealed with its link's secret, in groups with blanks between them.
 * @param {Written[]} items
 * @param {string} secret
 */
export function writeCode(items, secret) {
  const said = `${binary(VERSION, 4)}${items.map((item) => `1${reportBits(item)}`).join("")}0`;
  const sealed = [...seal(parts(said, 8), utf8(secret), 4)].map((byte) => binary(byte, 8)).join("");
  return parts(said + sealed, 19).map(group).join(" ");
}
