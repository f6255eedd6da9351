"""That a record falls while an evening is played, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.people.record_names import amount_said
from tournaments.people.records import fallen
from tournaments.people.years import COMEBACK, DEAL, EVENING, ROUND, SOLOS, TOUT

if TYPE_CHECKING:
    from tournaments.models import Tournament

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
