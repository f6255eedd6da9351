"""Why a deal was changed, where it was tapped and not typed: stored as a code, said in the reader's language.

What somebody typed is stored and shown as it stands. Reports of earlier Spadilles have the words themselves, in the
language of whoever tapped them, and cannot be changed; they are known again by these words.
"""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

UNDO, CAME_LATE, CAME_AS_CODE, OTHER_RULES = "undo", "came_late", "came_as_code", "other_rules"
ON_PAPER = "on_paper"
REASONS = {
    UNDO: gettext_noop("undo"),
    CAME_LATE: gettext_noop("came late"),
    CAME_AS_CODE: gettext_noop("came as a code"),
    OTHER_RULES: gettext_noop("another version of the rules"),
    ON_PAPER: gettext_noop("so it stands on the paper"),
    "typed_wrong": gettext_noop("typed wrong"),
    "wrong_player": gettext_noop("wrong player"),
    "agreed_at_the_table": gettext_noop("agreed at the table"),
    "two_phones": gettext_noop("Two phones differed; agreed at the table."),
    "brought_back": gettext_noop("Sent again by the phone: an older backup was restored."),
}


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """The code of each reason by its words in every language; an undo's was never stored in words."""
    found: dict[str, str] = {}
    for language in [*dict(settings.LANGUAGES), None]:
        with override(language):
            found |= {_(words): code for code, words in REASONS.items() if code != UNDO}
    return found


def reason_code(reason: str) -> str:
    """What is stored of a reason: a code for one that the page offers, in whichever language, else what was typed."""
    return _codes().get(reason, reason)


def reason_words(reason: str) -> str:
    """A stored reason in the reader's language."""
    code = reason_code(reason)
    return _(REASONS[code]) if code in REASONS else reason
