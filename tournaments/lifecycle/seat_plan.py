"""Overview of the seats of all rounds for the organiser: by table, players without a seat, repeats."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from tournaments.domain.formats import SEAT_LETTERS
from tournaments.draw.tables import SMALL_TABLE, THREE_AND_FOUR, DrawError, byes
from tournaments.ledger.queries import (
    NAMED_SEATS,
    chairs_around,
    is_ready,
    regulars,
    sizes_of_tables,
    teams_of,
)
from tournaments.ledger.seating import turns_at
from tournaments.lifecycle.drawing import five_are_here
from tournaments.lifecycle.planning import ranking_of
from tournaments.lifecycle.seat_changes import without_seat
from tournaments.models import Entry, Match, Round, Seat, Table, Team, Tournament

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


MATRIX_PLAYERS = 100


@dataclass(frozen=True)
class PlannedRound:
    """A round's tables, and its byes: players, or whole pairs or teams."""

    round: Round
    tables: list[Table]
    bye: list[Entry] = field(default_factory=list)
    teams_over: list[Team] = field(default_factory=list)

    @property
    def may_swap(self) -> bool:
        return may_swap(self.round)

    @property
    def seated(self) -> list[tuple[Table, list[Seat | None]]]:
        """Each table with its chairs, None for the empty one at a table of three."""
        return list(zip(self.tables, chairs_around(self.round, self.tables), strict=True))


def may_swap(round_: Round) -> bool:
    """Whether two players can change seats: not where partners sit together."""
    return round_.is_drawn and not round_.tournament.in_teams


def seat_plan(
    tournament: Tournament, rounds: Sequence[Round] | None = None, *, seated: bool = True
) -> list[PlannedRound]:
    """Every round that is drawn or has been, or these alone, with its tables and their seats, and who sits there.

    Without `seated` the seats are not read: of thousands of tables a page shows few.
    """
    rounds = list(tournament.rounds.all()) if rounds is None else rounds
    by_round: dict[int, list[Table]] = defaultdict(list)
    by_key = {round_.pk: round_ for round_ in rounds}
    tables = Table.objects.filter(round__in=rounds).select_related("match__home", "match__away")
    for table in tables.prefetch_related(NAMED_SEATS) if seated else tables:
        # Who deals first depends on the tournament: it would be fetched once for each table.
        table.round = by_key[table.round_id]
        by_round[table.round_id].append(table)
    if tournament.in_teams:
        byes: dict[int, list[Team]] = defaultdict(list)
        for match in Match.objects.filter(round__tournament=tournament, away=None).select_related("home"):
            byes[match.round_id].append(match.home)
        return [PlannedRound(round_, by_round[round_.pk], teams_over=byes[round_.pk]) for round_ in rounds]
    late = not_seated(tournament)
    return [
        PlannedRound(
            round_,
            by_round[round_.pk],
            [entry for entry in sitting_out(round_) if entry not in late]
            if round_.is_drawn
            else sat_out(round_),
        )
        for round_ in rounds
    ]


def not_seated(tournament: Tournament) -> list[Entry]:
    """Late arrivals: checked in, but without a seat in a round that is drawn and has not started.

    Who was here when it was drawn has a bye instead.
    """
    drawn = tournament.rounds.filter(state=Round.State.DRAWN)
    if not drawn:
        return []
    if tournament.in_teams:
        return _teams_not_drawn(tournament)
    return _came_after(tournament, drawn)


def _came_after(tournament: Tournament, drawn: Collection[Round]) -> list[Entry]:
    """Checked-in players without a seat or bye in these rounds since they were drawn.

    Empty if another draw of the one round could seat no more.
    """
    seated = Seat.objects.filter(round__in=drawn).values("entry")
    over = {number for round_ in drawn for number in round_.byes}
    without = list(tournament.entries.playing().exclude(pk__in=seated).select_related("player"))
    if len(drawn) == 1 and len(without) <= byes_of(tournament):
        return []
    return [entry for entry in without if entry.number not in over]


def _teams_not_drawn(tournament: Tournament) -> list[Entry]:
    """Players of complete pairs or teams that are in none of the drawn matches."""
    drawn = Match.objects.filter(round__tournament=tournament, round__state=Round.State.DRAWN)
    playing = {pk for ends in drawn.values_list("home", "away") for pk in ends}
    late = [team for team in teams_of(tournament) if is_ready(team) and team.pk not in playing]
    return [entry for team in late for entry in regulars(team)]


def byes_of(tournament: Tournament) -> int:
    """The number of checked-in players with a bye in each round, so that all tables are full."""
    try:
        return byes(tournament.entries.playing().count(), sizes_of_tables(tournament))
    except DrawError:
        return int(five_are_here(tournament))


def sat_out(round_: Round) -> list[Entry]:
    """Players who had a bye when the round was drawn, and did not play in it later."""
    if not round_.byes:
        return []
    over = round_.tournament.entries.filter(number__in=round_.byes).exclude(seats__round=round_)
    return list(over.exclude(former_seats__round=round_).select_related("player"))


