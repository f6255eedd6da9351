// Shows what this phone is told, also while no page is open, and opens the page that it is about (see phone.js).
// Where the browser gives the phone another address, it says so to the server, which goes on telling it there.
// It answers nothing else: its scope is an address where there is no page.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** @typedef {{ title: string, body: string, url: string, tag: string, lang: string, icon: string }} Told see tournaments/push/words.py */

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
 * @param {{ oldSubscription?: PushSubscription, newSubscription?: PushSubscription }} event some browsers say neither
 */
async function moved({ oldSubscription, newSubscription }) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(OWN);
  if (!kept) return;
  const { endpoint, key } = await kept.json();
  const how = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = newSubscription ?? await worker.registration.pushManager.subscribe(how);
  const body = JSON.stringify({ ...subscription.toJSON(), was: oldSubscription?.endpoint ?? endpoint, key });
  const answer = await fetch(new URL("moved", location.href), { method: "POST", headers: { "Content-Type": "application/json" }, body });
  // Else the page says it, once it is opened again.
  if (answer.ok) await cache.put(OWN, new Response(JSON.stringify({ endpoint: subscription.endpoint, key })));
}

worker.addEventListener("pushsubscriptionchange", (event) => {
  /** @type {ExtendableEvent} */ (event).waitUntil(moved(/** @type {any} */ (event)));
});
worker.addEventListener("install", () => worker.skipWaiting());
