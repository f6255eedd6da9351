"""The languages that the program speaks, for tests that hold in each."""

from __future__ import annotations

from django.conf import settings

LANGUAGES = [code for code, _name in settings.LANGUAGES]
# English is what all others are translated from.
TRANSLATIONS = [code for code in LANGUAGES if code != "en"]
