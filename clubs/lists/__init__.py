"""Uploaded lists: find the lists in a file, choose what their columns mean, read their cells."""
