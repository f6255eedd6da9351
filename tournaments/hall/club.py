"""A club in the hall: its evenings past and to come, its seasons and championships; its memories and facts.

Memories and facts are always positive, and never about those who were erased or have objected.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.core.cache import cache
from django.db.models import CharField, Count, Min, Q
from django.db.models.functions import Cast, Substr
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from clubs.models import Club, Crest
from clubs.register_models import clubs_in, unions_with
from tournaments.domain.terms import contract_names, people, percent
from tournaments.hall.home import now_and_coming, past, podiums_of
from tournaments.hall.seasons import lines_of
from tournaments.hall.seats import players_shown
from tournaments.lifecycle.fixtures import FEW, matches_to_come, of_teams, visited_leagues
from tournaments.lifecycle.registration.places import places_left
from tournaments.models import Championship, Entry, EveningResult, Match, PublishedList, Season, Tournament
from tournaments.models.names import NAMELESS
from tournaments.people import visibility
from tournaments.people.club_years import EVENING, years_in_brief
from tournaments.people.evening_cards import HAND_LIES, best_hand_of
from tournaments.people.history import NAMES, contracts_in, record_in, record_value_text
from tournaments.people.person_statistics import LEAST_GAMES
from tournaments.seasons.ladder_table import Asked, part_of, season_part
from tournaments.seasons.ratings import around, rating_list, refresh_ratings, version_of
from tournaments.seasons.results import tell_firsts
from tournaments.seasons.season import progress_of, running_season
from tournaments.seasons.team_ladder import is_of_teams, team_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from django.http import HttpRequest

    from tournaments.lifecycle.fixtures import DayMatch
    from tournaments.people.club_years import Year


# So many evenings of a day, or of a week, are looked through for one with a winner that is named.
MOST_LOOKED_AT = 10


@dataclass(frozen=True, slots=True)
class Memory:
    """A sentence with its heading; `url` is its evening, "" for none."""

    heading: str
    said: str
    url: str = ""


def memory_of(club: Club, evenings: QuerySet[Tournament], today: date) -> Memory | None:
    """A memory from these `evenings` of the club; None before any of them is over."""
    over = evenings.filter(state=Tournament.State.FINISHED).order_by("date", "pk")
    # A club that allows no statistics is remembered by none of its winners of earlier years.
    earlier = over.filter(date__year__lt=today.year, host__in=visibility.hosts(club)).alias(of_year=OF_YEAR)
    week = today.isocalendar().week
    # Filter by days first: computing the week of every evening costs more.
    in_week = earlier.filter(of_year__in=_days_of(week)).filter(date__week=week)
    return (
        _won(_("On this day"), earlier.filter(of_year=f"{today:%m-%d}"))
        or _won(_("In this week"), in_week)
        or _fact(club, over)
    )


# Of a date as text, as `02-29`: SQLite has Django's own, slow, functions for its parts, and goes through all evenings.
OF_YEAR = Substr(Cast("date", CharField()), 6, 5)


@lru_cache
def _days_of(week: int) -> list[str]:
    """The days of the year, as text, that are in this ISO week in some year."""
    weeks = (year for year in range(2000, 2400) if date(year, 12, 28).isocalendar().week >= week)
    days = {date.fromisocalendar(year, week, day) for year in weeks for day in range(1, 8)}
    return sorted({f"{day:%m-%d}" for day in days})


def _won(heading: str, evenings: QuerySet[Tournament]) -> Memory | None:
    """The first of the evenings with a winner who is named."""
    # As `visibility.hidden`, in the same query.
    hidden = Q(entry__player__name=NAMELESS) | Q(entry__player__has_objected=True)
    unnamed = EveningResult.objects.filter(hidden, place=1)
    found = list(evenings.exclude(pk__in=unnamed.values("tournament"))[:MOST_LOOKED_AT])
    tell_firsts(found)
    for evening in found:
        for first in evening.firsts[:1]:
            if first.place == 1:
                words = {"names": " / ".join(first.names), "evening": evening.name, "year": evening.date.year}
                said = _("%(names)s won %(evening)s in %(year)d.") % words
                return Memory(heading, said, evening.get_absolute_url())
    return None


def played_text(over: QuerySet[Tournament]) -> str:
    """The text of how many evenings have been played, and since when; "" before the first."""
    count, year = _played(over)
    said = ngettext("%(count)d evening, %(year)d", "%(count)d evenings since %(year)d", count)
    return said % {"count": count, "year": year} if count else ""


def _played(over: QuerySet[Tournament]) -> tuple[int, int]:
    """The number of these evenings, and the year of the first; (0, 0) without any."""
    found = over.order_by().aggregate(count=Count("pk"), since=Min("date"))
    return found["count"], found["since"].year if found["since"] else 0


def _fact(club: Club, over: QuerySet[Tournament]) -> Memory | None:
    count, year = _played(over)
    # After a single evening the page has its winners already.
    if count <= 1:
        return None
    said = ngettext(
        "%(club)s has played %(count)d evening since %(year)d.",
        "%(club)s has played %(count)d evenings since %(year)d.",
        count,
    )
    return Memory(_("Did you know"), said % {"club": club, "count": count, "year": year})


# One fact from each page of statistics, for the links to these pages.

# Cache lifetime of who leads the ratings: a day, since who is away changes with it.
A_DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Facts:
    """Texts for the links to a club's records, ratings and games; "" without data."""

    records: str = ""
    rating: str = ""
    games: str = ""


