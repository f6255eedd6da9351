"""Results, when they are final: one's own place, who won, and the way to one's own page."""

from __future__ import annotations

from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from clubs.letter_models import Topic
from clubs.mail.kinds import Kind, TooLate
from clubs.mail.outbox import Addressed, post_to_all
from tournaments.domain.formats import Ranked
from tournaments.domain.terms import signed
from tournaments.models import Entry, Tournament
from tournaments.standings.players import standings
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from clubs.models import Letter

# Standings that are made final by mistake are reopened at once.
SETTLED = timedelta(minutes=10)
# Of standings that were final before, nobody is told: mail was not set up then, or they had not agreed.
TOLD_FOR = timedelta(days=3)
FIRST = 3

REOPENED = gettext_noop("The standings were no longer final when it was due to be sent.")


class Results(Kind):
    """Read from the standings as they stand when the letter is sent."""

    code = "results"
    name = _("results")
    topic = Topic.RESULTS.value

    def said(self, letter: Letter) -> dict[str, Any]:
        entries = Entry.objects.select_related("tournament__host", "team", "player")
        entry = entries.filter(pk=letter.facts.get("entry")).first()
        if entry is None or _final_at(entry.tournament) != letter.facts.get("final"):
            raise TooLate(REOPENED)
        tournament = entry.tournament
        return {
            "tournament": tournament,
            "day": date_format(tournament.date, "DATE_FORMAT"),
            "number": entry.number,
            "name": entry.player.name,
            **_own(entry),
            **TOLD[tournament.format_row.ranked](entry),
        }


def _own(entry: Entry) -> dict[str, Any]:
    rows = standings(entry.tournament).rows
    own = next((row for row in rows if row.entry_id == entry.pk), None)
    return {
        "own": own,
        "total": signed(own.total) if own else "",
        "of": len(rows),
        "first": [(row.rank, row.name, signed(row.total)) for row in rows[:FIRST]],
    }


def _teams(entry: Entry) -> dict[str, Any]:
    """Where pairs or teams are ranked, these are told; what one has won oneself stands on one's own page."""
    rows = team_standings(entry.tournament).rows
    own = next((row for row in rows if entry.team and row.number == entry.team.number), None)
    return {
        "own": own,
        "total": "",
        "team": own.name if own else "",
        "of": len(rows),
        "first": [(row.rank, row.name, "") for row in rows[:FIRST]],
    }


TOLD: dict[Ranked, Callable[[Entry], dict[str, Any]]] = {
    Ranked.PLAYERS: lambda _entry: {},
    Ranked.TEAMS: _teams,
}


def _final_at(tournament: Tournament) -> str:
    """Which final standings are meant: they may be reopened, and made final anew."""
    if not tournament.is_finished or tournament.called_off_at or tournament.finished_at is None:
        return ""
    return tournament.finished_at.isoformat()


def post_results(now: datetime) -> int:
    """Tell who has agreed to it what came of evenings that are final; how many letters are new."""
    newly_final = Tournament.objects.not_called_off().filter(
        state=Tournament.State.FINISHED, finished_at__range=(now - TOLD_FOR, now - SETTLED)
    )
    entries = (
        Entry.objects.filter(
            tournament__in=list(newly_final.order_by().values_list("pk", flat=True)),
            player__agreements__topic=Topic.RESULTS,
        )
        .exclude(status=Entry.Status.WITHDRAWN)
        .exclude(player__email="")
        .select_related("player", "tournament__host")
        .order_by("tournament", "pk")
    )
    return sum(
        post_to_all("results", [_letter(entry) for entry in its], club=tournament.host)
        for tournament, its in groupby(entries, lambda entry: entry.tournament)
    )


def _letter(entry: Entry) -> Addressed:
    final = _final_at(entry.tournament)
    return Addressed(entry.player, f"results {entry.pk} {final}", {"entry": entry.pk, "final": final})
