"""A season's rule in sentences."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.domain.formats import FORMATS
from tournaments.models import Season

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date


def season_in_words(season: Season) -> list[str]:
    """What counts, what is dropped, who has a place, what tells equals apart."""
    what, *further = _sentences(season)
    formats = season.evenings.order_by().values_list("format", flat=True).distinct()
    if any(FORMATS[code].in_teams for code in formats):
        further.insert(0, in_teams_in_words(season))
    return [what, *further]


def in_teams_in_words(season: Season) -> str:
    """What an evening of pairs or teams brings to each player."""
    if season.rule == Season.Rule.PLACES:
        return _("On an evening of pairs or teams each player gets the place of the pair or team.")
    return _("On an evening of pairs or teams each player’s own tokens count, not those of the pair or team.")


def days_of(days: Sequence[date], columns: Sequence[int] | None = None) -> list[str]:
    """The head of each evening's column: its day, and its number on that day where there are several.

    Of a part of the evenings, which `columns` says, with all their `days` at hand.
    """
    columns = range(len(days)) if columns is None else columns
    many = Counter(days)
    heads = []
    for column in columns:
        day = days[column]
        number = f" ({column - days.index(day) + 1})" if many[day] > 1 else ""
        heads.append(date_format(day, "j/n") + number)
    return heads


def _sentences(season: Season) -> Iterator[str]:
    match season.rule:
        case Season.Rule.TOKENS:
            yield _(
                "A player’s tokens from the evenings are added up, including rulings; if an evening "
                "uses a factor for tables of three, they are weighted by it."
            )
        case Season.Rule.AVERAGE:
            yield _(
                "A player’s tokens, including rulings, are divided by the deals the player was dealt;"
                " deals sat out do not count."
            )
        case Season.Rule.PLACES:
            yield _("Each evening gives points by place: %(points)s. Lower places get none.") % {
                "points": ", ".join(map(str, season.place_points)) or "0"
            }
    if season.best_of:
        yield ngettext(
            "Only a player’s best evening counts.",
            "Only a player’s best %(count)d evenings count.",
            season.best_of,
        ) % {"count": season.best_of}
    if season.least_evenings:
        yield ngettext(
            "At least %(count)d evening is needed for a place.",
            "At least %(count)d evenings are needed for a place.",
            season.least_evenings,
        ) % {"count": season.least_evenings}
    if season.least_deals:
        yield ngettext(
            "At least %(count)d deal is needed for a place.",
            "At least %(count)d deals are needed for a place.",
            season.least_deals,
        ) % {"count": season.least_deals}
    if not season.counts_withdrawn:
        yield _("An evening the player left early does not count.")
    if not season.with_guests:
        yield _("Guests, who play for no club, are not in the ladder.")
    if season.breaks_ties:
        yield _(
            "Ties are broken by the best evening that counts, then the next best and so on; after"
            " that the place is shared."
        )
    else:
        yield _("Players with equal totals share the place.")
