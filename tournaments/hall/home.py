"""The front door: which tournaments are played, which are coming, which have been."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import Club
from tournaments.models import Tournament

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

# Past tournaments shown until somebody asks for all.
RECENT = 30


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    past = past_tournaments()
    shown = list(past if "all" in request.GET else past[: RECENT + 1])
    more = "all" not in request.GET and len(shown) > RECENT
    context = {
        "running": running_tournaments(),
        "coming": coming_tournaments(timezone.localdate()),
        "past": shown[:RECENT] if more else shown,
        "more": more,
        "clubs_here": Club.objects.filter(
            Q(tournaments__isnull=False, tournaments__called_off_at=None) | Q(clubs__isnull=False)
        ).distinct(),
    }
    return render(request, "hall/home.html", context)


def running_tournaments() -> QuerySet[Tournament]:
    return _tournaments().filter(state=Tournament.State.RUNNING).order_by("-date", "-pk")


def coming_tournaments(today: date) -> QuerySet[Tournament]:
    """Those being set up for today or later, the nearest first."""
    return _tournaments().filter(state=Tournament.State.SETUP, date__gte=today).order_by("date", "pk")


def past_tournaments() -> QuerySet[Tournament]:
    """Finished ones club by club, so that a club's own stand together, the newest first in each."""
    return _tournaments().filter(state=Tournament.State.FINISHED).order_by("host__name", "-date", "-pk")


def _tournaments() -> QuerySet[Tournament]:
    return Tournament.objects.not_called_off().select_related("host")
