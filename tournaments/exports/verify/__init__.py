"""Recounting everything from the reports."""
