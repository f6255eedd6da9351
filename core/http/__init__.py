"""Helpers for requests and responses."""
