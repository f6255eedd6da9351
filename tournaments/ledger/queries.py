"""Tables, seats and progress of a tournament, in few queries."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, overload

from django.db.models import Count, Field, Max, Prefetch, Q, QuerySet, Sum, prefetch_related_objects
from django.utils.translation import gettext as _

from core.sql import fetch_models
from scoring import ENGINE_VERSION, get_rulebook
from scoring.rulebook import Rulebook
from tournaments.draw.meetings import rounds_to_meet
from tournaments.draw.tables import SMALL_TABLE, THREE_AND_FOUR
from tournaments.models import (
    Deal,
    Entry,
    Flag,
    KeptReport,
    Match,
    Report,
    RevokedSecret,
    Round,
    Seat,
    Table,
    Team,
    Tournament,
)

# The pool of a table: the tokens in its middle, carried from deal to deal.
#
# A report states the pool before its deal was settled, the antes of the deal included. The players' wins and losses
# went out of the pool or into it, so the pool before the next deal follows from the report alone. Where the next
# report states another figure (the deal before was corrected, or a wrong one was typed) there is a gap, which is
# shown but not corrected: what the players paid each other was paid.


@dataclass(frozen=True, slots=True)
class PoolGap:
    """A deal whose reported pool differs from the one computed from the deal before; in tokens."""

    deal: int
    reported: int
    follows: int

    def __str__(self) -> str:
        return _(
            "Deal %(deal)d: the pool is reported as %(reported)d, but according to the previous "
            "deal it should be %(follows)d."
        ) % {"deal": self.deal, "reported": self.reported, "follows": self.follows}


class TablePool:
    """The pool of one table, from the reports that count, by deal."""

    def __init__(self, rulebook: Rulebook, players: int, reports: Mapping[int, Report]) -> None:
        """`reports` may hold deals taken back; the rulebook has a pool."""
        self.reports = {number: report for number, report in reports.items() if report.result is not None}
        self.antes = rulebook.pool.each_deal(players) if rulebook.pool else 0

    def follows(self, deal: int) -> int | None:
        """The pool (tokens) before a deal is settled, computed from the deal before; None if unknown."""
        if deal == 1:
            return self.antes
        before = self.reports.get(deal - 1)
        return None if before is None else self._after(deal - 1, before)

    def _after(self, deal: int, report: Report) -> int | None:
        """The pool (tokens) for the next deal, its antes included.

        This deal's antes were part of the amount reported.
        """
        lay = self.lay(deal, report)
        return None if lay is None else lay - sum(report.tokens)

    def lay(self, deal: int, report: Report) -> int | None:
        """The pool before a reported deal; not defined for a ruling."""
        stated: int | None = (report.result or {}).get("pool")
        return self.follows(deal) if stated is None else stated

    def for_entry(self, deal: int) -> int:
        """The pool that a report of the deal most likely has: deals not reported count as washed out."""
        earlier = max((number for number in self.reports if number < deal), default=0)
        if not earlier:
            return self.antes * deal
        after = self._after(earlier, self.reports[earlier])
        return (self.antes * (earlier + 1) if after is None else after) + self.antes * (deal - earlier - 1)

    @property
    def remaining(self) -> int:
        """The pool (tokens) after the last reported deal, before the next antes."""
        return self.for_entry(max(self.reports, default=0) + 1) - self.antes

    @property
    def gaps(self) -> list[PoolGap]:
        found = []
        for deal, report in sorted(self.reports.items()):
            stated, follows = (report.result or {}).get("pool"), self.follows(deal)
            if stated is not None and follows is not None and stated != follows:
                found.append(PoolGap(deal, stated, follows))
        return found


# Questions that several parts ask of the database.


@lru_cache(maxsize=256)
def bound_rulebook(rulebook: str, options: str, version: str) -> Rulebook:
    return get_rulebook(rulebook, json.loads(options), version)


def rulebook_of(tournament: Tournament) -> Rulebook:
    """The rules a tournament is played by: frozen once it has started, in the version that it started with."""
    return bound_rulebook(*rules_of(tournament))


def rules_of(tournament: Tournament) -> tuple[str, str, str]:
    """The arguments of `bound_rulebook` for these rules: plain hashable values, for a cache key."""
    version = tournament.rules_version or ENGINE_VERSION
    return tournament.rulebook, json.dumps(tournament.options, sort_keys=True), version


def sizes_of_tables(tournament: Tournament) -> tuple[int, ...]:
    """Table sizes (players) in ascending order: mostly 3 and 4.

    They come from the rulebook, unless the format fixes one size.
    """
    at_table = tournament.format_row.at_table
    return (at_table,) if at_table else tuple(sorted(rulebook_of(tournament).players))


def chairs_around(round_: Round, tables: Sequence[Table]) -> list[list[Seat | None]]:
    """Each table's seats in the order of play; None for the chair that the draw leaves empty at a table of three.

    Where no tables of four are played, a table of three has no such chair.
    """
    around: list[list[Seat | None]] = []
    mixed = sizes_of_tables(round_.tournament) == THREE_AND_FOUR
    for table in tables:
        chairs: list[Seat | None] = list(table.seats.all())
        if mixed and len(chairs) == SMALL_TABLE and table.empty_chair is not None:
            chairs.insert(table.empty_chair, None)
        around.append(chairs)
    return around


# Seats with all that naming a player needs.
NAMED_SEATS = Prefetch(
    "seats", Seat.objects.select_related("entry__player", "entry__club", "entry__tournament__host")
)


def load_seats(tables: Sequence[Table]) -> None:
    """Load the seats of these tables, which know their tournament, with all that naming a player needs.

    The tournament is not read once for each player: that would take longer than all else.
    """
    prefetch_related_objects(
        tables, Prefetch("seats", Seat.objects.select_related("entry__player", "entry__club"))
    )
    for table in tables:
        for seat in table.seats.all():
            seat.entry.tournament = table.round.tournament


def names_at(table: Table) -> list[str]:
    """The players' shown names by position."""
    seats = table.seats.select_related("entry__player", "entry__club", "entry__tournament__host")
    return [seat.entry.shown_name for seat in seats]


