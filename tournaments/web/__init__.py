"""Shared by the pages of every audience."""
