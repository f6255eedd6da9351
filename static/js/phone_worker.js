// Shows what this phone is told, also while no page is open, and opens the page that it is about (see phone.js).
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
worker.addEventListener("install", () => worker.skipWaiting());
