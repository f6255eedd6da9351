"""Backups: one file with the entire database and its photographs, read back before it gets its name."""
