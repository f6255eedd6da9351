"""Tags for pages of a tournament: clock, end, texts, links with tokens, rules, manual."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html

from tournaments.boards.text import in_tenths
from tournaments.changes.chain import short_head
from tournaments.domain.rule_text import paragraph_address
from tournaments.domain.terms import MINUS, reason_words, signed
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.scoresheet import flag_words
from tournaments.lifecycle.ending import corrected_since_posted
from tournaments.models.base import moment_as_text
from tournaments.standings.team_text import marked
from tournaments.web.manual import CHAPTER_OF

if TYPE_CHECKING:
    from django.template import Context

    from tournaments.models import Flag, Match, Round, Tournament


# A round's clock on a page: the data for static/js/clock.js, and the text without scripts.

register = template.Library()
SECOND = 1000  # milliseconds


@register.filter
def hall_at(tournament: Tournament, table: int) -> str:
    """The name of the hall where a table is, with a colon; "" where the tournament has no halls."""
    name = tournament.hall_at(table)
    return f"{name}: " if name else ""


@register.inclusion_tag("_clock.html")
def round_clock(round_: Round | Match | None) -> dict[str, Any]:
    """The clock of a round, or of a match that was started alone; nothing without one, or where it has no clock.

    Moments are in milliseconds, as browsers count them.
    """
    clock = round_.clock if round_ is not None and round_.is_running else None
    if clock is None:
        return {"clock": None}
    ends, paused = clock.ends_at, clock.paused_at
    return {
        "clock": clock,
        "ends": round(ends.timestamp() * SECOND) if ends else "",
        "left": round(clock.time_left(paused).total_seconds() * SECOND) if paused else "",
        "until": moment_as_text(ends, ends),
        "rings": True,
    }


@register.inclusion_tag("_clock.html")
def objections_clock(tournament: Tournament, *, is_said: bool = False) -> dict[str, Any]:
    """The time left for objections; empty if there is none, and while an objection is open.

    `is_said`: the page already shows the end.
    """
    until = None if tournament.has_open_objection else tournament.objections_until
    ends = round(until.timestamp() * SECOND) if until else ""
    return {
        "clock": until,
        "ends": ends,
        "until": "" if is_said else tournament.objections_said,
        "rings": False,
    }


# What pages say of standings that are posted, or final.


@register.inclusion_tag("hall/standings.html#final")
def final_text(tournament: Tournament, *, is_brief: bool = False) -> dict[str, Any]:
    """The time until which the standings are provisional, or that they are final; and later corrections.

    With `is_brief` it leaves out that they are final, for pages that show it already.
    """
    return {
        "tournament": tournament,
        "is_brief": is_brief,
        "corrected": corrected_since_posted(tournament) if tournament.is_played else [],
    }


# The “?” that every page's head has: what this page is for.


@register.simple_tag(takes_context=True)
def help_address(context: Context) -> str:
    """URL of the manual's chapter about the current page; else the manual's front page."""
    request = context.get("request")
    match = request.resolver_match if request else None
    chapter = CHAPTER_OF.get(match.url_name or "") if match else None
    return reverse("manual_chapter", args=[chapter]) if chapter else reverse("manual")


# Cited paragraphs of the rules, as links to where they stand.


@register.filter
def cited(paragraph: str) -> str:
    """Link a paragraph such as “union §4.1”; unchanged if it is not a paragraph of our rules."""
    address = paragraph_address(paragraph)
    return format_html('<a class="cited" href="{}">{}</a>', address, paragraph) if address else paragraph


# What is stored as data, in the reader's language.

register.filter("reason_words", reason_words)
register.filter("short_head", short_head)
register.filter("marked", marked)


@register.simple_tag(takes_context=True, name="flag_words")
def _flag_words(context: Context, flag: Flag, names: list[str]) -> str:
    """Text of a call, a mark or a question on a page of its tournament."""
    return flag_words(rulebook_of(context["tournament"]), flag, names)


# Tokens as every page writes them.

register.filter("signed", signed)
register.filter("tenths", in_tenths)


@register.filter
def signed_average(tokens: float) -> str:
    """An average with its sign and two decimals, in the reader's way of writing: +1.25 or +1,25."""
    written = number_format(abs(round(tokens, 2)), decimal_pos=2)
    sign = "+" if round(tokens, 2) > 0 else MINUS if round(tokens, 2) < 0 else ""
    return sign + written
