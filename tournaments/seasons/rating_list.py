"""Ratings as the hall shows them: a club's list, and a player's rating with the tournaments it came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Max, Q
from django.utils import timezone

from clubs.models import Club
from clubs.names import shown_order
from tournaments.models import Entry, Rating
from tournaments.models.names import NAMELESS, Of, shown_names
from tournaments.seasons.rated import around, bring_up_to_date
from tournaments.seasons.rating import Known

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from django.db.models import QuerySet

# Whoever has sat at fewer tables is not in the list: too little is known.
LEAST_TABLES = 5
# Whoever has not played for so long stands below the others, without a place.
AWAY = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Listed:
    """A player in a club's list; `code` and `number` are of the newest entry, whose page has the curve.

    What is known of them is that of today. Who has been away for long has place 0. `player` and
    `club_id` are primary keys; `by_number` is whether their club shows them so.
    """

    name: str
    club: str
    code: str
    number: int
    rated: Known
    place: int = 0
    player: int = 0
    by_number: bool = False
    club_id: int = 0


class Point(NamedTuple):
    """A player's rating after a tournament, and how sure it was."""

    day: date
    points: int
    give_or_take: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating as it is known today, and after each tournament."""

    now: Known
    history: Sequence[Point]
    is_away: bool


class _Newest(NamedTuple):
    """A player's newest evening for a club that shows ratings."""

    player: int
    club: int
    number: int
    code: str


def ratings(club: Club) -> dict[int, Known]:
    """Player -> rating, by all finished tournaments of the union (or the club) whose hosts show ratings."""
    return {player: Known(*known) for player, *known in _now(club).values_list("player", *KNOWN)}


KNOWN = ("mu", "sigma", "tables", "date")
NEWEST = ("player", "entry__club", "entry__number", "entry__tournament__code")


def is_away(known: Known, today: date) -> bool:
    """Whether somebody has not played for so long that they have no place among the others."""
    return known.day is not None and today - known.day > AWAY


def rating_list(club: Club, today: date) -> list[Listed]:
    """The club's players (a union's: all of its clubs') with a rating that says something, the highest first.

    Those who have been away for long come last, in the same order. Who has been erased is not in it, nor are guests and
    the players of a club that shows no ratings.
    """
    enough = _now(club).filter(tables__gte=LEAST_TABLES).exclude(player__name=NAMELESS)
    shows = Q(entry__club__shows_rating=True)
    as_guests = enough.filter(Q(entry__club=None) | Q(entry__club__shows_rating=False))
    # Who was a guest lately is listed by the last evening that was none.
    before = Rating.objects.filter(shows, whole=around(club), player__in=as_guests.values("player"))
    last = before.order_by().values("player").annotate(last=Max("pk")).values("last")
    of_club = Q(entry__club=club) if around(club) != club else Q()
    rows = [
        _Newest(*row)
        for found in (enough.filter(shows), Rating.objects.filter(pk__in=last))
        for row in found.filter(of_club).values_list(*NEWEST)
    ]
    # A union lists nearly all of them: to name each in the question takes longer than to answer it.
    listed = Q(player__in=[row.player for row in rows]) if of_club else Q()
    known = {player: Known(*now) for player, *now in enough.filter(listed).values_list("player", *KNOWN)}
    return _placed(rows, known, today)


def _placed(rows: Sequence[_Newest], known: dict[int, Known], today: date) -> list[Listed]:
    told = Club.objects.filter(pk__in={row.club for row in rows})
    clubs = {pk: (name, style) for pk, name, style in told.values_list("pk", "name", "name_style")}
    names = shown_names(Of(row.player, row.club, row.number) for row in rows)
    points = {player: now.points for player, now in known.items()}
    away = {player: is_away(now, today) for player, now in known.items()}
    ordered = sorted(
        rows, key=lambda row: (away[row.player], -points[row.player], shown_order(names[row.player]))
    )
    listed: list[Listed] = []
    for count, row in enumerate(ordered, start=1):
        equal = count > 1 and points[ordered[count - 2].player] == points[row.player]
        place = 0 if away[row.player] else listed[-1].place if equal else count
        now = known[row.player].on(today)
        club, style = clubs[row.club]
        name, by_number = names[row.player], style == Club.NameStyle.NUMBER
        listed.append(Listed(name, club, row.code, row.number, now, place, row.player, by_number, row.club))
    return listed


def rating_of(entry: Entry, today: date | None = None) -> Rated | None:
    """The rating of who plays under this entry; None for guests, and where the host or the player's club shows none."""
    host = entry.tournament.host
    shows = host.shows_rating and entry.club is not None and entry.club.shows_rating
    if not shows or entry.player.name == NAMELESS:
        return None
    bring_up_to_date(around(host))
    rows = Rating.objects.filter(whole=around(host), player=entry.player_id).order_by("pk")
    kept = [Known(*known) for known in rows.values_list(*KNOWN)]
    if not kept:
        return None
    today = today or timezone.localdate()
    history = [Point(known.day, known.points, known.give_or_take) for known in kept if known.day]
    return Rated(kept[-1].on(today), history, is_away(kept[-1], today))


def _now(club: Club) -> QuerySet[Rating]:
    """Everybody's rating as it is now."""
    bring_up_to_date(around(club))
    return Rating.objects.filter(whole=around(club), is_newest=True)
