"""Shares, as pages over the years write them: see `hall/years/rates.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from tournaments.hall.years.rates import between, counted, percent, rate_said

if TYPE_CHECKING:
    from tournaments.people.evidence import Rate

register = template.Library()
register.filter("between", between)
register.filter("counted", counted)
register.filter("percent", percent)
register.filter("rate_said", rate_said)


@register.inclusion_tag("hall/years/_rate.html")
def rate(rate: Rate) -> dict[str, Any]:
    """A share with the count and the interval below it; of few, the count alone, and that they are too few."""
    return {
        "rate": rate,
        "share": percent(rate.share or 0),
        "counted": counted(rate),
        "between": between(rate),
    }
