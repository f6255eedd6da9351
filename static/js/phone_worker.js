// Shows what this phone is told, also while no page is open, and opens the page that it is about (see phone.js).
// Where the browser gives the phone another address, it says so to the server, which goes on telling it there.
// It answers nothing else: its scope is an address where there is no page.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** @typedef {{ title: string, body: string, url: string, tag: string, lang: string, icon: string }} Told see tournaments/changes/push_messages.py */

worker.addEventListener("push", (event) => {
  if (!event.data) return;
  const { title, url, ...said } = /** @type {Told} */ (event.data.json());
  const how = { ...said, data: url, renotify: true }; // what is newer rings again, in the place of what was shown
  event.waitUntil(worker.registration.showNotification(title, how));
});

/**
 * To the page, where it is open already, or anew.
 * @param {string} url
 */
async function open(url) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const { href } = new URL(url, location.origin);
  const there = pages.find((page) => page.url.replace(/#.*/, "") === href);
  return there ? there.focus() : worker.clients.openWindow(href);
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});
const [NAME, OWN] = ["spadille-phone", new URL("own", location.href).href]; // kept by phone.js

/**
 * What the old address was is what the server was told last, not what the browser says.
 * @param {{ newSubscription?: PushSubscription }} event some browsers do not say it
 */
async function moved({ newSubscription }) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(OWN);
  if (!kept) return;
  const { endpoint, auth, key } = await kept.json();
  const how = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = newSubscription ?? await worker.registration.pushManager.subscribe(how);
  const told = subscription.toJSON();
  const body = JSON.stringify({ ...told, was: endpoint, was_auth: auth, key });
  const answer = await fetch(new URL("moved", location.href), { method: "POST", headers: { "Content-Type": "application/json" }, body });
  // Else, also where the Wi-Fi's login page has answered (see answers.js), the page says it, once it is opened again.
  if (answer.ok && answer.headers.has("X-Spadille")) await cache.put(OWN, new Response(JSON.stringify({ endpoint: told.endpoint, auth: told.keys?.auth, key })));
}

worker.addEventListener("pushsubscriptionchange", (event) => {
  /** @type {ExtendableEvent} */ (event).waitUntil(moved(/** @type {any} */ (event)));
});
worker.addEventListener("install", () => worker.skipWaiting());
