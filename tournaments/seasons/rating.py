"""A rating over everybody's results, by a model that others keep: `openskill`'s Plackett-Luce (Weng and Lin, 2011).

Every table of every round is a game whose players are ranked by their tokens. The games of all finished tournaments are
put one after the other, in the order of date, code, round and table: the same results give the same ratings. Nothing is
stored; the whole is worked out anew when a result changes. A rating decides no place and no prize, and no draw but
that of a championship's first groups, where an organiser chooses it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q
from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from clubs.models import Club
from clubs.names import shown_order
from tournaments.entries.personal_data import NAMELESS
from tournaments.models import Entry, FormerSeat, Seat, Tournament
from tournaments.seasons.season import shown_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The model's scale as people like it: everybody begins at 1000, and the model's first uncertainty is 200.
FIRST, POINTS_A_SIGMA = 1000, 200
# Whoever has sat at fewer tables is not in the list: too little is known.
LEAST_TABLES = 5


@dataclass(frozen=True, slots=True)
class Game:
    """A table of a round: its players with their tokens; `event` is the tournament's code."""

    event: str
    players: tuple[int, ...]
    tokens: tuple[int, ...]


@dataclass(slots=True)
class Rated:
    """A player's rating now, how sure it is (a standard deviation), and after each tournament, by its code."""

    points: int
    give_or_take: int
    tables: int = 0
    history: list[tuple[str, int]] = field(default_factory=list)


def fold(games: Iterable[Game]) -> dict[int, Rated]:
    """Everybody's rating after these games, one after the other. Plain numbers in and out."""
    model = PlackettLuce()
    scale = POINTS_A_SIGMA / model.sigma
    now: dict[int, PlackettLuceRating] = {}
    rated: dict[int, Rated] = {}
    for game in games:
        ratings = [[now.get(player) or model.rating()] for player in game.players]
        after = model.rate(ratings, scores=[float(tokens) for tokens in game.tokens])
        for player, (rating,) in zip(game.players, after, strict=True):
            now[player] = rating
            points = FIRST + round((rating.mu - model.mu) * scale)
            line = rated.setdefault(player, Rated(points, 0))
            line.points, line.give_or_take = points, round(rating.sigma * scale)
            line.tables += 1
            if line.history and line.history[-1][0] == game.event:
                line.history.pop()
            line.history.append((game.event, points))
    return rated


def around(club: Club) -> Club:
    """Whose results are put together: the union's where a club has one, else the club's own."""
    return club.union or club


def ratings(club: Club) -> dict[int, Rated]:
    """Player -> rating, by all finished tournaments of the union (or the club) whose hosts show ratings.

    Kept until one of these tournaments changes.
    """
    whole = around(club)
    hosts = Club.objects.filter(Q(pk=whole.pk) | Q(union=whole), shows_rating=True)
    finished = Tournament.objects.not_called_off().filter(host__in=hosts, state=Tournament.State.FINISHED)
    versions = list(finished.order_by("date", "code").values_list("code", "version"))
    key = f"rating:{whole.pk}"
    kept: tuple[list[tuple[str, int]], dict[int, Rated]] | None = cache.get(key)
    if kept is None or kept[0] != versions:
        kept = versions, fold(games_of([code for code, _version in versions]))
        cache.set(key, kept, 24 * 3600)
    return kept[1]


@dataclass(frozen=True, slots=True)
class Listed:
    """A player in a club's list; `code` and `number` are of the newest entry, whose page has the curve."""

    name: str
    club: str
    code: str
    number: int
    rated: Rated
    place: int = 0


def rating_list(club: Club) -> list[Listed]:
    """The club's players (a union's: all of its clubs') with a rating that says something, the highest first.

    Who has been erased is not in it, nor are guests and the players of a club that shows no ratings.
    """
    found = ratings(club)
    enough = [player for player, rated in found.items() if rated.tables >= LEAST_TABLES]
    entries = Entry.objects.filter(player__in=enough, tournament__state=Tournament.State.FINISHED)
    entries = entries.filter(Q(tournament__host=around(club)) | Q(tournament__host__union=around(club)))
    entries = entries.exclude(player__name=NAMELESS).filter(club__shows_rating=True)
    newest = {
        entry.player_id: entry
        for entry in entries.select_related("player", "club", "tournament__host").order_by(
            "tournament__date", "pk"
        )
    }
    if around(club) != club:
        newest = {player: entry for player, entry in newest.items() if entry.club_id == club.pk}
    names = shown_names(newest.values())
    ordered = sorted(newest, key=lambda player: (-found[player].points, shown_order(names[player])))
    listed: list[Listed] = []
    for count, player in enumerate(ordered, start=1):
        entry, rated = newest[player], found[player]
        equal = listed and listed[-1].rated.points == rated.points
        place = listed[-1].place if equal else count
        of_club = entry.club.name if entry.club else ""
        listed.append(Listed(names[player], of_club, entry.tournament.code, entry.number, rated, place))
    return listed


def rating_of(entry: Entry) -> Rated | None:
    """The rating of who plays under this entry; None for guests, and where the host or the player's club shows none."""
    host = entry.tournament.host
    shows = host.shows_rating and entry.club is not None and entry.club.shows_rating
    if not shows or entry.player.name == NAMELESS:
        return None
    return ratings(host).get(entry.player_id)


def games_of(codes: Sequence[str]) -> Iterable[Game]:
    """The tables of these tournaments as games, tournament by tournament in this order."""
    order = {code: place for place, code in enumerate(codes)}
    # A table that was never played is no game.
    sat = Seat.objects.filter(round__tournament__code__in=codes, table__reports_count__gt=0)
    # Where a substitute came, neither played the whole round: of who had the position the game says nothing.
    shared = FormerSeat.objects.filter(table=OuterRef("table"), position=OuterRef("position"))
    sat = sat.exclude(Exists(shared))
    seats = sat.values_list(
        "round__tournament__code", "round__number", "table__number", "position", "entry__player", "tokens"
    )
    tables: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    for code, round_, table, _position, player, tokens in sorted(
        seats, key=lambda seat: (order[seat[0]], *seat[1:4])
    ):
        tables.setdefault((order[code], round_, table), []).append((player, tokens))
    for (place, _round, _table), at_table in tables.items():
        yield Game(
            codes[place], tuple(player for player, _won in at_table), tuple(won for _player, won in at_table)
        )
