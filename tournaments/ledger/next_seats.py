"""Where everybody sits next, in words: for the row that a reader says is theirs, and for those whose table is done.

The hall's pages have one answer for all, so that they stay the same for everybody: `static/js/mine.js` finds its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.sql import among, asked
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.models import Round, Seat

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from tournaments.models import Table, Tournament


def round_that_comes(tournament: Tournament) -> Round | None:
    """The next round once it is drawn, else the one being played; None where play is over."""
    if tournament.is_played or tournament.is_called_off:
        return None
    return min(_open(tournament.pk), key=lambda one: (one.is_running, one.number), default=None)


@asked
def _open(tournament: int) -> QuerySet[Round]:
    return Round.objects.filter(tournament=tournament, state__in=(Round.State.DRAWN, Round.State.RUNNING))


def next_seats(tournament: Tournament, entries: Collection[int]) -> dict[int, str]:
    """The place in that round of these entries (primary keys), by their number."""
    round_ = round_that_comes(tournament)
    return _places(round_, Seat.objects.filter(entry__in=among(entries))) if round_ else {}


def next_seats_from(table: Table) -> list[str]:
    """Where those who sit at a table go from it; nothing before the next round is drawn."""
    round_ = round_that_comes(table.round.tournament)
    if round_ is None or round_.number <= table.round.number:
        return []
    here = table.seats.select_related("entry__player", "entry__club", "entry__tournament__host")
    entries = [seat.entry for seat in here.order_by("position")]
    places = _places(round_, Seat.objects.filter(entry__in=entries))
    return [f"{entry.shown_name}: {places[entry.number]}" for entry in entries if entry.number in places]


def _places(round_: Round, seats: QuerySet[Seat]) -> dict[int, str]:
    place, number = _("Round %(round)d: table %(table)d, seat %(letter)s"), round_.number
    found = dict.fromkeys(round_.byes, _("Round %(round)d: sits out") % {"round": number})
    there = seats.filter(round=round_).order_by()
    for player, table, position in there.values_list("entry__number", "table__number", "position"):
        found[player] = place % {"round": number, "table": table, "letter": SEAT_LETTERS[position]}
    return found
