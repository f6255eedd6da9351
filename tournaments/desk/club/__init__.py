"""Pages of a club beyond one evening: seasons, championships, rules, log."""
