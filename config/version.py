"""The version of Spadille.

Calendar versions: 2026.12 is the release of December 2026, 2026.12.1 its first bug-fix release. Between two releases
the version is the next one's with `.dev0`. The changelog announces a deprecation one release before the removal.
"""

import platform

import django

VERSION = "2027.1.dev0"


def version_in_words() -> str:
    """The version with Python's and the platform's, as bug reports need it."""
    beneath = (f"Django {django.__version__}", f"Python {platform.python_version()}", platform.platform())
    return f"Spadille {VERSION} ({', '.join(beneath)})"
