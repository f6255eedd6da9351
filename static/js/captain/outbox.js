// What this phone has reported, and what it asks of the desk: kept before it is shown as saved, and sent. A report is kept on
// once it is stored, until the link is dead, since the server may be set back to an older backup.

import { recall } from "./memory.js";
import { isItem } from "./valid.js";

/** @import { Answer, CallKept, Item, Place, Report, Status, Store } from "./types.d.ts" */

const OPENING_TIME = 3000; // some phones never answer the first call for a database
const LOCAL = "spadille-outbox:";
/** @type {Place[]} */
const PLACES = ["disk", "store", "memory"];
const MOST_DELIVERED = 200; // of all tables that this phone has been at

/** @type {(one: Item, other: Item) => number} */
const byAge = (one, other) => one.order - other.order;
/** @type {(item: Item) => boolean} */
const isDelivered = ({ status }) => status === "delivered";
/**
 * @param {Item} item
 * @returns {item is CallKept}
 */
const isCall = (item) => Boolean(item.call);

/** A key for a report (UUID 8): 40 bits by lot tell a table's reports apart, and are short to type in a code. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(5));
  return `00000000-0000-8000-8000-00${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** @returns {Promise<Store>} */
async function diskStore() {
  const database = await new Promise((resolve, reject) => {
    setTimeout(reject, OPENING_TIME);
    const request = indexedDB.open("spadille", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("outbox", { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  });
  /** @type {(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest) => Promise<any>} */
  const run = (mode, act) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction("outbox", mode);
      const request = act(transaction.objectStore("outbox"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = reject;
    });
  return {
    place: "disk",
    all: () => run("readonly", (store) => store.getAll()),
    put: (item) => run("readwrite", (store) => store.put(item)),
    remove: (key) => run("readwrite", (store) => store.delete(key)),
  };
}

/**
 * The browser's small store: where a private window or an old phone has no database, or none with room.
 * @returns {Promise<Store>}
 */
async function localStore() {
  localStorage.setItem(LOCAL, "tried");
  localStorage.removeItem(LOCAL);
  return {
    place: "store",
    all: async () => Object.keys(localStorage).filter((name) => name.startsWith(LOCAL)).map((name) => recall(name.slice("spadille-".length))),
    put: async (item) => localStorage.setItem(LOCAL + item.key, JSON.stringify(item)),
    remove: async (key) => localStorage.removeItem(LOCAL + key),
  };
}

/**
 * What a store holds; what is no item goes. One that cannot be read has nothing.
 * @param {Store} store
 * @returns {Promise<Item[]>}
 */
async function readAll(store) {
  const found = await store.all().catch(() => []);
  for (const odd of found.filter((item) => !isItem(item))) await store.remove(`${odd?.key}`).catch(() => {});
  return found.filter(isItem).map((item) => ({ ...item, place: store.place }));
}

/** The reports of one table that this phone keeps, oldest first as given; each says in which place it is kept. */
export class Outbox {
  /**
   * @param {string} table
   * @param {Store[]} stores
   * @param {Item[]} items
   */
  constructor(table, stores, items) {
    this.table = table;
    this.stores = stores;
    this.items = items.filter((item) => item.table === table);
  }

  /**
   * Open the stores there are, and bring what lies in a poorer one into the best.
   * @param {string} table
   */
  static async open(table) {
    const opened = [diskStore(), localStore()].map((store) => store.catch(() => null));
    const stores = /** @type {Store[]} */ ((await Promise.all(opened)).filter(Boolean));
    navigator.storage?.persist(); // not to be cleared for room
    const found = await Promise.all(stores.map(readAll));
    const items = found.flat().sort(byAge);
    const outbox = new Outbox(table, stores, items);
    await outbox.improve();
    outbox.forget(items.filter(isDelivered).slice(0, -MOST_DELIVERED));
    return outbox;
  }

  /**
   * The poorest place that a report is in which the server may lack; the best one where there are none.
   * @returns {Place}
   */
  get place() {
    const best = this.stores.length ? this.stores[0].place : "memory";
    const places = this.items.filter((item) => !isDelivered(item)).map(({ place }) => /** @type {Place} */ (place));
    return PLACES[Math.max(...[best, ...places].map((place) => PLACES.indexOf(place)))];
  }

  /**
   * Reports with one of these statuses: waiting, conflict, refused, kept, delivered.
   * @param {Status[]} statuses
   * @returns {Report[]}
   */
  having(...statuses) {
    return /** @type {Report[]} */ (this.items.filter((item) => statuses.includes(item.status) && !isCall(item)));
  }

  /**
   * Calls of the organiser, marks for later and marks taken back (`call`: as they are sent), with one of these statuses.
   * @param {Status[]} statuses
   */
  calls(...statuses) {
    return this.items.filter(isCall).filter(({ status }) => statuses.includes(status));
  }

  /** How much is to be sent. */
  get left() {
    return this.waiting.length + this.calls("waiting").length;
  }

  /** Reports to be sent. */
  get waiting() {
    return this.having("waiting");
  }

  /** Reports that the server had, the last of each deal. */
  get delivered() {
    return this.having("delivered");
  }

  /**
   * Keep a report, new or changed, in the best place that takes it: `item.place`.
   * @param {Item} item
   */
  async put(item) {
    if (!this.items.includes(item)) {
      const newest = Math.max(0, ...this.items.map(({ order }) => order));
      this.items.push(Object.assign(item, { table: this.table, order: Math.max(Date.now(), newest + 1) }));
    }
    await this.store(item);
    await this.improve();
  }

  /**
   * Keep an item in the best place; what was removed while others were slow is kept in none.
   * @param {Item} item
   */
  async store(item) {
    item.place = "memory"; // full or gone: still here as long as the page is open
    for (const store of this.stores) {
      const kept = this.items.includes(item) && item.place === "memory" && (await store.put({ ...item, place: store.place }).then(() => true, () => false));
      if (kept) item.place = store.place;
      else await store.remove(item.key).catch(() => {});
    }
  }

  /** Try again for what is not in the best place. */
  async improve() {
    for (const item of this.items) if (this.stores.length && item.place !== this.stores[0].place) await this.store(item);
  }

  /** @param {Item} item */
  async remove(item) {
    this.items = this.items.filter((known) => known !== item);
    for (const store of this.stores) await store.remove(item.key).catch(() => {});
  }

  /**
   * Nothing that was delivered is needed any more.
   * @param {Item[]} items
   */
  async forget(items = this.delivered) {
    for (const item of items) await this.remove(item);
  }

  /**
   * A report's own answer: it stays with what was said. Returns whether the server has it.
   * @param {Report} item
   * @param {Answer} answer
   */
  async settle(item, { status, revision, problems = [], current = null }) {
    const stored = status === "accepted" || status === "duplicate";
    const isFull = problems.some(({ code }) => code === "no_room"); // it is sent again until there is room at the desk
    if (isFull) return Boolean(await this.put(Object.assign(item, { problems })));
    if (stored) await this.forget(this.delivered.filter(({ deal }) => deal === item.deal));
    await this.put(Object.assign(item, { status: stored ? "delivered" : status, revision, problems, current }));
    return stored;
  }
}