class NamesAt(Sequence[str]):
    """The players' shown names by position, loaded at the first access: most reports need none."""

    def __init__(self, table: Table, players: int) -> None:
        self.table = table
        self.players = players

    def __len__(self) -> int:
        return self.players

    @cached_property
    def names(self) -> list[str]:
        return names_at(self.table)

    @overload
    def __getitem__(self, position: int) -> str: ...
    @overload
    def __getitem__(self, position: slice) -> list[str]: ...
    def __getitem__(self, position: int | slice) -> str | list[str]:
        return self.names[position]


class LinkRevoked(Exception):
    """The secret once belonged to a table's link; `table` has the table."""

    def __init__(self, table: Table) -> None:
        super().__init__("revoked")
        self.table = table


WHICH = "SELECT id FROM tournaments_table WHERE secret = %s"


def table_by_secret(secret: str, *, only_which: bool = False) -> Table:
    """The table whose captain's link this is. Raises `LinkRevoked`, or `Table.DoesNotExist` for an unknown one.

    With `only_which` no other columns are queried: for the ledger, which queries them under the lock.
    """
    for table in fetch_models(Table, WHICH, [secret]) if only_which else _with_all().filter(secret=secret):
        return table
    revoked = RevokedSecret.objects.filter(secret=secret).first()
    if revoked is None:
        raise Table.DoesNotExist
    raise LinkRevoked(_with_all().get(pk=revoked.table_id))


def _with_all() -> QuerySet[Table]:
    return Table.objects.select_related("round__tournament__host", "match")


def is_unchanged(secret: str, version: int) -> bool:
    """Whether a captain's table is in play and at this version: its phone polls every few seconds.

    False means "unknown".
    """
    running = Table.objects.filter(round__state=Round.State.RUNNING, match=None)
    return running.filter(secret=secret, version=version).exists()


