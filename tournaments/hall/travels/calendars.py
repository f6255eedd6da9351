"""Calendars: a club's, to subscribe to, and one evening's."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.serving.addresses import base_url
from tournaments.exports.calendar import CONTENT_TYPE, calendar_of
from tournaments.hall.club import evenings_of, find_club
from tournaments.hall.live import find_tournament
from tournaments.hall.travels.answering import in_its_language, unless_known
from tournaments.models import Tournament
from tournaments.models.base import SAMPLE_REMOVED

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

# So long after its day an evening that was called off still says so.
REMEMBERED = timedelta(days=60)


@require_safe
def hall_calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The club's evenings, a union's with those of its clubs; lately called off, they say so."""
    club = find_club(slug)
    lately = Q(date__gte=timezone.localdate() - REMEMBERED) & ~Q(called_off_reason=SAMPLE_REMOVED)
    evenings = evenings_of(club).filter(Q(called_off_at=None) | lately).order_by("date", "pk")
    with in_its_language(request, club):
        data, changed = calendar_of(club, evenings, base_url(request))
    return unless_known(request, data, CONTENT_TYPE, changed, f"{club.slug}.ics")


@require_safe
def hall_evening_calendar(request: HttpRequest, code: str) -> HttpResponseBase:
    """One evening, for the calendar on one's phone."""
    tournament = find_tournament(code)
    alone = Tournament.objects.filter(pk=tournament.pk)
    with in_its_language(request, tournament.host):
        data, changed = calendar_of(tournament.host, alone, base_url(request))
    return unless_known(request, data, CONTENT_TYPE, changed, f"{tournament.code}.ics")
