"""What was changed at a table in the middle of a round, in sentences: who deals, who sits where, who came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.sql import asked
from scoring.seats import changes_in_force
from tournaments.models import Entry, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.db.models import QuerySet

    from scoring.seats import Change
    from tournaments.models import SeatChange, Tournament


@dataclass(frozen=True, slots=True)
class ChangeTold:
    """A change as it was written down: its place in the table's list from 0 on, and whether it was taken back."""

    place: int
    said: str
    written: SeatChange
    taken_back: bool


def changes_told(table: Table, names: Sequence[str]) -> list[ChangeTold]:
    """Everything that was changed, the newest first; `names` are those who sit there now, by position."""
    if not table.turns:
        return []
    taken_back = {change["back"] for change in table.turns if "back" in change}
    called = _called(table, table.turns)
    return [
        ChangeTold(place, _said(written.change, names, called), written, place in taken_back)
        for place, written in reversed(list(enumerate(table.seat_changes.order_by("sequence"))))
        if "back" not in written.change
    ]


def what_holds(table: Table, names: Sequence[str]) -> list[str]:
    """What a reader of the sheet has to know, by deal; who dealt the first is seen without it."""
    holding = [
        change for change in changes_in_force(table.turns) if change["deal"] > 1 or "dealer" not in change
    ]
    called = _called(table, holding)
    return [
        _said(change, names, called) for change in sorted(holding, key=lambda change: int(change["deal"]))
    ]


def substitutes_told(tournament: Tournament, *, through: int | None = None) -> list[str]:
    """Where somebody played on for a player who left in the middle of a round, by round and table."""
    told = []
    for table in _changed(tournament.pk):
        if through is not None and table.round.number > through:
            break
        table.round.tournament = tournament
        came = [change for change in changes_in_force(table.turns) if {"left", "came"} <= change.keys()]
        called = _called(table, came)
        for change in came:
            said = {"round": table.round.number, "table": table.number, "said": _said(change, (), called)}
            told.append(_("Round %(round)d, table %(table)d: %(said)s") % said)
    return told


@asked
def _changed(tournament: int) -> QuerySet[Table]:
    """The tables at which somebody left and another came, in order."""
    changed = Table.objects.filter(round__tournament=tournament, former_seats__isnull=False).distinct()
    return changed.select_related("round").order_by("round__number", "number")


def _called(table: Table, changes: Iterable[Change]) -> dict[int, str]:
    """The shown names of those who came and left, by their numbers."""
    numbers = {change[who] for change in changes for who in ("left", "came") if who in change}
    if not numbers:
        return {}
    entries = Entry.objects.filter(tournament=table.round.tournament, number__in=numbers)
    return {
        entry.number: entry.shown_name
        for entry in entries.select_related("player", "club", "tournament__host")
    }


def _said(change: Change, names: Sequence[str], called: Mapping[int, str]) -> str:
    deal = {"deal": change["deal"]}
    if "dealer" in change:
        text = _("%(name)s deals deal %(deal)d, and the turn goes on from there.")
        return text % (deal | {"name": names[change["dealer"]]})
    if "swap" in change:
        one, other = (names[position] for position in change["swap"])
        text = _("From deal %(deal)d on %(one)s and %(other)s have changed seats.")
        return text % (deal | {"one": one, "other": other})
    if change.get("insert", 0) > 0:
        return _("A forgotten deal was put in as deal %(deal)d; the later ones moved up.") % deal
    if "insert" in change:
        return _("Deal %(deal)d was taken out; the later ones moved down.") % deal
    return _said_of_players(change, called)


def _said_of_players(change: Change, called: Mapping[int, str]) -> str:
    if "left" not in change:
        return _("%(name)s came late and is the fourth.") % {"name": called[change["came"]]}
    if "came" not in change:
        return _("%(name)s got up again before the first deal.") % {"name": called[change["left"]]}
    who = {"came": called[change["came"]], "left": called[change["left"]]}
    return _("From deal %(deal)d on %(came)s plays for %(left)s.") % (who | {"deal": change["deal"]})
