// What each answer of the server's means to this phone. `answers.js` tells the server's answers from others; here each must
// have a status of the protocol, JSON, and the shape that was asked for. Whatever has not is no connection.

import { ask } from "../answers.js";
import { isDead, isRefusal } from "./valid.js";

/** @import { Meaning, Reply } from "./types.d.ts" */
/** @import { Is } from "./valid.js" */

/** @type {Reply} */
const NO_ANSWER = Object.freeze({ meaning: "none", data: {} });
// Others (redirects, 304, 403, 5xx …) are no answers to what a phone asks.
/** @type {{ [status: number]: Meaning }} */
const MEANINGS = { 200: "done", 204: "same", 400: "refused", 404: "dead", 409: "refused", 410: "dead", 413: "refused", 429: "full" };

/**
 * Ask, and validate the answer: `isDone` says whether the data of a 200 is what was asked for.
 * @param {string} path
 * @param {Is} isDone
 * @param {RequestInit} options
 * @returns {Promise<Reply>}
 */
export async function get(path, isDone, options = {}) {
  const { status, data } = await ask(path, { cache: "no-store", ...options });
  const meaning = MEANINGS[status];
  /** @type {{ [meaning: string]: Is }} */
  const checks = { done: isDone, same: () => !options.method, refused: isRefusal, full: isRefusal, dead: isDead };
  if (!meaning || !checks[meaning](data)) return NO_ANSWER;
  return { meaning, data };
}

/** @type {(path: string, isDone: Is, body: object) => Promise<Reply>} */
export const post = (path, isDone, body) =>
  get(path, isDone, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
