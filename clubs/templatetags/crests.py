"""A club's crest and colour, as the hall, the wall and the club's own page show them; nothing where it has none."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.models import Club

register = template.Library()


@register.simple_tag
def crest(club: Club) -> SafeString | str:
    """Render the club's picture, else a shield of its colour with its letter; without alt text, next to the name."""
    if club.crest:
        address = reverse("hall_crest", args=[club.slug, club.crest])
        return format_html('<img class="crest" src="{}" width="44" height="48" alt="">', address)
    if not club.colour:
        return ""
    return format_html(
        '<svg class="crest" viewBox="0 0 44 48" width="44" height="48" aria-hidden="true">'
        '<path d="M1 1h42v24c0 12-10 19-21 22C11 44 1 37 1 25z" fill="{}"/>'
        '<text x="22" y="30" text-anchor="middle" fill="#fdf8ea">{}</text></svg>',
        club.colour,
        club.name[:1].upper(),
    )


@register.simple_tag
def club_edge(club: Club | None) -> SafeString | str:
    """A strip of the club's colour: a drawing, since pages have no styles of their own."""
    if not (club and club.colour):
        return ""
    return format_html(
        '<svg class="club-edge" aria-hidden="true"><rect width="100%" height="100%" fill="{}"/></svg>',
        club.colour,
    )
