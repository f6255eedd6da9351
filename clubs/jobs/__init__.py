"""LONG WORK: what takes longer than a page may. It says how far it is, can be left and stopped, is kept for a day."""
