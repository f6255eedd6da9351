"""Shares and averages in words: with how sure they are, and where there is too little to say much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from tournaments.people.person_statistics import Rate


def percent(share: float) -> str:
    """A share from 0 to 1 in whole per cents: “40 %”."""
    return _("{number} %").format(number=round(100 * share))


def counted(rate: Rate) -> str:
    """“12 of 30”"""
    return _("%(count)d of %(of)d") % {"count": rate.count, "of": rate.of}


def between(rate: Rate) -> str:
    """The interval that holds the true share nineteen times in twenty."""
    low, high = (round(100 * end) for end in rate.interval)
    return _("{low}–{high} %").format(low=low, high=high)


def rate_said(rate: Rate) -> str:
    """“12 of 30, 40 %”, and the interval; of few, that they are too few."""
    if rate.is_little:
        few = _("too few")
        return f"{counted(rate)}, {few}" if rate.of else "–"
    return f"{counted(rate)}, {percent(rate.share or 0)} ({between(rate)})"
