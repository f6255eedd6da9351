"""A club in the hall: its evenings past and to come, its seasons and championships, its calendar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from clubs.models import Club, Crest
from clubs.register_models import clubs_in, unions_with
from tournaments.hall.home import now_and_coming, past, podiums_of
from tournaments.hall.memory import facts_of, memory_of, played_text
from tournaments.hall.seasons import lines_of
from tournaments.hall.seats import players_shown
from tournaments.lifecycle.registration.places import places_left
from tournaments.models import Championship, PublishedList, Season, Tournament
from tournaments.people import visibility
from tournaments.people.evening_cards import HAND_LIES, best_hand_of
from tournaments.seasons.ladder_table import Asked, season_part
from tournaments.seasons.season import progress_of, running_season

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from django.db.models import QuerySet
    from django.http import HttpRequest


NAMED = 6  # so many of who comes are named
LEADING = 3  # so many of a ladder lead it


def find_club(slug: str) -> Club:
    return get_object_or_404(Club, slug=slug)


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """A club's tournaments; a union's with those of its clubs."""
    return evenings_of(club).filter(called_off_at=None)


def evenings_of(club: Club) -> QuerySet[Tournament]:
    """The club's evenings, cancelled ones included."""
    hosts = Club.objects.filter(Q(pk=club.pk) | Q(pk__in=clubs_in(club))).order_by().values("pk")
    return Tournament.objects.filter(host__in=hosts).select_related("host")


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
    part = season_part(season, Asked())
    leading = [row for row in part.rows if row.line.rank][:LEADING]
    return {
        "season": season,
        "progress": progress_of(season, today),
        "leading": lines_of(leading, season, range(0), in_parts=part.in_parts),
        "provisional": part.provisional,
    }


def _season_over(club: Club, today: date) -> dict[str, Any]:
    """The best hand of the club's season that ended lately, and the season; nothing without one."""
    ended = Season.objects.filter(host=club, ends__lt=today, ends__gte=today - HAND_LIES).order_by(
        "-ends", "-pk"
    )
    for season in ended[:1]:
        if best := best_hand_of(season):
            return {"best": best, "of_season": season}
    return {}


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
