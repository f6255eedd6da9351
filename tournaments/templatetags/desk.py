"""Tags for the organiser's pages: next steps, first steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from tournaments.desk.evening.navigation import now_of
from tournaments.desk.setup import new as steps
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.template import Context

    from tournaments.desk.evening.navigation import Now


# The evening that a page of a tournament's desk belongs to.

register = template.Library()


@register.simple_tag(takes_context=True)
def evening_now(context: Context) -> Now | None:
    """The state of the page's tournament and its open points, computed once a page.

    None without a tournament, and for who helps in one hall alone.
    """
    request, tournament = context.get("request"), context.get("tournament")
    if request is None or not isinstance(tournament, Tournament):
        return None
    if getattr(request, "hall", None):  # where the visitor may go is what their hall's page leads to
        return None
    return now_of(request, tournament)


# The first steps, on the desk and on the page of a club that has no members yet.


@register.simple_tag(takes_context=True)
def first_steps(context: Context) -> steps.FirstSteps:
    return steps.first_steps(context["request"].user)
