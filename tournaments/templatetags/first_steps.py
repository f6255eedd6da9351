"""The first steps, on the desk and on the page of a club that has no members yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from tournaments.desk.setup import new as steps

if TYPE_CHECKING:
    from django.template import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def first_steps(context: Context) -> steps.FirstSteps:
    return steps.first_steps(context["request"].user)
