// Every button of every contract once, with what it needs beside it: the reports and the tokens shown for them.
async ([choices, roles, pool]) => {
  const o = await import("/static/js/captain/offers.js");
  const made = [];
  const add = (selection) => {
    if (o.missing(choices, selection, roles)) return;
    made.push({ result: o.resultOf(choices, selection, roles), tokens: o.tokensOf(choices, selection, roles) });
  };
  const start = { ...o.EMPTY, pool: choices.antes ? pool : null };
  if (choices.all_passed) add({ ...start, allPassed: true });
  for (const contract of choices.contracts) {
    for (const role of contract.declarers) {
      const declared = {
        ...start, contract: contract.id, declarer: roles.indexOf(role), trump: o.trumpsOf(contract).length ? o.trumpsOf(contract).pop() : null,
      };
      for (const patch of [...o.resultsFor(contract, declared, role, "results"), ...o.resultsFor(contract, declared, role, "rare")]) {
        const ended = { ...declared, result: patch.code };
        const joined = o.joinersFor(contract, ended, role).filter(({ must }) => must).map(({ seat, results }) => [seat, results[0].code]);
        const counted = o.extrasFor(contract, ended, role, true).map(({ code, count }) => [code, count[0] + 1]);
        const partners = o.partnersFor(contract, ended, role);
        const whole = {
          ...ended, joiners: Object.fromEntries(joined), counts: Object.fromEntries(counted), partner: partners.length ? partners.pop().code : null,
        };
        add(whole);
        for (const { code } of o.extrasFor(contract, ended, role)) add({ ...whole, extras: [code] });
        for (const field of o.fieldsFor(contract, ended)) add({ ...whole, counts: { ...whole.counts, [field.name]: field.maximum } });
      }
      for (const { seat } of o.takeoversFor(contract, role)) {
        const taken = { ...declared, takeover: seat };
        for (const patch of o.resultsFor(contract, taken, role, "results")) {
          const counted = o.extrasFor(contract, { result: patch.code }, seat, true).map(({ code }) => [code, 1]);
          add({ ...taken, result: patch.code, counts: Object.fromEntries(counted) });
        }
      }
    }
  }
  return made;
}
