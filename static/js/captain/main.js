// The captain's page: puts its parts together and decides which of them is seen.

import { isOn, startComforts } from "./comfort.js";
import { Desk } from "./desk.js";
import { byId, fill, keepFocus, on, onReturn, press, show, write } from "./dom.js";
import { Entry } from "./entry.js";
import { drawn, hush, startGuard } from "./guard.js";
import { Last } from "./last.js";
import { fetchLater, isLaterHere, later } from "./later.js";
import { get } from "./link.js";
import { TAB, recall, remember } from "./memory.js";
import { Outbox } from "./outbox.js";
import { Reporting } from "./reporting.js";
import { forgetTold, keepTold, newest, startWorker } from "./shell.js";
import { Table } from "./table.js";
import { renderBadge, renderTrouble } from "./trouble.js";
import { isDraft, isState } from "./valid.js";
import { say } from "./words.js";

/** @import { Done, Draft } from "./page.d.ts" */
/** @typedef {{ name: string, number?: number | null }} Spot */
/** @typedef {"entry" | "sheet" | "deal" | "agree" | "menu" | "call" | "first"} View */

// Drawn by the second script.
/** @type {{ [view: string]: "renderSheet" | "renderDeal" | "renderAgreement" | "renderMenu" }} */
const LATE = {
  sheet: "renderSheet", deal: "renderDeal", agree: "renderAgreement", menu: "renderMenu", call: "renderMenu", first: "renderMenu",
};
const VIEWS = /** @type {View[]} */ (["entry", ...Object.keys(LATE)]);
const ENTERING = ["entry", "enter", "correct"];
const POLL = 4000;
const HOLD = 60000;
const TELLING = 6000;

