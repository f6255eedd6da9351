"""Memories and facts of a club: a winner of this day, or week, in an earlier year; a fact of each page over the years.

They are always positive, and never about erased persons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db.models import Count, Min
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.domain.terms import contract_names, people, percent
from tournaments.models import Entry, EveningResult, Tournament
from tournaments.models.names import NAMELESS
from tournaments.people.club_years import EVENING, years_in_brief
from tournaments.people.history import NAMES, contracts_in, record_in, record_value_text
from tournaments.people.person_statistics import LEAST_GAMES
from tournaments.seasons.ratings import around, rating_list, refresh_ratings, version_of
from tournaments.seasons.results import tell_firsts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from django.db.models import QuerySet

    from clubs.models import Club
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
    earlier = over.filter(date__year__lt=today.year)
    told = _won(_("On this day"), earlier.filter(date__month=today.month, date__day=today.day))
    return (
        told
        or _won(_("In this week"), earlier.filter(date__week=today.isocalendar().week))
        or _fact(club, over)
    )


def _won(heading: str, evenings: QuerySet[Tournament]) -> Memory | None:
    """The first of the evenings with a winner who is named."""
    unnamed = EveningResult.objects.filter(place=1, entry__player__name=NAMELESS)
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
    counted = over.order_by().aggregate(count=Count("pk"), since=Min("date"))
    if not counted["count"]:
        return ""
    said = ngettext("%(count)d evening, %(year)d", "%(count)d evenings since %(year)d", counted["count"])
    return said % {"count": counted["count"], "year": counted["since"].year}


def _fact(club: Club, over: QuerySet[Tournament]) -> Memory | None:
    counted = over.order_by().aggregate(count=Count("pk"), since=Min("date"))
    if not counted["count"]:
        return None
    said = ngettext(
        "%(club)s has played %(count)d evening since %(year)d.",
        "%(club)s has played %(count)d evenings since %(year)d.",
        counted["count"],
    )
    words = {"club": club, "count": counted["count"], "year": counted["since"].year}
    return Memory(_("Did you know"), said % words)


# One fact of each page over the years, for the list of these pages.

# Cache lifetime of who leads the ratings: a day, since who is away changes with it.
A_DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Facts:
    """What stands beside the links to a club's records, ratings and games; "" where nothing is known yet."""

    records: str = ""
    rating: str = ""
    games: str = ""


def facts_of(club: Club, today: date, *, has_history: bool) -> Facts:
    """The facts that the club's settings let the hall show."""
    told = years_in_brief(club) if has_history else []
    return Facts(_record_text(told), _rating_text(club, today) if club.shows_rating else "", games_text(told))


def _record_text(years: Sequence[Year]) -> str:
    """The most tokens in an evening: how many, by whom, in which year."""
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
    kept: tuple[object, list[str], int] | None = cache.get(key)
    if kept is None or kept[0] != version:
        first = [line for line in rating_list(club, today) if line.place == 1]
        kept = version, [line.name for line in first], first[0].rated.points if first else 0
        cache.set(key, kept, A_DAY)
    return kept[1:]