def table_by_code(code: str) -> Table | None:
    """The table whose short code was typed, in any case and with any blanks or dashes; None if there is none."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return Table.objects.select_related("round__tournament").filter(code=plain).first() if plain else None


def open_tables() -> QuerySet[Table]:
    """The tables at which deals are reported now (`Table.is_open`)."""
    return Table.open_ones()


def reported_deals(round_: Round) -> dict[int, int]:
    """Table's primary key -> how many of its deals are reported (and not taken back)."""
    return {table: reported for table, reported, _newest in _dealt(round_)}


def _dealt(round_: Round) -> Any:
    """A table's key, how many of its deals are reported, and the newest: by tables, which no database has to sort."""
    tables = Table.objects.filter(round=round_, dealt__current__result__isnull=False).order_by()
    number: Any = Field()  # as the database has it: then no row has to be looked through
    of = Count("dealt", output_field=number), Max("dealt__number", output_field=number)
    return tables.values_list("pk").annotate(*of)


def count_reported(table: Table) -> int:
    return table.dealt.filter(current__result__isnull=False).count()


class HowFar:
    """A table's progress; of how many `players` have `agreed` to its sheet, and how many have `withdrawn` since.

    `has_ended`: early; `excused`: the round does not wait for it, its match is played on another day or decided.
    """

    deals: int
    reported: int
    players: int
    agreed: int
    withdrawn: int
    has_ended: bool
    excused: bool
    gaps: Sequence[PoolGap]

    @property
    def complete(self) -> bool:
        return self.reported >= self.deals

    @property
    def done(self) -> bool:
        return self.has_ended or self.excused or (self.complete and self.agreed == self.players)

    @property
    def lacks_player(self) -> bool:
        """Whether deals are left to play and a seated player has withdrawn."""
        return bool(self.withdrawn) and not self.complete and not self.done

    @property
    def waits_for_signatures(self) -> bool:
        """Whether all deals are reported and a signature is missing."""
        return self.complete and not self.done


@dataclass(frozen=True)
class CountedTable(HowFar):
    """A table's progress and nothing else of it, for counts of tables."""

    deals: int
    reported: int
    players: int
    agreed: int
    withdrawn: int
    has_ended: bool
    excused: bool
    gaps: Sequence[PoolGap] = ()


@dataclass(frozen=True)
class BoardRow(HowFar):
    """A table as the desk's board shows it."""

    table: Table
    players: int
    reported: int
    newest_deal: int
    flags: Sequence[Flag]
    kept: int
    corrections: int
    agreed: int
    withdrawn: int = 0
    last_report_at: datetime | None = field(default=None)
    gaps: Sequence[PoolGap] = ()

    @property
    def seats(self) -> Sequence[Seat]:
        """The seats by position; see `with_names`."""
        return list(self.table.seats.all())

    @property
    def names(self) -> list[str]:
        """The players' shown names by position."""
        return [seat.entry.shown_name for seat in self.seats]

    @property
    def withdrawn_names(self) -> list[str]:
        """The shown names of those who have a seat here and have withdrawn."""
        gone = (seat for seat in self.seats if seat.entry.status == Entry.Status.WITHDRAWN)
        return [seat.entry.shown_name for seat in gone]

    @property
    def newest_folder(self) -> int | None:
        """The folder of the newest deal; None before the first, and where cards are dealt by hand."""
        return self.table.folder_of(self.newest_deal)

    @property
    def deals(self) -> int:  # type: ignore[override]
        return self.table.deals

    @property
    def has_ended(self) -> bool:  # type: ignore[override]
        return self.table.ended_early_at is not None

    @property
    def excused(self) -> bool:  # type: ignore[override]
        match = self.table.match
        return match is not None and (match.is_awarded or match.own_day is not None)

    @property
    def has_finished(self) -> bool:
        """Whether it is done, and not only left out by its round: a match on a day of its own is played first."""
        match = self.table.match
        if match is None or not match.waits or self.has_ended:
            return self.done
        return self.complete and self.agreed == self.players

    @property
    def is_to_come(self) -> bool:
        """Whether its match is still to be played on a day of its own, and no deal of it is reported."""
        match = self.table.match
        waits = match is not None and match.waits and not match.is_running
        return waits and not self.reported and not self.has_ended