export class Page {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.title = byId("where").textContent;
    this.told = 0; // the version that the stream told last
    this.heard = 0; // and when
    this.soon = 0; // the timer after which it is asked what has changed
    this.silence = 25000; // after which it is dead, though nobody closed it
    this.stream = /** @type {EventSource | undefined} */ (undefined);
    this.draft = `draft:${table.outbox.table}`;
    const onChange = () => this.render();
    const refresh = () => this.refresh();
    this.last = new Last({ onUndo: (done) => this.undo(done), onChange });
    this.reporting = new Reporting(table, { last: this.last, onChange, onSent: () => (this.offline || table.isBehind) && this.refresh() });
    this.desk = new Desk(table, () => this.reporting.sender.wake());
    this.entry = new Entry(table, {
      onSave: () => this.save(),
      onTap: ({ number, correcting, selection, seen }) => {
        this.keepDraft({ name: this.place.name, number, correcting, selection, seen, reason: byId("reason").value });
        if (this.entry.isPassed) this.render();
      },
      redraw: onChange,
      onCancel: () => { location.hash = "sheet"; },
      careful: () => isOn("careful"),
    });
    startComforts(onChange);
    on("mark-later", "click", () => this.mark(/** @type {number} */ (this.entry.number)));
    window.addEventListener("hashchange", () => this.go());
    onReturn(refresh);
  }

  async start() {
    this.go();
    await this.reporting.recover(this.table.missing);
    this.reporting.sender.wake();
    setInterval(() => this.watch(), POLL);
    setInterval(() => document.hidden || !this.desk.enters || this.desk.hold(false), HOLD);
    await this.desk.hold(false);
    this.render();
    await this.fetchLater();
  }

  /** Hear of changes by a stream of events; ask where it tells nothing. A browser has six connections to a server. */
  watch() {
    if (document.hidden) return this.stream?.close();
    if (this.heard && Date.now() - this.heard > this.silence) {
      this.stream?.close();
      this.heard = 0;
    }
    if (!this.stream || this.stream.readyState > 1) {
      this.stream = new EventSource("events");
      this.stream.addEventListener("every", ({ data }) => { this.silence = 1700 * Number(data) || this.silence; });
      this.stream.addEventListener("version", ({ data }) => {
        this.told = JSON.parse(data).version;
        this.heard = this.told && Date.now(); // 0: the server does not watch this table
        // Not all tables at once; and a report of ours has its answer first, which brings the version too.
        const ask = () => {
          this.soon = 0;
          if (this.told !== this.table.version) this.refresh();
        };
        this.soon = this.soon || setTimeout(ask, 500 + 1000 * Math.random());
      });
    }
    const isTold = this.stream.readyState && this.heard;
    return isTold && !this.isOffline && isLaterHere() ? null : this.refresh();
  }

  /** Fetch what a deal can be entered without, and show what waits for it. */
  async fetchLater() {
    if (isLaterHere() || !(await fetchLater())) return;
    if (this.hasGoneAhead) this.go();
    else this.render();
  }

  /**
   * Where the address's last part says we are: "deal-17" is the view `deal` of number 17.
   * @returns {Spot}
   */
  get place() {
    const [name, number] = location.hash.slice(1).split("-");
    if ([...ENTERING, "deal"].includes(name) && this.table.known.has(Number(number))) return { name, number: Number(number) };
    if (name !== "deal" && VIEWS.slice(1).includes(/** @type {View} */ (name))) return { name };
    const home = this.heldDeal || this.table.next;
    return { name: home === null ? "agree" : "entry", number: home };
  }

  /**
   * The deal that is being tapped stays in sight, whoever reports it meanwhile; null if none is.
   * @returns {number | null}
   */
  get heldDeal() {
    const { name, number, selection } = this.keptDraft || { name: "", number: null };
    const isTapped = name === "entry" && selection && (selection.declarer !== null || selection.contract !== null || selection.allPassed);
    return isTapped && number && this.table.known.has(number) && !this.table.marked.has(number) ? number : null;
  }

  /**
   * What is seen: where another phone enters, its sheet in place of the entry.
   * @returns {View}
   */
  get view() {
    const { name } = this.place;
    return !ENTERING.includes(name) ? /** @type {View} */ (name) : this.desk.enters ? "entry" : "sheet";
  }

  /** Whether what is to be seen waits for the second script. */
  get isComing() {
    return (this.view in LATE || this.place.name === "correct") && !isLaterHere();
  }

  /** @returns {Draft | null} */
  get keptDraft() {
    const draft = recall(this.draft, TAB);
    return isDraft(draft) ? draft : null;
  }

  /** @param {Draft | null} draft */
  keepDraft(draft) {
    remember(this.draft, draft, TAB);
  }

  /**
   * Open the entry with what was tapped before a reload or a look elsewhere.
   * @param {Spot} place
   */
  openEntry({ name, number }) {
    const deal = /** @type {number} */ (number);
    const correcting = name === "correct" && Boolean(this.table.deal(deal).result);
    const draft = this.keptDraft;
    this.entry.open(deal, draft?.number === deal && draft.name === name ? draft : { correcting });
  }

  /** Show what the address says, from its top; a correction that is not saved is left only when asked for. */
  go() {
    const { entry, place: { name, number } } = this;
    const stays = entry.correcting && name === "correct" && number === entry.number;
    if (stays) return this.render();
    if (entry.isChanged) return later.askToLeave(this, location.hash);
    if (ENTERING.includes(name) && !this.isComing) this.openEntry(this.place);
    this.hasGoneAhead = this.isComing;
    show("back-form", false);
    fill("code");
    this.render();
    window.scrollTo(0, 0);
    if (this.view === "sheet" && !this.isComing) later.showLine(this.line);
    this.line = number && name !== "entry" ? number : null;
    return hush();
  }

  /** Draw what is seen again; what is being tapped stays. */
  render() {
    drawn(() => keepFocus(() => this.draw()));
  }

  draw() {
    const { table, desk, reporting, place, view, isComing } = this;
    const { name, number } = place;
    const { sender } = reporting;
    if (ENTERING.includes(name) && !isComing && this.entry.number !== number) this.openEntry(place);
    for (const one of VIEWS) show(one, one === view && table.facts.started && !isComing);
    write("starting", say("not_here_yet"));
    show("starting", isComing);
    if (view === "entry" && !isComing) this.entry.render();
    if (view in LATE && !isComing) later[LATE[view]](table, this);
    this.last.render(table, view === "entry" ? this.entry : null);
    const deal = /** @type {number} */ (number);
    press(byId("mark-later"), table.marked.has(deal));
    const folder = table.facts.folders[deal - 1];
    const ahead = folder ? "deal_folder" : "deal_of";
    /** @type {{ [view: string]: string }} */
    const titles = { entry: ahead, enter: ahead, correct: "correcting", deal: folder ? ahead : "deal" };
    const title = titles[name];
    write("where", title && table.facts.started ? say(title, { deal: number, deals: table.facts.deals, folder }) : this.title);
    const atHome = ["entry", "agree"].includes(name);
    for (const tab of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".tab"))) tab.hidden = !table.facts.started || tab.classList.contains("back") === atHome;
    if (!this.dead) keepTold(table.outbox.table, table.snapshot);
    renderBadge(table, this.isOffline);
    const takeOver = async () => {
      await desk.hold(true);
      this.render();
      this.focusFirst();
    };
    renderTrouble(table, { dead: this.dead || sender.dead, holder: desk.holder, takeOver }, isLaterHere() ? later.decisions(this) : []);
  }

  async save() {
    if (this.saving) return; // a second tap of the same finger
    this.saving = true;
    hush();
    const { entry, place: { name, number } } = this;
    const home = entry.correcting ? "sheet" : "";
    const said = await this.reporting.save(/** @type {Entry & { number: number }} */ (entry));
    this.saving = false;
    write("said", said);
    if (entry.number === number) {
      this.keepDraft(null);
      entry.number = null;
    }
    if (name !== "entry" && this.place.name === name) location.hash = home;
    this.render();
    hush();
    this.focusFirst();
  }

  /** What was pressed has gone: the focus goes to what is to be done next. */
  focusFirst() {
    const next = /** @type {HTMLElement | null} */ (document.querySelector(".view:not([hidden]) .group button, .view:not([hidden]) .agrees button"));
    next?.focus({ preventScroll: true });
  }

  /** @param {Done} done */
  async undo({ item, mark }) {
    if (!item) return this.mark(mark);
    this.entry.remark = "";
    await this.reporting.undo(item);
    write("said", say("undone", item));
    const hash = item.before ? `correct-${item.deal}` : item.deal === this.table.next ? "" : `enter-${item.deal}`;
    return this.reopen(hash, item.deal, { ...item, seen: this.table.seen(item.deal), correcting: Boolean(item.before) });
  }

  /**
   * Mark a deal for later, or take its mark back.
   * @param {number} deal
   */
  async mark(deal) {
    const isLater = !this.table.marked.has(deal);
    await this.desk.mark(deal, isLater);
    const said = say(isLater ? "flag_open_later" : "unmarked", { deal });
    write("said", said);
    this.last.offer(isLater ? { said, label: say("unmark"), mark: deal } : null);
    this.render();
  }

  /**
   * Open the entry of a deal with these taps.
   * @param {string} hash
   * @param {number} number
   * @param {Partial<Draft>} draft
   */
  reopen(hash, number, { correcting = false, selection, seen, reason = "", problems = [] }) {
    this.keepDraft({ name: hash.split("-")[0] || "entry", number, correcting, selection, seen, reason, problems });
    this.entry.number = null;
    if (location.hash.slice(1) === hash) this.go();
    else location.hash = hash;
  }

  /**
   * Show a passing message over the page, where it moves nothing.
   * @param {string} text
   */
  tell(text) {
    write("said", text);
    write("toast", text);
    clearTimeout(this.telling);
    show("toast", true);
    this.telling = setTimeout(show, TELLING, "toast", false);
  }

  /** The link is dead: the page that says so takes the place of the one kept on this phone. */
  forget() {
    forgetTold();
    if (this.dead !== "unknown") this.table.outbox.forget(); // a restored backup may not know the link, the next one may
    fetch("./").catch(() => {}); // for the worker alone
  }

  get isOffline() {
    return this.offline || this.reporting.sender.failing;
  }

  get network() {
    return `${this.offline} ${this.dead}`;
  }

  /**
   * Ask what has changed at the table, or for the whole of it.
   * @returns {Promise<unknown>}
   */
  async refresh(whole = false) {
    const { version, sequence, facts } = this.table;
    const { meaning, data } = await get(whole || !facts.started ? "state" : `state?v=${version}&seq=${sequence}`, isState);
    const before = this.network;
    const isNew = meaning === "done";
    this.offline = meaning !== "same" && meaning !== "dead" && !isNew;
    this.dead = meaning === "dead" ? data.error : "";
    const reseated = isNew && data.partial && data.table.turns !== facts.turns;
    if (reseated) return this.refresh(true); // every deal's roles have changed
    const missing = isNew ? this.table.adopt(data) : [];
    await this.reporting.recover(missing);
    if (this.dead && before !== this.network) this.forget();
    if (!this.offline && this.reporting.sender.failing) this.reporting.sender.wake();
    if (isNew || before !== this.network) this.render();
    return this.offline ? null : this.fetchLater();
  }
}

async function main() {
  startGuard();
  startWorker();
  const { secret } = /** @type {{ secret: string }} */ (/** @type {unknown} */ (byId("app").dataset));
  const outbox = await Outbox.open(secret);
  await new Page(new Table(newest(JSON.parse(byId("state").textContent), secret), outbox)).start();
}

main();
