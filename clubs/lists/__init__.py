"""Uploaded lists: find the lists in a file, map their columns to fields, parse their cells."""
