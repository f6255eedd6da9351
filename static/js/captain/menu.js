// The menu: where the deals are, and what a table says to the desk besides them: a call, and who deals first.

import { phoneText } from "./desk.js";
import { byId, el, fill, fillGroup, press, sayAt, show, those, write } from "./dom.js";
import { post } from "./link.js";
import { TAB, recall, remember } from "./memory.js";
import { showCodes } from "./trouble.js";
import { isHeard } from "./valid.js";
import { say } from "./words.js";

/** @import { Position } from "./choices.d.ts" */
/** @import { Page } from "./main.js" */
/** @import { Table } from "./table.js" */

/**
 * The words of a call, kept over a reload and another language.
 * @param {string} words
 */
function keepWords(words) {
  byId("call-words").value = words;
  remember("call", words, TAB);
}

/**
 * Call the organiser: kept on the phone's disk first, as everything.
 * @param {Page} page
 * @param {string} words
 */
async function call(page, words) {
  await page.desk.ask({ kind: "call", deal: null, words });
  page.render();
}

/**
 * The reasons that are called with a tap; while a call is open the others sleep, and "Undo" takes it back.
 * @param {Table} table
 * @param {Page} page
 */
function renderCall({ asked }, page) {
  const open = asked.filter(({ kind }) => kind === "call").pop();
  const isThere = Boolean(open && !open.waits);
  write("called-state", say(!open ? "call_about" : isThere ? "called" : "call_kept"));
  write("called-text", open && isThere ? open.words : say(open || page.isOffline ? "raise_hand" : "one_tap"));
  byId("called").classList.toggle("on", isThere);
  show("call-undo", open);
  byId("call-undo").onclick = async () => {
    if (open) await page.desk.takeBack(open);
    page.render();
  };
  for (const button of byId("call-reasons").querySelectorAll("button")) {
    const words = `${/** @type {Element} */ (button.querySelector("span")).textContent}`;
    const isOpen = open?.words === words;
    press(button, isOpen);
    button.setAttribute("aria-disabled", `${Boolean(open) && !isOpen}`);
    button.onclick = () => open || call(page, words);
  }
}

/**
 * @param {Page} page
 * @param {Position} position
 */
async function setFirstDealer(page, position) {
  const { meaning, data } = await post("first-dealer", isHeard, { position });
  if (meaning !== "done") return sayAt("first", data.message || say("not_sent"));
  sayAt("first", "");
  location.hash = "";
  page.tell(say("first_dealer_set", { name: page.table.names[position] }));
  return page.refresh();
}

/**
 * Where the deals are, in sentences.
 * @param {Table} table
 * @param {Page} page
 */
function renderPlace({ saved, outbox }, { isOffline, desk }) {
  const waiting = outbox.left;
  const { place } = outbox;
  const more = those(isOffline && "offline", place !== "disk" && `place_${place}`);
  write("place", [say("place", { saved, waiting }), ...more.map((name) => say(name)), say("this_phone", { phone: phoneText(desk.phone) })].join(" "));
  show("show-code", outbox.waiting.length > 0);
  byId("show-code").onclick = () => showCodes(outbox.waiting);
}

/**
 * @param {Table} table
 * @param {Page} page
 */
export function renderMenu(table, page) {
  const { asked, seats, sequence, outbox, facts } = table;
  renderPlace(table, page);
  renderCall(table, page);
  if (!byId("call").onsubmit) keepWords(recall("call", TAB));
  byId("call-words").oninput = () => keepWords(byId("call-words").value);
  byId("call").onsubmit = (event) => {
    event.preventDefault();
    const words = byId("call-words").value.trim();
    keepWords("");
    call(page, words);
  };
  fill("flags", ...asked.map((flag) => el("p", { class: "message" }, say(`flag_${flag.waits ? "waits" : "open"}_${flag.kind}`, flag))));
  show("first-link", !sequence && !outbox.having("waiting", "delivered").length && !facts.folders.length);
  const buttons = seats.map(({ name, position }) => ({ code: String(position), label: name, chosen: position === facts.first_dealer }));
  fillGroup(byId("first-seats"), buttons, (code) => setFirstDealer(page, Number(code)));
}
