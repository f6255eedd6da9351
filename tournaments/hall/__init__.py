"""Public pages, open to everybody without signing in."""
