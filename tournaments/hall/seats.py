"""The seating: the list of seats, and the search for one's own."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club, format_name
from clubs.names import matches_search, shown_order, sought_words
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.halls import with_hall
from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.ledger.queries import current_round, next_round
from tournaments.ledger.seating import turns_at
from tournaments.models import Entry, Round, Seat, Tournament
from tournaments.models.play import told_apart
from tournaments.web.guards import number_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http.response import HttpResponseBase


# Where do I sit? By a part of the name, or by the player's number.

# Up to so many players are shown with their whole table; more as a paginated list to choose from.
SHOWN_BIG, ON_A_PAGE = 8, 100


@require_safe
def seats(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    query = request.GET.get("name", "").strip()[:100]
    number = request.GET.get("page", "")
    keep = not query and number in ("", "1")  # the common requests; others are rendered on request
    return live_page(request, tournament, "seats", lambda: _search(tournament, query, number), keep=keep)


def _search(tournament: Tournament, query: str, number: str) -> dict[str, Any]:
    rounds = rounds_to_find(tournament)
    found = players_shown(tournament, rounds, query)
    nobody = bool(query) and not found
    page = Paginator(players_shown(tournament, rounds) if nobody else found, ON_A_PAGE).get_page(number)
    shown = with_seats(rounds, list(page))
    several = not query or nobody or len(found) > SHOWN_BIG
    return {
        "query": query,
        "found": found if query else [],
        "page": page,
        "big": [] if several else shown,
        "list": shown if several else [],
        "drawn": Seat.objects.filter(round__in=rounds).exists(),
    }


# Where a player sits: in the round being played, and in the next one once it is drawn.


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another player at the table."""

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
    hall: str = ""
    # The place of its hall.
    at: str = ""

    @property
    def deals(self) -> str:
        return (_("deals first"), _("deals second"), _("deals third"), _("deals fourth"), _("deals fifth"))[
            self.turn
        ]

    @property
    def place(self) -> str:
        return _place(self.table, self.letter, self.hall)

    @property
    def is_drawn(self) -> bool:
        return self.state == Round.State.DRAWN


def place_in_words(table: int, position: int, hall: str = "") -> str:
    return _place(table, SEAT_LETTERS[position], hall)


def _place(table: int, letter: str, hall: str) -> str:
    return with_hall(hall, _("Table %(table)d, %(letter)s") % {"table": table, "letter": letter})


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


@dataclass(frozen=True, slots=True)
class ShownPlayer:
    """A player as everybody sees them."""

    entry: int
    name: str
    number: int
    club: str


def players_shown(tournament: Tournament, rounds: Sequence[Round], query: str = "") -> list[ShownPlayer]:
    """Players with an entry, or a seat in one of these rounds, in the order shown.

    Those whose number `query` is, or in whose shown name all its words stand. Only names as the hall shows them are
    searched: who is shown as a number is found by the number alone.
    """
    wanted = query.strip()
    entries = tournament.entries.filter(
        ~Q(status=Entry.Status.WITHDRAWN) | Q(pk__in=Seat.objects.filter(round__in=rounds).values("entry"))
    )
    if wanted.isdigit():
        entries = entries.filter(number=number_in(wanted) or 0)
    for word in [] if wanted.isdigit() else sought_words(wanted):
        # What is shown has no other words than the name, and the number of who has a namesake.
        entries = entries.filter(Q(player__sought__contains=word) | Q(has_namesake=True))
    styles = {pk: (name, style) for pk, name, style in _clubs_of(tournament)}
    host = "", tournament.host.name_style
    fields = ("pk", "number", "player__name", "club", "has_namesake")
    found = []
    for pk, number, name, club_id, has_namesake in entries.values_list(*fields):
        club, style = styles.get(club_id, host)
        plain = format_name(name, style, number)
        shown = ShownPlayer(pk, told_apart(plain, number, has_namesake=has_namesake), number, club)
        if not wanted or wanted.isdigit() or matches_search(wanted, shown.name):
            found.append((shown_order(plain), number, shown))
    return [shown for _order, _number, shown in sorted(found, key=lambda line: line[:2])]


def _clubs_of(tournament: Tournament) -> Iterable[tuple[int, str, str]]:
    clubs = Club.objects.filter(pk__in=tournament.entries.values("club")).order_by()
    return clubs.values_list("pk", "name", "name_style")


def with_seats(rounds: Sequence[Round], players: Sequence[ShownPlayer]) -> list[FoundPlayer]:
    """These players with their seats in these rounds."""
    seats = _seats(rounds, [player.entry for player in players])
    return [
        FoundPlayer(
            player.name,
            player.number,
            player.club,
            tuple(seats[player.entry]),
            tuple(
                round_.number
                for round_ in rounds
                if player.number in round_.byes
                and round_.number not in {seat.round for seat in seats[player.entry]}
            ),
        )
        for player in players
    ]


def rounds_to_find(tournament: Tournament) -> list[Round]:
    """The round being played and the next one drawn; between rounds without a draw, the one last played."""
    running, coming = current_round(tournament), next_round(tournament)
    found = [round_ for round_ in (running, coming) if round_]
    if coming and running and not running.is_running:
        return [coming]
    return found


def _turn(seat: Seat, players: int) -> int:
    """The number of deals before the player's turn to deal."""
    first = turns_at(seat.table, players).seating(1)
    return (first.around.index(seat.position) - first.around.index(first.dealer)) % players


def _seats(rounds: Sequence[Round], entries: Sequence[int]) -> dict[int, list[FoundSeat]]:
    """Entry -> seats, in the order of the rounds; at their tables sit others too."""
    known, asked = {round_.pk: round_ for round_ in rounds}, set(entries)
    there = Seat.objects.filter(round__in=rounds)
    sat = there.filter(table__in=there.filter(entry__in=entries).values("table")).order_by(
        "round__number", "table", "position"
    )
    tables: dict[int, list[Seat]] = defaultdict(list)
    for seat in sat.select_related("table", "entry__player", "entry__club"):
        seat.table.round = known[seat.round_id]  # which has been queried already, with its tournament
        seat.entry.tournament = known[seat.round_id].tournament
        tables[seat.table_id].append(seat)
    found: dict[int, list[FoundSeat]] = defaultdict(list)
    for seats in tables.values():
        sitting = [
            Neighbour(SEAT_LETTERS[seat.position], seat.entry.shown_name, seat.entry.number) for seat in seats
        ]
        for seat, own_place in zip(seats, sitting, strict=True):
            if seat.entry_id not in asked:
                continue
            found[seat.entry_id].append(
                FoundSeat(
                    known[seat.round_id].number,
                    known[seat.round_id].state,
                    seat.table.number,
                    own_place.letter,
                    _turn(seat, len(seats)),
                    tuple(other for other in sitting if other is not own_place),
                    known[seat.round_id].tournament.hall_at(seat.table.number),
                    known[seat.round_id].tournament.place_at(seat.table.number),
                )
            )
    return found
