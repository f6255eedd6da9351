// The bar at the foot of the entry: what the taps come to, Save and Undo.

import { byId, show, those, write } from "./dom.js";
import { later } from "./later.js";
import { patchesOf, tokensOf } from "./offers.js";
import { effectText } from "./sentences.js";
import { say } from "./words.js";

/** What the rules call rare in this report, and a pool that is not what the deal before left: to be asked back. */
export function questionsOf({ contract, selection, choices, table, number }) {
  const extras = patchesOf(choices, selection).map((patch) => patch.ask);
  const follows = table.poolFollows(number);
  const gap = follows !== null && follows !== selection.pool && say("pool_gap", { pool: selection.pool, follows });
  return those(contract && contract.asks[selection.trump || ""], ...extras, gap);
}

export function renderBar(entry) {
  write("save", say(entry.asking ? "yes_save" : "save"));
  byId("save").classList.toggle("ready", !entry.waits);
  show("save", !entry.said || entry.selection.declarer !== null || entry.selection.allPassed);
  byId("bar").classList.toggle("tall", entry.correcting);
  write("preview", previewText(entry));
}

function previewText(entry) {
  const { selection, choices, deal, table, waits, said, asking, correcting } = entry;
  if (asking) return questionsOf(entry).join(" ");
  if (waits) return said || say(waits === "result" && entry.quick ? "tap_result" : `choose_${waits}`);
  const tokens = tokensOf(choices, selection, deal.roles);
  const effect = effectText(table.names, tokens, selection.declarer);
  return correcting ? `${effect}. ${later.movesText(table, deal, tokens)}` : effect;
}