def how_far(round_: Round) -> list[HowFar]:
    """Progress of each table of a round, without the rest of the board."""
    reported, seated, gaps = reported_deals(round_), _seated(round_), pool_gaps(round_)
    told = round_.tables.order_by().values_list(
        "pk", "deals", "ended_early_at", "match__awarded_home", "match__postponed_to", "match__day"
    )
    return [
        CountedTable(
            deals,
            reported.get(pk, 0),
            *seated.get(pk, (0, 0, 0)),
            has_ended=ended is not None,
            excused=any(value is not None for value in (awarded, postponed, day)),
            gaps=gaps.get(pk, ()),
        )
        for pk, deals, ended, awarded, postponed, day in told
    ]


def _seated(round_: Round) -> dict[int, tuple[int, int, int]]:
    """Table's primary key -> its players, how many have agreed to its sheet, and how many have withdrawn."""
    gone = Count("pk", filter=Q(entry__status=Entry.Status.WITHDRAWN))
    counted = {"players": Count("pk"), "agreed": Count("agreed_at"), "gone": gone}
    sat = round_.seats.order_by().values_list("table").annotate(**counted)
    return {table: (players, agreed, withdrawn) for table, players, agreed, withdrawn in sat}


def board(round_: Round) -> list[BoardRow]:
    """Every table of a round, in the order of their numbers, in a fixed number of queries."""
    dealt = {table: (reported, newest) for table, reported, newest in _dealt(round_)}
    seated = _seated(round_)
    kept = dict(
        KeptReport.objects.filter(table__round=round_, state=KeptReport.State.WAITING)
        .values_list("table")
        .annotate(Count("pk"))
        .order_by()
    )
    corrections = dict(
        Report.objects.filter(Q(table__round=round_, revision__gt=1))
        .values_list("table")
        .annotate(Count("pk"))
        .order_by()
    )
    gaps = pool_gaps(round_)
    open_flags = Prefetch("flags", Flag.objects.filter(settled_at=None), to_attr="open_flags")
    tables = round_.tables.select_related("match__home", "match__away").prefetch_related(open_flags)
    rows = []
    for table in tables:
        table.round = round_
        reported, newest = dealt.get(table.pk, (0, 0))
        players, agreed, withdrawn = seated.get(table.pk, (0, 0, 0))
        rows.append(
            BoardRow(
                table=table,
                players=players,
                reported=reported,
                newest_deal=newest,
                flags=table.open_flags,
                kept=kept.get(table.pk, 0),
                corrections=corrections.get(table.pk, 0),
                agreed=agreed,
                withdrawn=withdrawn,
                last_report_at=table.last_report_at,
                gaps=gaps.get(table.pk, ()),
            )
        )
    return rows


def with_names(rows: Iterable[BoardRow]) -> None:
    """Load the players of these tables, for the rows that are displayed only."""
    load_seats([row.table for row in rows])


def pool_gaps(round_: Round) -> dict[int, list[PoolGap]]:
    """Table's primary key -> where its pool does not follow from the deal before; nothing by rules without a pool."""
    rulebook = rulebook_of(round_.tournament)
    if rulebook.pool is None:
        return {}
    reports: dict[int, dict[int, Report]] = {}
    for deal in Deal.objects.filter(table__round=round_).select_related("current"):
        reports.setdefault(deal.table_id, {})[deal.number] = deal.current
    players = Counter(round_.seats.values_list("table", flat=True))
    return {table: TablePool(rulebook, players[table], dealt).gaps for table, dealt in reports.items()}


