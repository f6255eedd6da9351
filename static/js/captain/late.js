// On the page of a dead link: what still waits on this phone is sent, to be kept aside for the organiser, and stays
// listed until the captain has dealt with it.

import { itemCards } from "./cards.js";
import { showCode } from "./codes.js";
import { byId } from "./dom.js";
import { later } from "./later.js";
import { Outbox } from "./outbox.js";
import { Sender } from "./sender.js";
import { forgetTold } from "./shell.js";
import { button, card, fillNotices, showCodes } from "./trouble.js";
import { say } from "./words.js";

/** @import { Item } from "./types.d.ts" */

async function main() {
  Object.assign(later, { showCode });
  forgetTold();
  const outbox = await Outbox.open(/** @type {string} */ (byId("app").dataset.secret));
  await outbox.forget();
  /** @type {(item: Item) => Promise<void>} */
  const drop = (item) => outbox.remove(item).then(render);
  const sender = new Sender(outbox, { onAnswer: (item, answer) => outbox.settle(item, answer), onChange: render, onSent: () => outbox.forget() });

  function render() {
    const { waiting } = outbox;
    const texts = [say("offline"), ...waiting.map((item) => say("left_over", item))];
    const code = button(say("code"), () => showCodes(waiting));
    fillNotices([...(sender.failing && waiting.length ? [card("error", texts, code)] : []), ...itemCards({ names: [], short: [], outbox }, { drop })]);
  }

  await sender.wake();
}

main();
