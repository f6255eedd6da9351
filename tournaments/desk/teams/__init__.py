"""Pairs and teams."""
