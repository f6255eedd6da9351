"""Figures, on demand: `make bench`. Nothing here decides whether a test passes; absolutes vary with the machine."""

import os

# What a bench imports may ask for a setting as it is read.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
