// How a deal ended: the main results with what they pay, who plays along, and behind "more" what is rare.

import { byId, el, fillGroup, show } from "./dom.js";
import { extrasFor, joinersFor, missing, resultsFor, tokensOf } from "./offers.js";
import { amountText, named } from "./sentences.js";
import { say } from "./words.js";

const ONE_ROW = 3; // as many results have room for their amounts

export function fillResults(entry) {
  const { contract, selection, choices, deal, role } = entry;
  const { names } = entry.table;
  const button = (patch, chosen) => ({ code: patch.code, label: named(patch.name || choices.names[patch.code], deal.roles, names), chosen });
  const oneRow = Boolean(contract) && contract.results.length <= ONE_ROW;
  const results = (kind) =>
    (contract ? resultsFor(contract, selection, role, kind) : []).map((patch) => {
      const then = { ...selection, result: patch.code };
      const pays = missing(choices, then, deal.roles) ? "" : amountText(tokensOf(choices, then, deal.roles), selection.declarer, oneRow);
      return { ...button(patch, patch.code === selection.result), small: pays };
    });
  const main = results("results");
  const rare = results("rare");
  const extras = contract ? extrasFor(contract, selection, role) : [];
  const joiners = contract && role ? joinersFor(contract, selection, role) : [];
  const other = (code) => (code === selection.result ? null : code);
  byId("result").classList.toggle("many", !oneRow);
  fillGroup(byId("result"), main, (code) => entry.tapResult({ result: entry.quick ? code : other(code) }));
  fillJoiners(entry, joiners.filter((joiner) => joiner.must || entry.wide), button);
  fillGroup(byId("extras"), extras.map((extra) => button(extra, selection.extras.includes(extra.code))), (code) =>
    entry.tap({ extras: toggled(contract, selection.extras, code) }),
  );
  fillGroup(byId("instead"), rare, (code) => entry.tap({ result: other(code), extras: [], joiners: {} }));
  const more = rare.length + extras.length > 0 || joiners.some((joiner) => !joiner.must);
  show("more", more);
  byId("more").setAttribute("aria-expanded", String(entry.wide));
  show("rare", more && entry.wide);
}

/** An extra more or less; those that exclude each other give way to the later tap. */
function toggled(contract, chosen, code) {
  if (chosen.includes(code)) return chosen.filter((one) => one !== code);
  const { without } = contract.extras.find((extra) => extra.code === code);
  return [...chosen.filter((one) => !without.includes(one)), code];
}

/** A row of tricks for each player who plays along, or may. */
function fillJoiners(entry, joiners, button) {
  const { selection, deal } = entry;
  const place = byId("joiners");
  const seats = joiners.map((joiner) => joiner.seat).join();
  if (place.dataset.seats !== seats) {
    place.dataset.seats = seats;
    place.replaceChildren(...joiners.flatMap(() => [el("p", { class: "line" }), el("div", { class: "group tricks", role: "group" })]));
  }
  joiners.forEach(({ seat, must, results }, number) => {
    const [line, group] = [place.children[2 * number], place.children[2 * number + 1]];
    line.textContent = say(must ? "joins" : "may_join", { name: entry.table.names[deal.roles.indexOf(seat)] });
    group.setAttribute("aria-label", line.textContent);
    fillGroup(group, results.map((patch) => button(patch, selection.joiners[seat] === patch.code)), (code) => {
      const again = selection.joiners[seat] === code && !must;
      entry.tapResult({ joiners: { ...selection.joiners, [seat]: again ? undefined : code } });
    });
  });
}
