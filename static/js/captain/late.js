// On the page of a dead link: what still waits on this phone is sent, to be kept aside for the organiser.

import { byId, el } from "./dom.js";
import { Outbox } from "./outbox.js";
import { Sender } from "./sender.js";
import { forgetTold } from "./shell.js";
import { say } from "./words.js";

async function main() {
  forgetTold();
  const outbox = await Outbox.open(byId("app").dataset.secret);
  const tell = (kind, text) => byId("notices").append(el("p", { class: `message ${kind}` }, text));
  const sender = new Sender(outbox, {
    onAnswer: async (item, answer) => {
      await outbox.remove(item);
      if (answer.status === "kept") tell("warning", say("kept", item));
      if (answer.status === "refused") tell("error", say("refused", { deal: item.deal, why: answer.problems[0].message }));
    },
    onChange: () => {},
    onSent: () => {},
  });
  for (const item of outbox.having("conflict", "refused")) tell("error", say("left_over", item));
  await sender.wake();
  if (sender.failing) tell("error", say("offline"));
}

main();
