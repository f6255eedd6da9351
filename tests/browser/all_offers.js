// Every contract, declarer, result and rare result, each extra alone, each joiner's account: [result, tokens] of each.
async () => {
  const offers = await import("/static/js/captain/offers.js");
  const { choices, seatings } = JSON.parse(document.querySelector("#state").textContent);
  const [{ roles }] = seatings;
  const all = [];
  const add = (selection) => {
    if (offers.missing(choices, selection, roles)) return;
    all.push([offers.resultOf(choices, selection, roles), offers.tokensOf(choices, selection, roles)]);
  };
  const tricksOf = (...patches) =>
    patches.flatMap(({ set }) => Object.values(set.tricks || {})).reduce((sum, tricks) => sum + tricks, 0);
  for (const role of offers.declarerRoles(choices)) {
    for (const contract of offers.contractsFor(choices, role)) {
      const trump = contract.trumps[contract.trumps.length - 1] || null;
      const base = { ...offers.EMPTY, declarer: roles.indexOf(role), contract: contract.id, trump };
      for (const patch of ["results", "rare"].flatMap((kind) => offers.resultsFor(contract, base, role, kind))) {
        const chosen = { ...base, result: patch.code };
        add(chosen);
        for (const extra of offers.extrasFor(contract, chosen, role)) add({ ...chosen, extras: [extra.code] });
        for (const joiner of offers.joinersFor(contract, chosen, role)) {
          for (const account of joiner.results.filter((one) => tricksOf(patch, one) <= 9)) {
            add({ ...chosen, joiners: { [joiner.seat]: account.code } });
          }
        }
      }
    }
  }
  return all;
}
