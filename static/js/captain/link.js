// Talking to the server: every request ends, with an answer or with status 0.

/** @import { Reply } from "./types.d.ts" */

const WRONG_CLOCK = 600000;

/** Whether this phone's clock is not the server's: told, and nothing hangs on it. */
export const phone = { clockOff: false };

const PATIENCE = 15000;

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<Reply>}
 */
export async function get(path, options = {}) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), PATIENCE);
  try {
    const response = await fetch(path, { signal: control.signal, cache: "no-store", ...options });
    phone.clockOff = Math.abs(Date.parse(`${response.headers.get("date")}`) - Date.now()) > WRONG_CLOCK;
    const isJson = /json/.test(`${response.headers.get("content-type")}`);
    return { status: response.status, data: isJson ? await response.json() : {} };
  } catch {
    return { status: 0, data: {} };
  } finally {
    clearTimeout(timer);
  }
}

/** @type {(path: string, body: object) => Promise<Reply>} */
export const post = (path, body) =>
  get(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
