"""Memories of a club: a winner of this day, or this week, in an earlier year; else a fact about the club.

It is always positive, and never about erased persons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Min
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import EveningResult, Tournament
from tournaments.models.names import NAMELESS
from tournaments.seasons.results import tell_firsts

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet

    from clubs.models import Club

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
        for place, names in evening.firsts[:1]:
            if place == 1:
                words = {"names": " / ".join(names), "evening": evening.name, "year": evening.date.year}
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
