"""Pairs and teams: put together, their matches and line-ups, their places."""
