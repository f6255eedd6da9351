"""Where a person's page over the years is, for pages that stand outside the hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.urls import reverse

from tournaments.people import visibility

if TYPE_CHECKING:
    from clubs.models import Player

register = template.Library()


@register.simple_tag
def page_over_the_years(player: Player) -> str:
    """Its address; empty for who has none."""
    return reverse("person", args=[player.pk]) if visibility.has_page(player) else ""
