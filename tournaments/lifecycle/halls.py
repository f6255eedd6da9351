"""The halls of a tournament are set up; seats follow, since a table's number says which hall it is in."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.halls import name_of_hall, read_halls
from tournaments.draw.tables import DrawError, table_sizes
from tournaments.ledger.queries import sizes_of_tables
from tournaments.models import Round, Table

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account
    from tournaments.models import Tournament

SET_HALLS = gettext_noop("The halls are now: {value}")
NO_HALLS = gettext_noop("There are no halls any more")


class MovesTables(NotPossible):
    """Tables that are drawn would be in another hall, and that has not been confirmed."""


def mark_of(tournament: Tournament) -> str:
    """A short mark of the halls as a page shows them."""
    return hashlib.sha256(json.dumps(tournament.halls).encode()).hexdigest()[:16]


@transaction.atomic
def set_halls(
    tournament: Tournament,
    *,
    halls: list[dict[str, Any]],
    seen: str,
    moves: bool = False,
    account: Account,
    now: datetime,
) -> None:
    """Store the halls.

    Raises NotPossible where another user has changed them since they were `seen`, and MovesTables where drawn tables
    would be in another hall, unless `moves` confirms that.
    """
    tournament = locked(tournament)
    if tournament.halls == halls:
        return
    if mark_of(tournament) != seen:
        raise NotPossible(
            _("Someone else has changed the halls since you opened the page. This is how they are now.")
        )
    moved = _moved_tables(tournament, halls)
    if moved and not moves:
        text = ngettext(
            "Table %(numbers)s is drawn and would be in another hall.",
            "Tables %(numbers)s are drawn and would be in another hall.",
            len(moved),
        )
        raise MovesTables(text % {"numbers": ", ".join(map(str, moved))})
    _rename_for_officials(tournament, halls)
    tournament.halls = halls
    tournament.save(update_fields=["halls"])
    said = ", ".join(f"{hall.name} ({hall.first}–{hall.last})" for hall in tournament.hall_list)
    write_down(tournament, account, SET_HALLS if said else NO_HALLS, now=now, value=said)


def _rename_for_officials(tournament: Tournament, halls: list[dict[str, Any]]) -> None:
    """Let who helps in one hall keep it under its new name; where it is no more, they keep no right."""
    there = {hall.name for hall in tournament.hall_list}
    gone = there - {hall.name for hall in read_halls(halls)}
    for before, after in zip(tournament.hall_list, read_halls(halls), strict=False):
        # Behind a hall that was removed others move up, which are not it under a new name.
        if before.name in gone and after.name not in there:
            tournament.officials.filter(hall=before.name).update(hall=after.name)


def _moved_tables(tournament: Tournament, halls: list[dict[str, Any]]) -> list[int]:
    """The numbers of the tables of rounds that are not over which would be in another hall."""
    before, after = tournament.hall_list, read_halls(halls)
    open_rounds = Table.objects.filter(round__tournament=tournament).exclude(round__state=Round.State.CLOSED)
    numbers = sorted(set(open_rounds.order_by().values_list("number", flat=True)))
    return [one for one in numbers if before and name_of_hall(before, one) != name_of_hall(after, one)]


def _tables_needed(tournament: Tournament) -> int:
    """The number of tables of the next draw for the present players, or of a round already drawn."""
    drawn = (
        Table.objects.filter(round__tournament=tournament)
        .order_by("-number")
        .values_list("number", flat=True)
    )
    most = drawn.first() or 0
    present = tournament.entries.playing().count()
    try:
        return max(most, len(table_sizes(present, sizes_of_tables(tournament))))
    except DrawError:
        return most


def lacking_places(tournament: Tournament) -> tuple[int, int, str] | None:
    """(tables, places, name of the last hall) where the halls have fewer places than tables; else None."""
    halls = tournament.hall_list
    if not halls:
        return None
    needed = _tables_needed(tournament)
    return (needed, halls[-1].last, halls[-1].name) if needed > halls[-1].last else None
