"""Entries of tournaments: players, their names, teams, merging and erasing."""