def current_round(tournament: Tournament) -> Round | None:
    """The round that runs; else the last one closed; else the first one drawn."""
    rounds: Mapping[str, Round] = {round_.state: round_ for round_ in tournament.rounds.order_by("number")}
    drawn = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number").first()
    return rounds.get(Round.State.RUNNING) or rounds.get(Round.State.CLOSED) or drawn


def running_round(tournament: Tournament) -> Round | None:
    return tournament.rounds.filter(state=Round.State.RUNNING).first()


def next_round(tournament: Tournament) -> Round | None:
    """The first round that is drawn and not started."""
    return tournament.rounds.filter(state=Round.State.DRAWN).order_by("number").first()


# How far a round is.


@dataclass(frozen=True, slots=True)
class Progress:
    """Deals reported in a round, of all that its tables play."""

    reported: int
    deals: int


def progress_of(round_: Round) -> Progress:
    deals = round_.tables.aggregate(deals=Sum("deals"))["deals"] or 0
    return Progress(Deal.objects.filter(table__round=round_, current__result__isnull=False).count(), deals)


def is_played_out(tournament: Tournament) -> bool:
    """Whether the last deal is reported: the standings are posted, or no deal is missing in the last round planned."""
    if tournament.is_called_off:
        return False
    if tournament.is_finished:
        return True
    rounds = list(tournament.rounds.all())
    if any(one.is_running for one in rounds) or not tournament.is_posted:
        return bool(rounds) and len(rounds) >= tournament.rounds_planned and all(map(_is_reported, rounds))
    return True


def _is_reported(round_: Round) -> bool:
    if round_.state != Round.State.RUNNING:
        return round_.state == Round.State.CLOSED
    progress = progress_of(round_)
    return progress.reported >= progress.deals > 0


# Pairs and teams: members, missing players, opponents met.


def teams_of(tournament: Tournament) -> list[Team]:
    """All pairs or teams with their members (regular ones before reserves), by number; two queries."""
    members = Entry.objects.select_related("player", "club").order_by("reserve", "number")
    teams = list(tournament.teams.select_related("club").prefetch_related(Prefetch("members", members)))
    for team in teams:
        for member in team.members.all():
            member.tournament = tournament
    return teams


def regulars(team: Team) -> list[Entry]:
    """The members who play unless a line-up names others."""
    return [entry for entry in team.members.all() if not entry.reserve]


def lacks(team: Team) -> int:
    """The number of players that a team lacks; members not checked in do not count as missing."""
    here = [entry for entry in regulars(team) if entry.status != Entry.Status.WITHDRAWN]
    return max(team.tournament.format_row.team_size - len(here), 0)


def fill_a_team(tournament: Tournament, members: Sequence[object]) -> bool:
    """Whether these are as many as play at one time in a pair or team."""
    return len(members) >= tournament.format_row.team_size


def is_ready(team: Team) -> bool:
    """Whether the team can be drawn: not withdrawn, complete, everyone checked in."""
    here = [entry for entry in regulars(team) if entry.status == Entry.Status.PRESENT]
    return not team.withdrawn and fill_a_team(team.tournament, here)


def without_team(tournament: Tournament) -> list[Entry]:
    """Entries without a pair or team, by number."""
    free = tournament.entries.filter(team=None).exclude(status=Entry.Status.WITHDRAWN)
    return list(free.select_related("player", "club"))


def has_played(team: Team) -> bool:
    """Whether the team has met an opponent, or had a bye, in a round that has started."""
    return matches_of(team).exclude(round__state=Round.State.DRAWN).exists()


def matches_of(team: Team) -> QuerySet[Match]:
    return Match.objects.filter(Q(home=team) | Q(away=team))


def rounds_needed(tournament: Tournament) -> int:
    """Number of rounds until all teams have met all in their group, as often as the tournament requires."""
    sizes: dict[int, int] = {}
    for division in tournament.teams.filter(withdrawn=False).values_list("division", flat=True):
        sizes[division] = sizes.get(division, 0) + 1
    most = max(sizes.values(), default=0)
    return rounds_to_meet(most, tournament.meetings, tournament.bye_teams)
