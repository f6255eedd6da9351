// The captain's page: puts its parts together and decides which of them is seen.

import { isOn, startComforts } from "./comfort.js";
import { Desk } from "./desk.js";
import { byId, fill, on, onReturn, sayAt, show, write } from "./dom.js";
import { Entry } from "./entry.js";
import { fetchLater, isLaterHere, later } from "./later.js";
import { get, phone } from "./link.js";
import { TAB, recall, remember } from "./memory.js";
import { Outbox } from "./outbox.js";
import { Reporting } from "./reporting.js";
import { forgetTold, keepTold, newest, startWorker } from "./shell.js";
import { Table } from "./table.js";
import { renderBadge, renderTrouble, showCodes } from "./trouble.js";
import { say } from "./words.js";

const VIEWS = ["entry", "sheet", "deal", "agree", "menu", "call", "first"];
const LATE = { sheet: "renderSheet", deal: "renderDeal", agree: "renderAgreement" }; // drawn by the second script
const ENTERING = ["entry", "enter", "correct"];
const POLL = 4000;
const HOLD = 60000;
const TELLING = 6000;

class Page {
  constructor(table) {
    this.table = table;
    this.title = byId("where").textContent;
    this.draft = `draft:${table.outbox.table}`;
    const onChange = () => this.render();
    const refresh = () => this.refresh();
    this.reporting = new Reporting(table, { onChange, onSent: refresh, look: (item) => this.look(item) });
    this.desk = new Desk(table, { tell: (text) => this.tell(text), refresh, send: () => this.reporting.sender.wake() });
    this.entry = new Entry(table, {
      onSave: () => this.save(),
      onTap: ({ number, correcting, selection, seen }) => {
        this.keepDraft({ name: this.place.name, number, correcting, selection, seen, reason: byId("reason").value });
        if (this.entry.isPassed) this.render();
      },
      careful: () => isOn("careful"),
    });
    startComforts(onChange);
    on("show-code", "click", () => showCodes(table.outbox.waiting));
    on("undo", "click", () => this.undo());
    on("mark-later", "click", () => this.mark(this.entry.number));
    on("deal-later", "click", () => this.mark(this.place.number));
    on("deal-back", "click", () => {
      this.seen = table.seen(this.place.number);
      show("back-form", true);
    });
    on("back-form", "submit", (event) => this.takeBack(event));
    window.addEventListener("hashchange", () => this.go());
    onReturn(refresh);
  }

  async start() {
    this.go();
    await this.reporting.recover(this.table.missing);
    this.reporting.sender.wake();
    setInterval(() => document.hidden || this.refresh(), POLL);
    setInterval(() => document.hidden || !this.desk.enters || this.desk.hold(false), HOLD);
    await this.desk.hold(false);
    this.render();
    await this.fetchLater();
  }

  /** Fetch what a deal can be entered without, and show what waits for it. */
  async fetchLater() {
    if (isLaterHere() || !(await fetchLater())) return;
    if (this.place.name === "correct") this.go();
    else this.render();
  }

  /** Where the address's last part says we are: "deal-17" is the view `deal` of number 17. */
  get place() {
    const [name, number] = location.hash.slice(1).split("-");
    if ([...ENTERING, "deal"].includes(name) && this.table.known.has(Number(number))) return { name, number: Number(number) };
    if (VIEWS.slice(3).concat("sheet").includes(name)) return { name };
    const home = this.heldDeal || this.table.next;
    return { name: home === null ? "agree" : "entry", number: home };
  }

  /** The deal that is being tapped stays in sight, whoever reports it meanwhile; null if none is. */
  get heldDeal() {
    const { name, number, selection } = recall(this.draft, TAB) || {};
    const isTapped = name === "entry" && selection && (selection.declarer !== null || selection.contract !== null || selection.allPassed);
    return isTapped && this.table.known.has(number) && !this.table.marked.has(number) ? number : null;
  }

  /** What is seen: where another phone enters, its sheet in place of the entry. */
  get view() {
    const { name } = this.place;
    return !ENTERING.includes(name) ? name : this.desk.enters ? "entry" : "sheet";
  }

  /** Whether what is to be seen waits for the second script. */
  get isComing() {
    return (this.view in LATE || this.place.name === "correct") && !isLaterHere();
  }

  keepDraft(draft) {
    remember(this.draft, draft, TAB);
  }

  /** Open the entry with what was tapped before a reload or a look elsewhere. */
  openEntry({ name, number }) {
    const correcting = name === "correct" && Boolean(this.table.deal(number).result);
    const draft = recall(this.draft, TAB);
    this.entry.open(number, draft && draft.number === number && draft.name === name ? draft : { correcting });
  }

  /** Show what the address says, from its top. */
  go() {
    if (ENTERING.includes(this.place.name) && !this.isComing) this.openEntry(this.place);
    show("back-form", false);
    fill("code");
    this.render();
    window.scrollTo(0, 0);
  }

