// The bar at the foot of the entry: what the taps come to, and Save; while something is asked, yes and no alone.

import { byId, show, those, write } from "./dom.js";
import { later } from "./later.js";
import { patchesOf, tokensOf } from "./offers.js";
import { effectText } from "./sentences.js";
import { say } from "./words.js";

/** @import { Choices, Selection } from "./choices.d.ts" */
/** @import { Entry } from "./entry.js" */

/** @type {(choices: Choices, selection: Selection) => string[]} */
const rareTaps = (choices, selection) => those(...patchesOf(choices, selection).map((patch) => patch.ask));

/**
 * What the rules call rare in this report, and a pool that is not what the deal before left: to be asked back.
 * @param {Entry} entry
 */
export function rareIn({ contract, selection, choices, table, number, quick }) {
  // The tap on a result has saved: what is rare in it is said beside the way back (`toutText`).
  const extras = quick ? [] : rareTaps(choices, selection);
  const follows = table.poolFollows(/** @type {number} */ (number));
  const gap = follows !== null && follows !== selection.pool && say("pool_gap", { pool: selection.pool, follows });
  return those(contract?.asks[selection.trump || ""], ...extras, gap);
}

/**
 * What is rare in a result that is saved by its tap, as a tout; "" where nothing is.
 * @param {Entry} entry
 */
export const toutText = ({ choices, selection, quick }) => (quick ? rareTaps(choices, selection).join(" ") : "");

/** @param {Entry} entry */
export function renderBar(entry) {
  const { question, correcting, waits, quick } = entry;
  const isAsking = question !== null;
  write("preview", question?.text ?? previewText(entry));
  write("save", question?.yes ?? say("save"));
  write("no", question?.no ?? say("cancel"));
  show("no", isAsking || correcting);
  show("save", isAsking || !quick || waits !== "result");
  show("correction", correcting && !isAsking);
  byId("save").classList.toggle("ready", isAsking || !waits);
  byId("bar").classList.toggle("tall", isAsking || correcting);
  byId("bar").classList.toggle("asking", isAsking || Boolean(entry.problem || entry.remark));
  show("at-deal", !correcting);
  show("was", correcting);
  if (correcting) later.renderCorrection(entry);
}

/** @param {Entry} entry */
function previewText(entry) {
  if (entry.problem || entry.remark) return entry.problem || entry.remark;
  const { selection, choices, deal, table, waits, correcting, quick } = entry;
  if (waits) return say(waits === "result" && quick ? "tap_result" : `choose_${waits}`);
  const tokens = tokensOf(choices, selection, deal.roles);
  const effect = effectText(table.names, tokens, selection.declarer);
  return correcting ? later.correctedText(entry, effect, tokens) : effect;
}
