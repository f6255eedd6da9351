"""Backups: one file with the whole database and its photographs, read back before it gets its name."""
