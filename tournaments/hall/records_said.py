"""That a record falls while an evening is played, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.changes.versions import RECENT
from tournaments.people.club_years import COMEBACK, DEAL, EVENING, ROUND, SOLOS, TOUT
from tournaments.people.history import amount_said, fallen, others_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.models import Tournament
    from tournaments.people.history import Fallen

FELL = {
    EVENING: gettext_noop("A club record: {name} won {value} tokens in the evening."),
    ROUND: gettext_noop("A club record: {name} won {value} tokens in a round."),
    DEAL: gettext_noop("A club record: {name} won {value} tokens with one deal."),
    SOLOS: gettext_noop("A club record: {name} won {value} in one evening."),
    TOUT: gettext_noop("A club record: {name} won {value} tokens with a tout."),
    COMEBACK: gettext_noop(
        "A club record: {name} came back by {value} tokens from below zero."
    ),
}  # fmt: skip
# So many are told of an evening: the first of FIELDS.
MOST_TOLD = 2


def hangs_on(tournament: Tournament, most: int | None = None) -> dict[str, Any]:
    """What a `live_page` that tells of records hangs on besides its version: an old evening's, on all others.

    Of a recent one the version goes up with theirs: see `changes.versions.announce_beside`. `most` are the players
    of whom a page still tells records.
    """
    if tournament.date >= timezone.localdate() - RECENT:
        return {}
    if most is not None and tournament.entries.count() > most:
        return {}
    return {"besides": str(others_of(tournament))}


def fallen_said(tournament: Tournament) -> list[str]:
    """The host's records that have fallen at this evening, each in a sentence."""
    found = fallen(tournament)[:MOST_TOLD]
    if not found:
        return []
    entries = tournament.entries.select_related("player", "club", "tournament__host")
    names = {entry.pk: entry.shown_name for entry in entries.filter(pk__in=[one.entry for one in found])}
    return [" ".join(_said(one, names[one.entry])) for one in found]


def _said(one: Fallen, name: str) -> Iterator[str]:
    yield _(FELL[one.kind]).format(name=name, value=amount_said(one.kind, one.value))
    if one.before:
        yield _("The record was {before}.").format(before=amount_said(one.kind, one.before))
