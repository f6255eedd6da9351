// The captain's page's second script: what a deal can be entered without.

import { renderAgreement } from "./agree.js";
import { renderMenu } from "./menu.js";
import { showCode } from "./codes.js";
import { startContrast } from "./contrast.js";
import { askToLeave, correctedText, renderCorrection, selectionOf } from "./correcting.js";
import { decisions } from "./deciding.js";
import { later } from "./later.js";
import { renderDeal, renderSheet, showLine } from "./sheet.js";
import { startStaying } from "./staying.js";

/** @import { Later } from "./page.d.ts" */

Object.assign(later, /** @satisfies {Later} */ ({
  askToLeave, correctedText, decisions, renderAgreement, renderMenu, renderCorrection, renderDeal, renderSheet, selectionOf,
  showCode, showLine,
}));

startContrast();
startStaying();
