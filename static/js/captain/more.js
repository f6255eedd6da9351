// The captain's page's second script: what a deal can be entered without.

import { renderAgreement } from "./agree.js";
import { itemCards, passedCard } from "./cards.js";
import { showCode } from "./codes.js";
import { movesText, selectionOf } from "./correcting.js";
import { later } from "./later.js";
import { renderDeal, renderSheet } from "./sheet.js";

Object.assign(later, { itemCards, movesText, passedCard, renderAgreement, renderDeal, renderSheet, selectionOf, showCode });
