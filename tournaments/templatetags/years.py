"""Shares, as pages over the years write them: see `hall/years/rates.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.hall.years.games_text import between, counted, percent, rate_said

if TYPE_CHECKING:
    from tournaments.people.person_statistics import Rate

register = template.Library()
register.filter("between", between)
register.filter("counted", counted)
register.filter("percent", percent)
register.filter("rate_said", rate_said)


@register.simple_tag
def rate(rate: Rate) -> SafeString:
    """A share with the count and the interval below it; of few, the count alone, and that they are too few.

    Of few no share is told that others could be compared by. Written here: a page has dozens.
    """
    if not rate.of:
        return mark_safe("–")
    if rate.is_little:
        few = '<span class="muted">{}</span><small class="sure">{}</small>'
        return format_html(few, _("too few"), counted(rate))
    told = '{}<small class="sure">{}, <span class="unbroken">{}</span></small>'
    return format_html(told, percent(rate.share or 0), counted(rate), between(rate))
