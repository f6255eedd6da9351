"""What a table is told once its sheet is done: thanks, how its players stand, and what the places still wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.domain.terms import signed
from tournaments.models import Seat
from tournaments.standings.columns import places_moved
from tournaments.standings.players import standings

if TYPE_CHECKING:
    from tournaments.models import Table, Tournament
    from tournaments.standings.players import Standings


def is_last_round(table: Table) -> bool:
    return table.round.number >= table.round.tournament.rounds_planned


def table_ending(table: Table) -> dict[str, Any]:
    """Thanks in a line, a note below it, the places of who sits here by place, and why they may still change."""
    tournament = table.round.tournament
    whole = standings(tournament)
    return {
        "thanks": _thanks(table, whole),
        "note": _note(table, whole),
        "places": _places(table, whole),
        "provisional": _provisional(table),
        "is_last": is_last_round(table),
    }


def _thanks(table: Table, whole: Standings) -> str:
    winners = _winners(table.round.tournament, whole)
    if winners:
        return ngettext("%(names)s won", "%(names)s share the win", len(winners)) % {
            "names": _(" and ").join(winners)
        }
    if is_last_round(table):
        return _("Thank you for tonight, table %(number)d") % {"number": table.number}
    return _("Thank you, table %(number)d") % {"number": table.number}


def _note(table: Table, whole: Standings) -> str:
    tournament = table.round.tournament
    if _winners(tournament, whole):
        final = _("The final standings.") if tournament.is_finished else ""
        return f"{signed(whole.first[0].total)}. {final}".strip()
    if is_last_round(table):
        return _("Your standing after the last round:")
    return _("Your standing after round %(round)d:") % {"round": table.round.number}


def _winners(tournament: Tournament, whole: Standings) -> list[str]:
    """Who has won, once play is over."""
    return [row.name for row in whole.first] if tournament.is_played else []


def _places(table: Table, whole: Standings) -> list[dict[str, str]]:
    here = {
        seat.entry_id: seat.entry.shown_name
        for seat in table.seats.select_related("entry__player", "entry__club", "entry__tournament__host")
    }
    return [
        {
            "place": f"{row.rank}.=" if row.shared else f"{row.rank}.",
            "name": here[row.entry_id],
            "moved": places_moved(row.moved),
            "total": signed(row.total),
        }
        for row in whole.rows
        if row.entry_id in here
    ]


def _provisional(table: Table) -> str:
    """Empty once the places are final."""
    tournament = table.round.tournament
    if tournament.is_finished:
        return ""
    playing = Seat.objects.filter(round=table.round, agreed_at=None).exclude(table=table)
    tables = playing.values("table").distinct().count() if table.round.is_running else 0
    if tables:
        said = ngettext(
            "Provisional: %(tables)d table is still playing.",
            "Provisional: %(tables)d tables are still playing.",
            tables,
        )
        return said % {"tables": tables}
    if is_last_round(table):
        return _("Provisional until the organiser confirms the places.")
    return ""
