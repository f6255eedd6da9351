"""Duplicate boards and their folders."""
