// To be told on this phone: asked for with a button, and taken back with one. Who the reader is comes from where they said so
// (mine.js), with the link that led here: “#12 Anna”. What of this page is shown by how things stand says data-when.

import { kept } from "./mine.js";

const box = /** @type {HTMLElement} */ (document.getElementById("phone"));
const { code = "", key = "", ask = "", stop = "", worker = "" } = box.dataset;
const TOLD = "spadille-phone"; // for which tournaments this phone is told, and of which player (“”: of none)

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

/** @returns {Record<string, string>} */
function told() {
  try {
    return JSON.parse(localStorage.getItem(TOLD) || "{}");
  } catch {
    return {};
  }
}

/** @param {Record<string, string>} of */
function keep(of) {
  try {
    localStorage.setItem(TOLD, JSON.stringify(of));
  } catch {
    // then it is asked for again
  }
}

/** Whose seats: their number, and their name where the link has it. */
function who() {
  const [, number = "", name = ""] = /^#(\d+) ?(.*)/.exec(decodeURIComponent(location.hash)) || [];
  return { number: number || kept("player").numbers?.[code] || "", name };
}

/** @type {() => Promise<ServiceWorkerRegistration | undefined>} */
const registered = () => navigator.serviceWorker.getRegistration(worker.replace(/[^/]*$/, ""));

/**
 * Send to the server; its words where it refuses.
 * @param {string} url
 * @param {object} body
 */
async function send(url, body) {
  const answer = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  if (answer.ok) return;
  const { message } = await answer.json();
  throw new Refused(message);
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
  await send(ask, { ...(await subscribed()).toJSON(), key, number: number ? Number(number) : null });
  keep({ ...told(), [code]: number });
  return show("on");
}

async function end() {
  const subscription = await (await registered())?.pushManager.getSubscription();
  if (subscription) await send(stop, { endpoint: subscription.endpoint });
  const others = told();
  delete others[code];
  keep(others);
  if (!Object.keys(others).length) await subscription?.unsubscribe();
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
  const subscription = await (await registered())?.pushManager.getSubscription();
  return show(subscription && told()[code] === number ? "on" : "off");
}

box.querySelector("[data-do=begin]")?.addEventListener("click", doing(begin));
box.querySelector("[data-do=end]")?.addEventListener("click", doing(end));
addEventListener("hashchange", start);
start();
