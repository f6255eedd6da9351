// What waits on this phone: a report is here before it is shown as saved, until its own answer has settled it.

const OPENING_TIME = 3000; // some phones never answer the first call for a database
const LOCAL = "spadille-outbox:";

/** A key for a report (UUID 4). Over plain http there is no crypto.randomUUID. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
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

/** The browser's small store: where a private window or an old phone has no database. */
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

const memoryStore = () => ({ place: "memory", all: async () => [], put: async () => {}, remove: async () => {} });

/** The reports of one table that wait on this phone, oldest first. `place` says where they are kept. */
export class Outbox {
  constructor(table, store, items) {
    this.table = table;
    this.store = store;
    this.items = items.filter((item) => item.table === table).sort((one, other) => one.order - other.order);
  }

  /** Open the best store there is. What an earlier, poorer one had to take comes along. */
  static async open(table) {
    const local = await localStore().catch(memoryStore);
    const store = await diskStore().catch(() => local);
    for (const item of store === local ? [] : await local.all()) {
      await store.put(item);
      await local.remove(item.key);
    }
    return new Outbox(table, store, await store.all());
  }

  get place() {
    return this.store.place;
  }

  /** Reports with one of these statuses: waiting, conflict, refused, kept. */
  having(...statuses) {
    return this.items.filter((item) => statuses.includes(item.status));
  }

  /** Keep a report, new or changed: done when it is on disk, or cannot be (`place` tells). */
  async put(item) {
    if (!this.items.includes(item)) {
      const newest = Math.max(0, ...this.items.map(({ order }) => order));
      this.items.push(Object.assign(item, { table: this.table, order: Math.max(Date.now(), newest + 1) }));
    }
    await this.attempt((store) => store.put(item));
  }

  async remove(item) {
    this.items = this.items.filter((known) => known !== item);
    await this.attempt((store) => store.remove(item.key));
  }

  async attempt(act) {
    try {
      await act(this.store);
    } catch {
      this.store = memoryStore(); // the disk is full or gone: still here as long as the page is open
    }
  }
}
