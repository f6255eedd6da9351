"""Where a player sits: in the round being played, and in the next one once it is drawn."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.names import matches_search
from tournaments.entries.namesakes import as_shown
from tournaments.ledger.scoresheet import SEAT_LETTERS
from tournaments.ledger.sitting import turns_at
from tournaments.ledger.tables import current_round, next_round
from tournaments.models import Entry, Round, Seat, Tournament

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Somebody else at the table."""

    letter: str
    name: str
    number: int


@dataclass(frozen=True, slots=True)
class FoundSeat:
    """A player's seat in a round; `turn` is 0 for who deals first there, 1 for who deals second…"""

    round: int
    state: str
    table: int
    letter: str
    turn: int
    others: tuple[Neighbour, ...]

    @property
    def deals(self) -> str:
        return (_("deals first"), _("deals second"), _("deals third"), _("deals fourth"), _("deals fifth"))[
            self.turn
        ]

    @property
    def place(self) -> str:
        return _("Table %(table)d, %(letter)s") % {"table": self.table, "letter": self.letter}

    @property
    def is_drawn(self) -> bool:
        return self.state == Round.State.DRAWN


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """A player and their seats, the round that comes first first; none where no draw has seated them.

    `byes` are the numbers of the rounds that they sit out.
    """

    name: str
    number: int
    club: str
    seats: tuple[FoundSeat, ...]
    byes: tuple[int, ...] = ()


def find_players(tournament: Tournament, query: str) -> list[FoundPlayer]:
    """The players whose number `query` is, or in whose shown name all its words stand, in the order of
    what is shown.

    Only names as the hall shows them are searched: who is shown as a number is found by the number alone.
    """
    wanted = query.strip()
    return [
        player
        for player in all_players(tournament)
        if wanted == str(player.number) or (not wanted.isdigit() and matches_search(wanted, player.name))
    ]


def all_players(tournament: Tournament) -> list[FoundPlayer]:
    """Everybody who plays, with their seats, in the order of what is shown; kept until the tournament changes."""
    key = f"seats:{tournament.pk}"
    kept: tuple[int, list[FoundPlayer]] | None = cache.get(key)
    if kept is None or kept[0] != tournament.version:
        kept = tournament.version, _all_players(tournament)
        cache.set(key, kept, 3600)
    return kept[1]


def rounds_to_find(tournament: Tournament) -> list[Round]:
    """The round being played and the next one drawn; between rounds without a draw, the one last played."""
    running, coming = current_round(tournament), next_round(tournament)
    found = [round_ for round_ in (running, coming) if round_]
    if coming and running and not running.is_running:
        return [coming]
    return found


def _all_players(tournament: Tournament) -> list[FoundPlayer]:
    rounds = rounds_to_find(tournament)
    seats = _seats(rounds)
    entries = tournament.entries.filter(
        ~Q(status=Entry.Status.WITHDRAWN) | Q(seats__round__in=rounds)
    ).distinct()
    ordered = as_shown(entries.select_related("player", "club", "tournament__host"))
    return [
        FoundPlayer(
            entry.shown_name,
            entry.number,
            entry.club.name if entry.club else "",
            tuple(seats[entry.pk]),
            tuple(
                round_.number
                for round_ in rounds
                if entry.number in round_.byes
                and round_.number not in {seat.round for seat in seats[entry.pk]}
            ),
        )
        for entry in ordered
    ]


def _turn(seat: Seat, players: int) -> int:
    """How many deal before the player does."""
    first = turns_at(seat.table, players).seating(1)
    return (first.around.index(seat.position) - first.around.index(first.dealer)) % players


def _seats(rounds: Sequence[Round]) -> dict[int, list[FoundSeat]]:
    """Entry -> seats, in the order of the rounds."""
    state = {round_.pk: round_.state for round_ in rounds}
    sat = Seat.objects.filter(round__in=rounds).order_by("round__number", "table", "position")
    tables: dict[int, list[Seat]] = defaultdict(list)
    for seat in sat.select_related(
        "round", "table", "entry__player", "entry__club", "entry__tournament__host"
    ):
        tables[seat.table_id].append(seat)
    found: dict[int, list[FoundSeat]] = defaultdict(list)
    for seats in tables.values():
        sitting = [
            Neighbour(SEAT_LETTERS[seat.position], seat.entry.shown_name, seat.entry.number) for seat in seats
        ]
        for seat, own in zip(seats, sitting, strict=True):
            found[seat.entry_id].append(
                FoundSeat(
                    seat.round.number,
                    state[seat.round_id],
                    seat.table.number,
                    own.letter,
                    _turn(seat, len(seats)),
                    tuple(other for other in sitting if other is not own),
                )
            )
    return found