def came_after_the_start(round_: Round) -> list[Entry]:
    """Present players who neither sit nor sat in a running round, nor have a bye in it."""
    late = _came_after(round_.tournament, [round_])
    return [entry for entry in without_seat(round_) if entry in late]


def moved_since_drawn(tournament: Tournament) -> list[Entry]:
    """Players whose place changed since the next round was drawn by the standings.

    Empty if no such round waits, or no correction changed the places.
    """
    if tournament.draw_mode != Tournament.DrawMode.STANDINGS:
        return []
    round_ = tournament.rounds.filter(state=Round.State.DRAWN).exclude(ranking=[]).first()
    if round_ is None:
        return []
    entries = {entry.number: entry for entry in tournament.entries.playing().select_related("player")}
    then = [number for number in round_.ranking if number in entries]
    now = ranking_of(tournament, then)
    return [entries[number] for number, before in zip(now, then, strict=True) if number != before]


def sitting_out(round_: Round) -> list[Entry]:
    """Checked-in players without a seat in this round; of pairs and teams those with a bye."""
    if round_.tournament.in_teams:
        free = Entry.objects.filter(team__home_matches__round=round_, team__home_matches__away=None)
        return list(free.playing().select_related("player"))
    seated = round_.seats.values("entry")
    return list(round_.tournament.entries.playing().exclude(pk__in=seated).select_related("player"))


def seated_but_gone(tournament: Tournament) -> list[Entry]:
    """Players with a seat in a round that has not started, who are no longer checked in."""
    gone = tournament.entries.exclude(status=Entry.Status.PRESENT).filter(
        seats__round__state=Round.State.DRAWN
    )
    return list(gone.select_related("player").distinct())


class SeatedPlayer(NamedTuple):
    """An entry as the explanation of a draw shows it."""

    number: int
    name: str


@dataclass
class Seating:
    """The draw's figures for one player, over all rounds."""

    player: SeatedPlayer
    seats: list[str] = field(default_factory=list)  # table number and letter, by round
    first_deals: int = 0
    tables_of_three: int = 0
    meetings: Counter[SeatedPlayer] = field(default_factory=Counter)

    @property
    def twice(self) -> list[tuple[SeatedPlayer, int]]:
        """Players met more than once, and how often."""
        return [(other, times) for other, times in self._in_order() if times > 1]

    @property
    def once(self) -> list[SeatedPlayer]:
        return [other for other, times in self._in_order() if times == 1]

    def _in_order(self) -> list[tuple[SeatedPlayer, int]]:
        return sorted(self.meetings.items(), key=lambda met: (-met[1], met[0].number))


@dataclass(frozen=True)
class Seated:
    """All seats of a tournament; `has_empty_chairs` is whether a chair was left empty at a table of three."""

    players: list[Seating]
    has_empty_chairs: bool


def seatings(tournament: Tournament) -> Seated:
    """Seats and repeats of each player, in the order of their numbers.

    Seats and players are queried as values: models of 6,000 seats with their players take half a second.
    """
    players = {
        pk: SeatedPlayer(number, name)
        for pk, number, name in tournament.entries.order_by().values_list("pk", "number", "player__name")
    }
    rounds = {round_.pk: round_ for round_ in tournament.rounds.all()}
    at_table: dict[int, list[tuple[int, SeatedPlayer]]] = defaultdict(list)
    seats = Seat.objects.filter(round__in=rounds).order_by("position")
    for table_pk, position, entry in seats.values_list("table", "position", "entry"):
        at_table[table_pk].append((position, players[entry]))
    sizes = sizes_of_tables(tournament)
    largest, mixed = max(sizes), sizes == THREE_AND_FOUR
    found: dict[SeatedPlayer, Seating] = {}
    has_empty_chairs = False
    for table in Table.objects.filter(round__in=rounds).order_by("round__number", "number"):
        table.round = rounds[table.round_id]
        sat = at_table[table.pk]
        has_empty_chairs |= mixed and len(sat) == SMALL_TABLE and table.empty_chair is not None
        first = turns_at(table, len(sat)).dealer(1) if sat else None
        for position, player in sat:
            line = found.setdefault(player, Seating(player))
            line.seats.append(f"{table.number}{SEAT_LETTERS[position]}")
            line.first_deals += position == first
            line.tables_of_three += len(sat) < largest
        for (_seat, player), (_other_seat, other) in permutations(sat, 2):
            found[player].meetings[other] += 1
    return Seated(sorted(found.values(), key=lambda line: line.player.number), has_empty_chairs)


def matrix(lines: list[Seating]) -> list[tuple[Seating, list[int | None]]]:
    """Matrix of the number of meetings: a row per player, None on the diagonal.

    Empty for more players than are readable.
    """
    if len(lines) > MATRIX_PLAYERS:
        return []
    return [
        (line, [None if line is other else line.meetings[other.player] for other in lines]) for line in lines
    ]


def draw_mark(tournament: Tournament) -> str:
    """Return a fingerprint of all rounds: it changes with each draw, start and end, and when seats are changed."""
    rounds = tournament.rounds.values_list("pk", "state", "swapped")
    return "-".join(f"{pk}{state[0]}{'s' * swapped}" for pk, state, swapped in rounds) or "none"
