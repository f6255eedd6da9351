// Keeps the captain's page on the phone, so that it starts without a network (https only): of each table the page as the
// server gave it last, and the files that this page names. A new version of the program brings new names, so nothing
// goes stale. What changes something is never kept, nor answered from here; nor is what others answer in the server's place.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const NAME = "captain";
const PAGE = /^\/c\/[^/]+\/$/;
const FILE = /\/static\/[\w./-]+/g;
const LASTING = /\.[0-9a-f]{12}\.\w+$/; // its content never changes under this name
const PATIENCE = 4000; // then the page kept is shown in place of one that does not come
const MOST_PAGES = 4; // as many tables has nobody in an evening

const MARK = "X-Spadille"; // on all that the program answers: see answers.js, which no worker can import
/** @type {{ [ending: string]: RegExp }} */
const KINDS = { js: /javascript/, css: /^text\/css/, svg: /^image\/svg/, woff2: /font/ }; // a proxy may serve files without the mark

const LOOK = { ignoreSearch: true, ignoreVary: true };
/** @type {(named: { url: string }) => boolean} */
const isPage = ({ url }) => PAGE.test(new URL(url).pathname);

/**
 * Whether the program has answered, and not whoever sits between.
 * @param {Response | undefined} response
 */
const isOurs = (response) => response !== undefined && response.headers.has(MARK) && !response.redirected;

/**
 * Whether a file is what its name says.
 * @param {string} url
 * @param {Response | undefined} response
 */
function isFile(url, response) {
  if (!response || !response.ok || response.redirected) return false;
  const kind = KINDS[`${new URL(url, location.origin).pathname.split(".").pop()}`];
  return kind ? kind.test(`${response.headers.get("content-type")}`) : response.headers.has(MARK);
}

/**
 * What was kept of a page: none where it is not the program's.
 * @param {string} url
 */
async function keptPage(url) {
  const kept = await (await caches.open(NAME)).match(url, LOOK);
  return isOurs(kept) ? kept : undefined;
}

/**
 * Keep a file unless it is here for good.
 * @param {Cache} cache
 * @param {string} name
 */
async function putFile(cache, name) {
  if (LASTING.test(name) && isFile(name, await cache.match(name, LOOK))) return;
  const response = await fetch(name);
  if (isFile(name, response)) await cache.put(name, response);
}

/**
 * A kept page goes with the files that no other page names; tables that were long ago give way.
 * @param {Cache} cache
 */
async function tidy(cache) {
  const keys = await cache.keys();
  const pages = keys.filter(isPage);
  for (const old of pages.splice(0, Math.max(0, pages.length - MOST_PAGES))) await cache.delete(old);
  const texts = await Promise.all(pages.map(async (known) => /** @type {Response} */ (await cache.match(known)).text()));
  const unnamed = keys.filter((key) => !isPage(key) && !texts.some((text) => text.includes(new URL(key.url).pathname)));
  for (const key of unnamed) await cache.delete(key);
}

/** @type {Promise<unknown>} */
let turn = Promise.resolve();

/**
 * One after the other, as they came: what was slow must not take the place of what is newer.
 * @param {string} url
 * @param {Response} response
 */
function keep(url, response) {
  turn = turn.then(() => put(url, response)).catch(() => {});
  return turn;
}

/**
 * Put a page and its files in the place of what was kept of this table; a table that is unknown leaves nothing.
 * @param {string} url
 * @param {Response} response
 */
async function put(url, response) {
  if (!isOurs(response)) return;
  const cache = await caches.open(NAME);
  if (response.ok || response.status === 410) {
    const files = [...new Set((await response.clone().text()).match(FILE))];
    await Promise.allSettled(files.map((name) => putFile(cache, name)));
  } else if (response.status !== 404) return;
  await cache.delete(url, LOOK); // the newest page is the last key
  if (response.status !== 404) await cache.put(url, response);
  await tidy(cache);
}

/**
 * The page from the network; without one, or where it fails or is slow, the page kept.
 * @param {FetchEvent} event
 */
async function page(event) {
  const url = event.request.url.replace(/[?#].*/, "");
  const kept = await keptPage(url);
  const asked = fetch(event.request).then((response) => {
    event.waitUntil(keep(url, response.clone()));
    return kept && (response.status >= 500 || !isOurs(response)) ? kept : response;
  });
  event.waitUntil(asked.catch(() => {}));
  const late = new Promise((resolve) => { if (kept) setTimeout(resolve, PATIENCE, kept); });
  return Promise.race([asked, late]).catch(() => kept || Response.error());
}

/** @param {Request} request */
async function file(request) {
  const kept = await (await caches.open(NAME)).match(request, LOOK);
  if (kept && !isFile(request.url, kept)) return fetch(request);
  if (kept && LASTING.test(request.url)) return kept;
  return fetch(request).then((response) => (kept && !isFile(request.url, response) ? kept : response), () => kept || Response.error());
}

/** The pages that were open before there was a worker. */
async function begin() {
  await worker.clients.claim();
  const open = await worker.clients.matchAll({ type: "window" });
  await Promise.allSettled(open.filter(isPage).map(async ({ url }) => keep(url.replace(/[?#].*/, ""), await fetch(url))));
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  if (PAGE.test(pathname)) event.respondWith(page(event));
  else if (pathname.startsWith("/static/")) event.respondWith(file(event.request));
});