  /** Draw what is seen again; what is being tapped stays. */
  render() {
    const { table, desk, reporting, place, view, isComing } = this;
    const { name, number } = place;
    const { sender } = reporting;
    if (name === "entry" && this.entry.number !== number) this.openEntry(place);
    for (const one of VIEWS) show(one, one === view && table.facts.started && !isComing);
    write("starting", say("not_here_yet"));
    show("starting", isComing);
    if (view === "entry" && !isComing) this.entry.render();
    if (view in LATE && !isComing) later[LATE[view]](table, { number, refresh: () => this.refresh() });
    desk.render();
    const folder = table.facts.folders[number - 1];
    const ahead = folder ? "deal_folder" : "deal_of";
    const title = { entry: ahead, enter: ahead, correct: "correcting", deal: folder ? ahead : "deal" }[name];
    write("where", title && table.facts.started ? say(title, { deal: number, deals: table.facts.deals, folder }) : this.title);
    const atHome = ["entry", "agree"].includes(name);
    for (const tab of document.querySelectorAll(".tab")) tab.hidden = !table.facts.started || tab.classList.contains("back") === atHome;
    if (!this.dead) keepTold(table.outbox.table, table.snapshot);
    renderBadge(table, { offline: this.offline || sender.failing, clockOff: phone.clockOff });
    const takeOver = () => desk.hold(true).then(() => this.render());
    const isPassed = view === "entry" && !isComing && !this.saving && this.entry.isPassed;
    const passed = isPassed && { entry: this.entry, giveWay: () => this.giveWay(), goOver: () => this.goOver() };
    renderTrouble(table, { dead: this.dead || sender.dead, holder: desk.holder, takeOver, passed }, reporting);
  }

  async save() {
    if (this.saving) return; // a second tap of the same finger
    this.saving = true;
    const said = await this.reporting.save(this.entry);
    this.saving = false;
    this.keepDraft(null);
    write("said", said);
    if (ENTERING.slice(1).includes(this.place.name)) location.hash = this.entry.correcting ? "sheet" : "";
    this.entry.number = null;
    this.render();
    this.entry.said = said;
    if (this.entry.number !== null) this.entry.render();
  }

  async undo() {
    const item = await this.reporting.undo();
    if (!item) return;
    write("said", say("undone", item));
    const hash = item.before ? `correct-${item.deal}` : item.deal === this.table.next ? "" : `enter-${item.deal}`;
    this.reopen(hash, item.deal, { ...item, seen: this.table.seen(item.deal), correcting: Boolean(item.before) });
  }

  /** A refused report back into the entry, with what was wrong at its place. */
  async look(item) {
    await this.reporting.drop(item);
    const correcting = Boolean(this.table.deal(item.deal).result);
    this.reopen(`${correcting ? "correct" : "enter"}-${item.deal}`, item.deal, { ...item, seen: { revision: item.base }, correcting });
  }

  reopen(hash, number, { correcting = false, selection, seen, reason = "", problems = [] }) {
    this.keepDraft({ name: hash.split("-")[0] || "entry", number, correcting, selection, seen, reason, problems });
    if (location.hash.slice(1) === hash) this.go();
    else location.hash = hash;
  }

  async takeBack(event) {
    event.preventDefault();
    const reason = byId("back-reason").value.trim();
    sayAt("back", reason ? "" : say("reason_missing"));
    if (!reason) return;
    const { number } = this.place;
    if (this.table.isChanged(number, this.seen)) {
      this.seen = this.table.seen(number);
      return sayAt("back", say("changed_meanwhile", { deal: number }));
    }
    await this.reporting.takeBack(number, this.table.revisionSeen(this.seen), reason);
    byId("back-reason").value = "";
    location.hash = "sheet";
    return null;
  }

  /** What was tapped gives way to what somebody else has reported meanwhile. */
  giveWay() {
    this.keepDraft(null);
    this.entry.number = null;
    if (location.hash) location.hash = "sheet";
    else this.go();
  }

  goOver() {
    this.entry.goOver();
    this.render();
  }

  /** Mark a deal for later, or take its mark back. */
  async mark(deal) {
    await this.desk.mark(deal, !this.table.marked.has(deal));
    this.render();
  }

  /** Show a passing message over the page, where it moves nothing. */
  tell(text) {
    byId("said").textContent = byId("toast").textContent = text;
    clearTimeout(this.telling);
    show("toast", true);
    this.telling = setTimeout(show, TELLING, "toast", false);
  }

  /** The link is dead: the page that says so takes the place of the one kept on this phone. */
  forget() {
    forgetTold();
    if (this.dead !== "unknown") this.table.outbox.forget(); // a restored backup may not know the link, the next one may
    get("./");
  }

  get network() {
    return `${this.offline} ${this.dead}`;
  }

  /** Ask what has changed at the table, or for the whole of it. */
  async refresh(whole = false) {
    const { version, sequence, facts } = this.table;
    const { status, data } = await get(whole || !facts.started ? "state" : `state?v=${version}&seq=${sequence}`);
    const before = this.network;
    this.offline = status === 0 || status >= 500;
    this.dead = status === 410 || status === 404 ? data.error : "";
    const reseated = status === 200 && data.partial && data.table.turns !== facts.turns;
    if (reseated) return this.refresh(true); // every deal's roles have changed
    const missing = status === 200 ? this.table.adopt(data) : [];
    await this.reporting.recover(missing);
    if (this.dead && before !== this.network) this.forget();
    if (!this.offline && this.reporting.sender.failing) this.reporting.sender.wake();
    if (status === 200 || before !== this.network) this.render();
    return this.offline ? null : this.fetchLater();
  }
}

async function main() {
  startWorker();
  const { secret } = byId("app").dataset;
  const outbox = await Outbox.open(secret);
  await new Page(new Table(newest(JSON.parse(byId("state").textContent), secret), outbox)).start();
}

main();
