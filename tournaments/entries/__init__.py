"""Who takes part, under which name."""
