"""People over the years: what the ledger says of a player, a club or a union beyond one evening."""
