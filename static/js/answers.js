// The one way to ask our server for anything, and to know its answers from others. A login page of the hall's Wi-Fi, a proxy or
// a router may answer in the server's place, with any status and any text: only a response that carries the program's own
// header, and that was not redirected, is an answer. All else is the same as no network.

/** @typedef {{ status: number, ok: boolean, data: any }} Answer status 0 where nothing came from our server */
/** @typedef {RequestInit & { patience?: number, read?: (response: Response) => Promise<any> }} Asking */

const MARK = "X-Spadille"; // core/middleware.py sets it on every response
const PATIENCE = 15000; // ms, for the whole response
/** @type {Answer} */
const NONE = Object.freeze({ status: 0, ok: false, data: null });

/** @type {(told: { get(name: string): string | null }) => boolean} */
export const isOurs = (headers) => headers.get(MARK) !== null;

/**
 * Parse a response by its content type: JSON, else text.
 * @param {Response} response
 * @returns {Promise<any>}
 */
const parse = (response) => (/^application\/(\w+\+)?json\b/.test(`${response.headers.get("content-type")}`) ? response.json() : response.text());

/**
 * Fetch, and read the whole response: it ends within `patience`, with an answer of our server's or with none.
 * @param {string | URL} address
 * @param {Asking} asking
 * @returns {Promise<Answer>}
 */
export async function ask(address, { patience = PATIENCE, read = parse, ...options } = {}) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), patience);
  try {
    const response = await fetch(address, { signal: control.signal, redirect: "error", ...options });
    const { status, ok, headers } = response;
    if (!isOurs(headers)) return NONE;
    return { status, ok, data: await read(response) };
  } catch {
    return NONE;
  } finally {
    clearTimeout(timer);
  }
}