def facts_of(club: Club, today: date, *, has_history: bool) -> Facts:
    """The facts that the club's settings let the hall show."""
    years = years_in_brief(club) if has_history else []
    rating = _rating_text(club, today) if club.shows_rating else ""
    return Facts(_record_text(years), rating, games_text(years))


def _record_text(years: Sequence[Year]) -> str:
    """The club's record of tokens in an evening, as a sentence with the player and the year."""
    record = record_in(years, EVENING)
    if record is None:
        return ""
    at = Entry.objects.select_related("player", "club", "tournament__host").get(pk=record.entry)
    words = {
        "record": _(NAMES[record.kind]),
        "name": at.shown_name,
        "amount": record_value_text(record.kind, record.value),
        "year": at.tournament.date.year,
    }
    return _("%(record)s: %(name)s, %(amount)s in %(year)d") % words


def games_text(years: Sequence[Year]) -> str:
    """How often the contract that is played most is won; "" of few games."""
    contracts = contracts_in(years)
    contract, games = next(iter(contracts.items()), ("", None))
    if games is None or games.deals < LEAST_GAMES:
        return ""
    words = {
        "contract": contract_names(contracts)[contract],
        "share": percent(games.won / games.deals),
        "count": games.deals,
    }
    return _("%(contract)s: %(share)s of %(count)d games won") % words


def _rating_text(club: Club, today: date) -> str:
    names, points = leaders_of_ratings(club, today)
    return (
        _("In the lead: %(names)s, %(points)d") % {"names": people(names), "points": points} if names else ""
    )


def leaders_of_ratings(club: Club, today: date) -> tuple[list[str], int]:
    """The names of who leads the club's ratings, and their rating; no name before anybody is listed."""
    whole = around(club)
    refresh_ratings(whole)
    key, version = f"rating-first:{club.pk}", (today, version_of(whole))
    cached: tuple[object, list[str], int] | None = cache.get(key)
    if cached is None or cached[0] != version:
        first = [line for line in rating_list(club, today) if line.place == 1]
        cached = version, [line.name for line in first], first[0].rated.points if first else 0
        cache.set(key, cached, A_DAY)
    return cached[1:]


NAMED = 6  # so many of who comes are named
LEADING = 3  # so many of a ladder lead it


def find_club(slug: str) -> Club:
    return get_object_or_404(Club, slug=slug)


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """A club's tournaments; a union's with those of its clubs."""
    return evenings_of(club).filter(called_off_at=None)


def evenings_of(club: Club) -> QuerySet[Tournament]:
    """The club's evenings, cancelled ones included."""
    return Tournament.objects.filter(host__in=_hosts(club)).select_related("host")


def _hosts(club: Club) -> QuerySet[Club, Any]:
    """The primary keys of the club and of those that it is the union of."""
    return Club.objects.filter(Q(pk=club.pk) | Q(pk__in=clubs_in(club))).order_by().values("pk")


