"""Statistics over the years of a player, a club or a union, from the ledger."""
