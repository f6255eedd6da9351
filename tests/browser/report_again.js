// Stored results as the correction of a deal begins with them, reported again as they stand.
async ([choices, roles, stored]) => {
  const o = await import("/static/js/captain/offers.js");
  return stored.map(([result, outcome]) => o.resultOf(choices, o.selectionOf(choices, result, outcome, roles), roles));
}
