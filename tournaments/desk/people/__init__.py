"""Players: entered, checked in."""
