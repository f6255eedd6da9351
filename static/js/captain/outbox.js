// What waits on this phone: a report is here before it is shown as saved, until its own answer has settled it.

const OPENING_TIME = 3000; // some phones never answer the first call for a database
const LOCAL = "spadille-outbox:";
const PLACES = ["disk", "store", "memory"];

/** A key for a report (UUID 8): 40 bits by lot tell a table's reports apart, and are short to type in a code. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(5));
  return `00000000-0000-8000-8000-00${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

async function diskStore() {
  const database = await new Promise((resolve, reject) => {
    setTimeout(reject, OPENING_TIME);
    const request = indexedDB.open("spadille", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("outbox", { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  });
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

/** The browser's small store: where a private window or an old phone has no database, or none with room. */
async function localStore() {
  localStorage.setItem(LOCAL, "tried");
  localStorage.removeItem(LOCAL);
  return {
    place: "store",
    all: async () => Object.keys(localStorage).filter((name) => name.startsWith(LOCAL)).map((name) => JSON.parse(localStorage[name])),
    put: async (item) => localStorage.setItem(LOCAL + item.key, JSON.stringify(item)),
    remove: async (key) => localStorage.removeItem(LOCAL + key),
  };
}

/** The reports of one table that wait on this phone, oldest first; each says in which place it is kept. */
export class Outbox {
  constructor(table, stores, items) {
    Object.assign(this, { table, stores });
    this.items = items.filter((item) => item.table === table).sort((one, other) => one.order - other.order);
  }

  /** Open the stores there are, and bring what lies in a poorer one into the best. */
  static async open(table) {
    const opened = [diskStore(), localStore()].map((store) => store.catch(() => null));
    const stores = (await Promise.all(opened)).filter(Boolean);
    if (navigator.storage && navigator.storage.persist) navigator.storage.persist(); // not to be cleared for room
    const items = await Promise.all(stores.map(async (store) => (await store.all()).map((item) => ({ ...item, place: store.place }))));
    const outbox = new Outbox(table, stores, items.flat());
    await outbox.improve();
    return outbox;
  }

  /** The poorest place that a report is in; the best one where there are none. */
  get place() {
    const best = this.stores.length ? this.stores[0].place : "memory";
    return PLACES[Math.max(...[best, ...this.items.map(({ place }) => place)].map((place) => PLACES.indexOf(place)))];
  }

  /** Reports with one of these statuses: waiting, conflict, refused, kept. */
  having(...statuses) {
    return this.items.filter((item) => statuses.includes(item.status));
  }

  /** Keep a report, new or changed, in the best place that takes it: `item.place`. */
  async put(item) {
    if (!this.items.includes(item)) {
      const newest = Math.max(0, ...this.items.map(({ order }) => order));
      this.items.push(Object.assign(item, { table: this.table, order: Math.max(Date.now(), newest + 1) }));
    }
    await this.store(item);
    await this.improve();
  }

  async store(item) {
    item.place = "memory"; // full or gone: still here as long as the page is open
    for (const store of this.stores) {
      const kept = item.place === "memory" && (await store.put({ ...item, place: store.place }).then(() => true, () => false));
      if (kept) item.place = store.place;
      else await store.remove(item.key).catch(() => {});
    }
  }

  /** Try again for what is not in the best place. */
  async improve() {
    for (const item of this.items) if (this.stores.length && item.place !== this.stores[0].place) await this.store(item);
  }

  async remove(item) {
    this.items = this.items.filter((known) => known !== item);
    for (const store of this.stores) await store.remove(item.key).catch(() => {});
  }

  /** A report's own answer: gone once it is stored there; else it stays with what was said. Returns whether it is stored. */
  async settle(item, { status, revision, problems = [], current = null }) {
    const stored = status === "accepted" || status === "duplicate";
    if (stored) await this.remove(item);
    else await this.put(Object.assign(item, { status, revision, problems, current }));
    return stored;
  }
}
