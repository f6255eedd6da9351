"""Comparison of a union's clubs: evenings, players, strength, growth."""

from __future__ import annotations

from collections import defaultdict
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import Club
from tournaments.hall.years.links import asked_of, page_of
from tournaments.people import visibility
from tournaments.seasons.rating import Known
from tournaments.seasons.ratings import KNOWN, is_away, newest_ratings, refresh_ratings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest, HttpResponse

    from tournaments.people.club_years import AtHost
    from tournaments.people.history import History

# Minimum number of rated players for a meaningful mean.
LEAST_PLAYERS = 5


class Strength(NamedTuple):
    """The mean rating of a club's players who have not stayed away, and its standard deviation."""

    points: int
    give_or_take: int
    players: int

    @property
    def is_little(self) -> bool:
        return self.players < LEAST_PLAYERS


class Compared(NamedTuple):
    """A club's share of the union's evenings: people of its newest year, `more` than in the year before, and `each`
    evening of all; `columns` draw people by year.
    """

    club: Club
    evenings: int
    people: int
    more: int | None
    each: float
    columns: Sequence[Any]
    strength: Strength | None


@require_safe
def hall_clubs(request: HttpRequest, slug: str) -> HttpResponse:
    """Compare the clubs of a union. For any other club the page has that club alone, and no link leads there."""
    asked = asked_of(request, slug)
    context = {"least": LEAST_PLAYERS}
    if asked.history:
        context |= _compared(asked.club, asked.history)
    return page_of(request, "clubs", asked, context)


def _compared(union: Club, told: History) -> dict[str, Any]:
    recount_since = refresh_ratings(union)
    hosts, strong = told.hosts(), strengths(union)
    clubs = Club.objects.in_bulk(list(hosts))
    years = [year.year for year in told.years]
    most = max((share.people for of in hosts.values() for share in of.values()), default=0)
    rows = [
        Compared(
            clubs[pk],
            sum(share.evenings for share in of.values()),
            of[max(of)].people,
            of[max(of)].people - of[max(of) - 1].people if max(of) - 1 in of else None,
            sum(share.chairs for share in of.values()) / sum(share.evenings for share in of.values()),
            _columns(years, of, most),
            strong.get(pk),
        )
        for pk, of in hosts.items()
    ]
    return {
        "rows": sorted(rows, key=lambda row: (-row.evenings, row.club.name)),
        "recount_since": recount_since,
        "first": years[0] if years else None,
        "last": years[-1] if years else None,
    }


def _columns(years: Sequence[int], of: Mapping[int, AtHost], most: int) -> list[tuple[float, ...]]:
    """People by year: from the left, how wide, from the top, how high, in per cent."""
    each = 100 / max(1, years[-1] - years[0] + 1)
    high = {year: round(100 * share.people / most, 1) for year, share in of.items()}
    return [
        (round((year - years[0]) * each, 2), round(0.8 * each, 2), round(100 - high[year], 1), high[year])
        for year in years
        if year in high
    ]


def strengths(union: Club) -> dict[int, Strength]:
    """Club -> how strong its players are, by the ratings shown; of clubs that show ratings, and are counted there."""
    shown = newest_ratings(union).filter(entry__club__shows_rating=True)
    told = shown.filter(entry__club__in=visibility.hosts(union)).order_by()
    today, of = timezone.localdate(), defaultdict(list)
    for club, *known in told.values_list("entry__club", *KNOWN):
        if not is_away(now := Known(*known), today):
            of[club].append(now)
    return {
        club: Strength(
            round(sum(one.points for one in rated) / len(rated)),
            round(sqrt(sum(one.give_or_take**2 for one in rated)) / len(rated)),
            len(rated),
        )
        for club, rated in of.items()
    }
