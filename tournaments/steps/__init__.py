"""How anything is done once and safely: refusals, locks, the logbook, and telling the pages that wait."""
