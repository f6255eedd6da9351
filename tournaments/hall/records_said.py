"""Records in words: what each is, and that one falls while an evening is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext_lazy

from tournaments.people.history import EVENINGS, RUN
from tournaments.people.records import fallen
from tournaments.people.years import COMEBACK, DEAL, EVENING, ROUND, SOLOS, TOUT
from tournaments.words.terms import signed

if TYPE_CHECKING:
    from tournaments.models import Tournament

NAMES = {
    EVENING: gettext_noop("Most tokens of an evening"),
    ROUND: gettext_noop("Most tokens of a round"),
    DEAL: gettext_noop("Most tokens of a deal"),
    SOLOS: gettext_noop("Most solos won on an evening"),
    TOUT: gettext_noop("Highest tout"),
    COMEBACK: gettext_noop("Biggest comeback of an evening"),
    RUN: gettext_noop("Longest run without a bet"),
    EVENINGS: gettext_noop("Most evenings"),
}
COUNTED = {
    SOLOS: ngettext_lazy("%d solo", "%d solos"),
    RUN: ngettext_lazy("%d game", "%d games"),
    EVENINGS: ngettext_lazy("%d evening", "%d evenings"),
}
FELL = {
    EVENING: gettext_noop("A record of the club: {name} won {value} tokens on the evening; until now it was {before}."),
    ROUND: gettext_noop("A record of the club: {name} won {value} tokens in a round; until now it was {before}."),
    DEAL: gettext_noop("A record of the club: {name} won {value} tokens with one deal; until now it was {before}."),
    SOLOS: gettext_noop("A record of the club: {name} won {value} on one evening; until now it was {before}."),
    TOUT: gettext_noop("A record of the club: {name} won {value} tokens with a tout; until now it was {before}."),
    COMEBACK: gettext_noop(
        "A record of the club: {name} came back by {value} tokens from below nought; until now it was {before}."
    ),
}  # fmt: skip
# So many are told of an evening: the first of FIELDS.
MOST_TOLD = 2


def amount_said(kind: str, value: int) -> str:
    """“+38”, “5 solos”."""
    return str(COUNTED[kind] % value) if kind in COUNTED else signed(value)


def fallen_said(tournament: Tournament) -> list[str]:
    """The host's records that have fallen at this evening, each in a sentence."""
    found = fallen(tournament)[:MOST_TOLD]
    if not found:
        return []
    entries = tournament.entries.select_related("player", "club", "tournament__host")
    names = {entry.pk: entry.shown_name for entry in entries.filter(pk__in=[one.entry for one in found])}
    return [
        _(FELL[one.kind]).format(
            name=names[one.entry],
            value=amount_said(one.kind, one.value),
            before=amount_said(one.kind, one.before) if one.before else _("none"),
        )
        for one in found
    ]
