"""Sentence about the comparison used for places, unless it is simply the sum of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tournaments.domain.comparison import plain_factor

if TYPE_CHECKING:
    from tournaments.domain.comparison import Comparison


def comparison_name(comparison: Comparison) -> str:
    """The name of the comparison, for a heading; "" where sums are compared."""
    match comparison.kind:
        case "average":
            return _("average per deal played")
        case "factor":
            return _("tables of three × %(factor)s") % {"factor": plain_factor(comparison.factor)}
    return ""


def comparison_in_words(comparison: Comparison) -> str:
    """The comparison as a sentence."""
    match comparison.kind:
        case "average":
            average = _(
                "The total is the average: a player’s tokens at all tables, plus or minus rulings "
                "(penalties), divided by the deals in which the player was dealt cards. It is "
                "compared exactly and shown with two decimals."
            )
            return f"{average} {_least_share(comparison)}".rstrip()
        case "factor":
            return _(
                "The total is the sum of a player’s tokens at all tables, with those of tables of "
                "three multiplied by %(factor)s, plus or minus rulings (penalties). It is compared "
                "exactly and shown with two decimals."
            ) % {"factor": plain_factor(comparison.factor)}
    return _("The total is the sum of a player’s tokens at all tables, plus or minus rulings (penalties).")


def _least_share(comparison: Comparison) -> str:
    if not comparison.least_share:
        return ""
    return _(
        "Players who were dealt fewer than %(share)d per cent of the largest number of deals "
        "are placed after all others."
    ) % {"share": comparison.least_share}


def carried_in_words() -> str:
    return _("Tokens carried over from the previous stage count in the total.")
