"""Tags for public pages: sharing, story, years, people."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.domain import card_drawing
from tournaments.domain.terms import percent, signed
from tournaments.hall.about import about
from tournaments.hall.years.explorer import between, rate_in_words, rate_text
from tournaments.people import visibility

if TYPE_CHECKING:
    from clubs.models import Club, Player
    from tournaments.hall.story import Runner
    from tournaments.people.person_statistics import Rate


# Open Graph metadata of a page.

register = template.Library()


@register.inclusion_tag("hall/base.html#about", takes_context=True)
def about_page(context: template.RequestContext) -> dict[str, Any]:
    """The tags that other programs read: description, OpenGraph, and those of what was Twitter."""
    return {
        "about": about(context["request"], {str(name): value for name, value in context.flatten().items()})
    }


@register.simple_tag
def follow_links(club: Club) -> SafeString:
    """The <link> elements of a club's feed and calendar, for all its pages."""
    return format_html(
        '<link rel="alternate" type="application/atom+xml" title="{0}" href="{1}?l={3}">'
        '<link rel="alternate" type="text/calendar" title="{0}" href="{2}?l={3}">',
        club.name,
        reverse("hall_feed", args=[club.slug]),
        reverse("hall_calendar", args=[club.slug]),
        get_language(),
    )


# Where a person's page over the years is, for pages that stand outside the hall.


@register.simple_tag
def pips() -> SafeString:
    """The suits as symbols, which cards are drawn with; once on a page."""
    return card_drawing.pips()


@register.simple_tag
def playing_card(card: str) -> SafeString:
    """The drawing of a card, hidden from voices; the matadors that everybody knows have a gold edge."""
    return card_drawing.draw_card(card, gold=card in card_drawing.MATADORS)


@register.simple_tag
def page_over_the_years(player: Player) -> str:
    """Its address; empty for who has none."""
    return reverse("person", args=[player.pk]) if visibility.has_page(player) else ""


# The lines of a race: hundreds of them, each written once.


@register.simple_tag
def runner_line(runner: Runner) -> SafeString:
    """A line that follows its player when it is tapped. Once more, wide and unseen, it is what a finger meets."""
    number = runner.row.number
    said = escape(f"{runner.row.name} {signed(runner.line.last)}")
    return mark_safe(  # noqa: S308 - names are escaped, the rest is numbers
        f'<a class="l{runner.style}" href="{runner.follow}#race" tabindex="-1"><title>{said}</title>'
        f'<path id="l{number}" d="{runner.line.path}"/><use class="hit" href="#l{number}"/></a>'
    )


# Shares, as pages over the years write them: see `hall/years/rates.py`.

register.filter("between", between)
register.filter("counted", rate_text)
register.filter("percent", percent)
register.filter("rate_in_words", rate_in_words)


@register.simple_tag
def rate(rate: Rate) -> SafeString:
    """A share with count and interval below it; for small samples the count alone, with a note.

    A small sample shows no share, so that it is not compared. Rendered in Python: a page has dozens.
    """
    if not rate.of:
        return mark_safe("–")
    if rate.is_little:
        few = '<span class="muted">{}</span><small class="sure">{}</small>'
        return format_html(few, _("too few"), rate_text(rate))
    told = '{}<small class="sure">{}, <span class="unbroken">{}</span></small>'
    return format_html(told, percent(rate.share or 0), rate_text(rate), between(rate))
