"""Dates and times as Danish clubs write them, in English too: Django's own English ones are American."""
