"""Records in words: what each is, and how much of what it is."""

from __future__ import annotations

from django.utils.translation import gettext_noop, ngettext_lazy

from tournaments.domain.terms import signed
from tournaments.people.history import EVENINGS, RUN
from tournaments.people.years import COMEBACK, DEAL, EVENING, ROUND, SOLOS, TOUT

NAMES = {
    EVENING: gettext_noop("Most tokens in an evening"),
    ROUND: gettext_noop("Most tokens in a round"),
    DEAL: gettext_noop("Most tokens in a deal"),
    SOLOS: gettext_noop("Most solos won in an evening"),
    TOUT: gettext_noop("Highest tout"),
    COMEBACK: gettext_noop("Biggest comeback in an evening"),
    RUN: gettext_noop("Longest run without a bête"),
    EVENINGS: gettext_noop("Most evenings"),
}
COUNTED = {
    SOLOS: ngettext_lazy("%d solo", "%d solos"),
    RUN: ngettext_lazy("%d game", "%d games"),
    EVENINGS: ngettext_lazy("%d evening", "%d evenings"),
}


def amount_said(kind: str, value: int) -> str:
    """“+38”, “5 solos”."""
    return str(COUNTED[kind] % value) if kind in COUNTED else signed(value)
