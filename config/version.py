"""Which Spadille this is.

Releases are called by the calendar: 2026.12 is that of December 2026, 2026.12.1 what was mended of it. Between two of
them the program has the name of the next one, and `.dev0`. What is deprecated is told in the changelog a release before
it goes.
"""

import platform

import django

VERSION = "2027.1.dev0"


def version_in_words() -> str:
    """With what it runs on, which whoever reports a fault is asked for."""
    beneath = (f"Django {django.__version__}", f"Python {platform.python_version()}", platform.platform())
    return f"Spadille {VERSION} ({', '.join(beneath)})"
