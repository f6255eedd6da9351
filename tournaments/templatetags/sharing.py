"""What a page says of itself where its address is shared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language

from tournaments.hall.about import about

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from clubs.models import Club

register = template.Library()


@register.inclusion_tag("hall/_about.html", takes_context=True)
def about_page(context: template.RequestContext) -> dict[str, Any]:
    """The tags that other programs read: description, OpenGraph, and those of what was Twitter."""
    return {
        "about": about(context["request"], {str(name): value for name, value in context.flatten().items()})
    }


@register.simple_tag
def follow_links(club: Club) -> SafeString:
    """Where feed readers and calendars find a club's news from any of its pages."""
    return format_html(
        '<link rel="alternate" type="application/atom+xml" title="{0}" href="{1}?l={3}">'
        '<link rel="alternate" type="text/calendar" title="{0}" href="{2}?l={3}">',
        club.name,
        reverse("hall_feed", args=[club.slug]),
        reverse("hall_calendar", args=[club.slug]),
        get_language(),
    )