def visited_by(club: Club) -> QuerySet[Tournament]:
    """The leagues of others in which the club's teams play, and which are not over."""
    found = visited_leagues(club, _hosts(club)).filter(called_off_at=None)
    return found.exclude(state=Tournament.State.FINISHED).select_related("host")


def matches_of_teams(club: Club, today: date) -> list[tuple[Tournament, DayMatch]]:
    """The next matches of the club's teams in leagues that others hold, with these leagues."""
    leagues = {league.pk: league for league in visited_by(club)}
    if not leagues:
        return []
    own = Match.objects.filter(of_teams(club), round__tournament__in=leagues)
    return [(leagues[pk], match) for pk, match in islice(matches_to_come(own, today), FEW)]


@require_safe
@cache_control(public=True, max_age=365 * 24 * 3600, immutable=True)
def hall_crest(_request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The club's picture; its name is what is in it, so another has another address."""
    found = get_object_or_404(Crest, club__slug=slug, club__crest=name)
    return HttpResponse(bytes(found.picture), content_type="image/webp")


@require_safe
def hall_club(request: HttpRequest, slug: str) -> HttpResponse:
    club = find_club(slug)
    mine = tournaments_of(club)
    today = timezone.localdate()
    around = Q(host=club) | Q(host__in=unions_with(club))
    running = mine.filter(state=Tournament.State.RUNNING)
    coming = mine.filter(state=Tournament.State.SETUP, date__gte=today).order_by("date", "pk")
    found = past(request, mine.filter(state=Tournament.State.FINISHED))
    now = now_and_coming(running, coming, today)
    has_history = visibility.hosts(club).exists()
    is_told = any(one.now and one.now["podiums"] for one in now["running"][:1])
    context = (
        found
        | now
        | {
            "club": club,
            "season_now": season_now(club, today),
            **_season_over(club, today),
            "matches": matches_of_teams(club, today),
            "next": _next(now["coming"], today),
            "last": None if is_told else _last(found["past"]),
            "memory": memory_of(club, mine, today),
            "seasons": Season.objects.filter(around).select_related("host"),
            "championships": Championship.objects.filter(around).select_related("host"),
            "points": PublishedList.objects.filter(union__in=club.itself_and_unions())
            .select_related("union")
            .first(),
            "clubs": club.clubs.all(),
            "has_history": has_history,
            "facts": facts_of(club, today, has_history=has_history),
            "played": played_text(mine.filter(state=Tournament.State.FINISHED)),
        }
    )
    return render(request, "hall/club.html", context)


def season_now(club: Club, today: date) -> dict[str, Any] | None:
    """The current season: how far it has come, and who leads it; None if there is none."""
    season = running_season(club, today)
    if season is None:
        return None
    of_teams = is_of_teams(season)
    part = part_of(team_table(season), Asked(), set()) if of_teams else season_part(season, Asked())
    leading = [row for row in part.rows if row.line.rank][:LEADING]
    return {
        "season": season,
        "of_teams": of_teams,
        "progress": progress_of(season, today),
        "leading": lines_of(leading, season, range(0), in_parts=part.in_parts),
        "provisional": part.provisional,
    }


def _season_over(club: Club, today: date) -> dict[str, Any]:
    """The best hand of the club's season that ended lately, and the season; nothing without one."""
    ended = Season.objects.filter(host=club, ends__lt=today, ends__gte=today - HAND_LIES).order_by(
        "-ends", "-pk"
    )
    season = ended.first()
    best = best_hand_of(season) if season else None
    return {"best": best, "of_season": season} if best else {}


def _next(coming: Sequence[Tournament], today: date) -> dict[str, Any] | None:
    """The evening that is next: in how many days, who comes, and how many places are left."""
    evening = next((one for one in coming if one.state == Tournament.State.SETUP), None)
    if evening is None:
        return None
    names = [player.name for player in players_shown(evening, ())]
    return {
        "tournament": evening,
        "days": (evening.date - today).days,
        "names": names[:NAMED],
        "players": len(names),
        "more": max(len(names) - NAMED, 0),
        "left": places_left(evening),
    }


def _last(newest: Sequence[Tournament]) -> dict[str, Any] | None:
    """The newest finished evening with its podiums; None if they are empty."""
    won = podiums_of(newest[0]) if newest else []
    return {"tournament": newest[0], "podiums": won} if won else None
