// To be told on this phone: asked for with a button, and taken back with one. Who the reader is comes from where they said so
// (mine.js), with the link that led here: “#12 Anna”. What of this page is shown by how things stand says data-when; whether
// the phone is told, and of whom, the server says: it forgets phones by itself, and their browsers change their addresses.

import { ask as request } from "./answers.js";
import { kept } from "./mine.js";

const box = /** @type {HTMLElement} */ (document.getElementById("phone"));
const { code = "", key = "", ask = "", stop = "", told = "", worker = "" } = box.dataset;
const SCOPE = worker.replace(/[^/]*$/, "");
const [NAME, OWN] = ["spadille-phone", `${SCOPE}own`]; // where phone_worker.js looks for it

/** What the server has said in words. */
class Refused extends Error {}

/** @param {"cannot" | "denied" | "off" | "on"} state */
function show(state) {
  for (const part of box.querySelectorAll("[data-when]")) {
    const { when = "" } = /** @type {HTMLElement} */ (part).dataset;
    /** @type {HTMLElement} */ (part).hidden = !when.split(" ").includes(state);
  }
}

/** @param {string} text */
function say(text) {
  const said = /** @type {HTMLElement} */ (document.getElementById("phone-said"));
  said.textContent = text;
  said.hidden = !text;
}

/**
 * Keep the phone's address for the worker, which a browser tells of another one without saying what the old one was; and
 * the secret that came with it, by which the server knows that it is this phone that moves.
 * @param {PushSubscription} subscription
 */
async function keep(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  try {
    await (await caches.open(NAME)).put(OWN, new Response(JSON.stringify({ endpoint, auth: keys?.auth, key })));
  } catch {
    // then another address is asked for again
  }
}

/** @returns {Promise<{ endpoint?: string, auth?: string }>} */
async function keptAddress() {
  try {
    return await (await (await caches.open(NAME)).match(OWN))?.json() ?? {};
  } catch {
    return {};
  }
}

/** Whose seats: their number, and their name where the link has it. */
function who() {
  const [, number = "", name = ""] = /^#(\d+) ?(.*)/.exec(decodeURIComponent(location.hash)) || [];
  return { number: number || kept("player").numbers?.[code] || "", name };
}

/** @type {() => Promise<ServiceWorkerRegistration | undefined>} */
const registered = () => navigator.serviceWorker.getRegistration(SCOPE);

/**
 * Send to the server; what it answers, and its words where it refuses.
 * @param {string} url
 * @param {object} body
 */
async function send(url, body) {
  const { ok, data } = await request(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  if (ok && typeof data === "object") return data;
  throw data?.message ? new Refused(data.message) : new Error("no answer");
}

/**
 * How the server tells this phone: whether, of which number, and whether of other tournaments besides.
 * @param {PushSubscription | null | undefined} subscription
 * @returns {Promise<{ told: boolean, number: number | null, others: boolean }>}
 */
async function asKnown(subscription) {
  if (!subscription) return { told: false, number: null, others: false };
  const { endpoint: was, auth: was_auth } = await keptAddress();
  if (was && was !== subscription.endpoint) { // the worker could not say so
    await send(`${SCOPE}moved`, { ...subscription.toJSON(), was, was_auth, key }).then(() => keep(subscription), () => {});
  }
  return send(told, { endpoint: subscription.endpoint });
}

/** @param {ServiceWorkerRegistration} registration */
async function works({ active, installing, waiting }) {
  const coming = installing || waiting;
  if (active || !coming) return;
  await new Promise((resolve) => { coming.addEventListener("statechange", () => coming.state === "activated" && resolve(true)); });
}

/** The phone's address at its browser's push service; one that was asked for with another key is of no use any more. */
async function subscribed() {
  const registration = await navigator.serviceWorker.register(worker, { updateViaCache: "none" });
  await works(registration);
  const how = { userVisibleOnly: true, applicationServerKey: key };
  return registration.pushManager.subscribe(how).catch(async (error) => {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    if (error.name !== "InvalidStateError") throw error;
    return registration.pushManager.subscribe(how);
  });
}

async function begin() {
  if (await Notification.requestPermission() !== "granted") return show(Notification.permission === "denied" ? "denied" : "off");
  const { number } = who();
  const subscription = await subscribed();
  await send(ask, { ...subscription.toJSON(), key, number: number ? Number(number) : null });
  await keep(subscription);
  return show("on");
}

async function end() {
  const subscription = await (await registered())?.pushManager.getSubscription();
  if (subscription) {
    const { others } = await asKnown(subscription); // first: it may move what is to be ended
    await send(stop, { endpoint: subscription.endpoint });
    if (!others) {
      await subscription.unsubscribe();
      await caches.delete(NAME).catch(() => {}); // else the worker would follow it to its next address
    }
  }
  show("off");
}

/** @param {() => Promise<void>} step */
const doing = (step) => async () => {
  const buttons = [...box.querySelectorAll("button")];
  for (const button of buttons) button.disabled = true;
  say("");
  await step().catch((error) => say(error instanceof Refused ? error.message : `${box.dataset.failed}`));
  for (const button of buttons) button.disabled = false;
};

async function start() {
  const { number, name } = who();
  for (const part of box.querySelectorAll("[data-who]")) /** @type {HTMLElement} */ (part).hidden = (/** @type {HTMLElement} */ (part).dataset.who === "known") !== Boolean(number);
  const own = box.querySelector("[data-number]");
  if (own && number) own.textContent = [`${/** @type {HTMLElement} */ (own).dataset.number} ${number}`, name].filter(Boolean).join(" · ");
  if (!isSecureContext || !("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return show("cannot");
  if (Notification.permission === "denied") return show("denied");
  const known = await asKnown(await (await registered())?.pushManager.getSubscription());
  return show(known.told && `${known.number ?? ""}` === number ? "on" : "off");
}

box.querySelector("[data-do=begin]")?.addEventListener("click", doing(begin));
box.querySelector("[data-do=end]")?.addEventListener("click", doing(end));
const begun = () => start().catch(() => show("off")); // without a network: whoever asks hears of it
addEventListener("hashchange", begun);
begun();
