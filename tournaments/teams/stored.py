"""What standings of pairs and teams are counted from, read for many tournaments at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from django.db.models import Count, Model, Q

from clubs.models import Club
from core.sql import among
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.ledger.seating import Sittings
from tournaments.models import Entry, Match, Penalty, Round, Table, Team, Tournament
from tournaments.teams.ranking import side_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Sat:
    """A seat at a match's table: whose, for which team, and what it brought; `reported` says whether anything was."""

    round: int
    match: int
    side: int
    team: int
    entry: int
    table: int
    tokens: int
    reported: bool
    # The deals in between count for them, where a substitute came; else all.
    first: int = 1
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Reported:
    """How many deals are reported at a match's table, and whether more are to come."""

    match: int | None
    deals: int
    unfinished: bool


class Ruling(NamedTuple):
    """A ruling that counts, against a team or an entry; `own` is the entry's team. Teams and rounds are numbers."""

    tokens: int
    match_points: int
    team: int | None
    entry: int | None
    own: int | None
    round: int | None


RULING = ("tokens", "match_points", "team__number", "entry", "entry__team__number", "round__number")
AT_TABLE = ("pk", "round__tournament", "match", "reports_count", "match__home__number", "match__away__number")


class Stored:
    """By the primary keys of the tournaments; to ask for each by itself takes longer than to count it."""

    def __init__(self, tournaments: Sequence[Tournament]) -> None:
        self.tournaments = {one.pk: one for one in tournaments}
        these = among(self.tournaments)
        of = Q(tournament__in=these)
        rounds = {round_.pk: round_ for round_ in Round.objects.filter(of).order_by("number")}
        self.rounds = self._each((round_.tournament_id, round_) for round_ in rounds.values())
        teams = {team.pk: team for team in Team.objects.filter(of)}
        self.teams = self._each((team.tournament_id, team) for team in teams.values())
        matches = Match.objects.filter(round__tournament__in=these).order_by("round__number", "number")
        # Each is made a model once, however many point to it.
        for match in matches:
            _relate(match, round=rounds, home=teams, away=teams)
        self.matches = self._each((match.round.tournament_id, match) for match in matches)
        counting = Penalty.objects.filter(of, cancelled_at=None).order_by("pk")
        told = counting.values_list("tournament", *RULING)
        self.rulings = self._each((pk, Ruling(*row)) for pk, *row in told)
        self.entries: dict[int, Entry] = Entry.objects.filter(of).select_related("player").in_bulk()
        playing_for = {team.club_id for team in teams.values()}
        playing_for |= {entry.club_id for entry in self.entries.values()}
        clubs = Club.objects.in_bulk(playing_for - {None})
        for team in teams.values():
            _relate(team, club=clubs)
        for entry in self.entries.values():
            _relate(entry, tournament=self.tournaments, club=clubs, team=teams)
        self.reported = self._reported()
        self.sat = self._sat()

    def _each(self, rows: Iterable[tuple[int, Found]]) -> dict[int, list[Found]]:
        found: dict[int, list[Found]] = {pk: [] for pk in self.tournaments}
        for pk, row in rows:
            found[pk].append(row)
        return found

    def _sat(self) -> dict[int, list[Sat]]:
        """Every seat at a match's table. Of a match's tables the one with the lower number is the first."""
        firsts: dict[int, int] = {}
        found: dict[int, list[Sat]] = {pk: [] for pk in self.tournaments}
        tables = Table.objects.filter(
            round__tournament__in=among(self.tournaments), match__away__isnull=False
        )
        about: dict[int, Any] = {pk: rest for pk, *rest in tables.values_list(*AT_TABLE)}
        for at in Sittings(Q(table__in=tables.values("pk"))).all:
            of, match, reports, *teams = about[at.table]
            side = side_of(at.position, at_second=firsts.setdefault(match, at.table) != at.table)
            found[of].append(
                Sat(
                    *(at.round, match, side, teams[side], at.entry, at.table, at.tokens, reports > 0),
                    first=at.first,
                    last=at.last,
                )
            )
        return found

    def _reported(self) -> dict[int, dict[int, Reported]]:
        """Each table of a match; where its totals alone are known, all its deals are reported."""
        tables = Table.objects.filter(
            round__tournament__in=among(self.tournaments), match__isnull=False
        ).annotate(
            done=Count("dealt", filter=Q(dealt__current__result__isnull=False)),
            totals=Count("dealt", filter=Q(dealt__current__outcome=TOTALS_ONLY)),
        )
        found: dict[int, dict[int, Reported]] = {pk: {} for pk in self.tournaments}
        of_table = ("round__tournament", "pk", "match", "deals", "ended_early_at", "done", "totals")
        for of, pk, match, deals, ended, done, totals in tables.order_by("number").values_list(*of_table):
            reported = deals if totals else done
            found[of][pk] = Reported(match, reported, ended is None and reported < deals)
        return found


def _relate(thing: Model, **by: Mapping[int, Model]) -> None:
    """Give a thing what its foreign keys of these names point to; what is not there is asked for when it is needed."""
    for name, there in by.items():
        if (found := there.get(getattr(thing, f"{name}_id"))) is not None:
            setattr(thing, name, found)
