"""Duplicate boards (kortmapper): the same cards at every table, in numbered folders."""
