"""The evening that a page of a tournament's desk belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from tournaments.desk.evening.navigation import now_of
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.template import Context

    from tournaments.desk.evening.navigation import Now

register = template.Library()


@register.simple_tag(takes_context=True)
def evening_now(context: Context) -> Now | None:
    """Where it is and what waits; found out once a page. None on a page of no tournament."""
    request, tournament = context.get("request"), context.get("tournament")
    if request is None or not isinstance(tournament, Tournament):
        return None
    return now_of(request, tournament)
