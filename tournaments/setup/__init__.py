"""A tournament is set up, and its rules are said."""
