"""What a club keeps beyond one evening: seasons, championships, rules, log."""
