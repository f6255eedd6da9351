"""Figures, on demand: `make bench`. Nothing here decides whether a test passes; absolutes vary with the machine."""
