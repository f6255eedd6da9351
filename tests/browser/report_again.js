// Stored results as the correction of a deal begins with them, reported again as they stand.
async ([choices, roles, stored]) => {
  const { resultOf } = await import("/static/js/captain/offers.js");
  const { selectionOf } = await import("/static/js/captain/correcting.js");
  return stored.map(([result, outcome]) => resultOf(choices, selectionOf(choices, { result, outcome, roles }), roles));
}
