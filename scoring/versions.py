"""Versions of the rules: what changed when in how a result is read, so that stored deals settle as they did.

A tournament keeps the version with which it started. A change that could settle a stored report otherwise holds from
its version on; each rulebook lists those that concern it.
"""

from __future__ import annotations

from typing import NamedTuple

from scoring.words import _

# Goes up whenever a result could settle otherwise than before.
ENGINE_VERSION = "1.3"
VERSIONS = ("1.0", "1.1", "1.2", ENGINE_VERSION)


class Change(NamedTuple):
    """What is read otherwise from a version on, in English words."""

    version: str
    text: str


FIRST_FIVE_BY_TRICKS = Change(
    "1.2",
    _(
        "Who won the first five tricks, and who led to the sixth, is read from the tricks where they tell it; before, "
        "only from what was said of it."
    ),
)
CONTRABOLA_WITHOUT_FIRST_FIVE = Change(
    "1.2", _("In a contrabola nobody pays or receives for the first five tricks.")
)
STOPPED_WHEN_CLEAR = Change(
    "1.3",
    _(
        "Where play stopped and everybody's tricks so far are given, the tricks still to come count: a nolo or a bonus "
        "that they could change is asked about."
    ),
)
ESTUCHES_BY_SUIT = Change("1.3", _("There are no more estuches than the trump suit has trumps."))
SOLO_BY_THE_LAST = Change("1.3", _("Only the last player, the dealer, is taken for the declarer of a solo."))


def is_newer(version: str, other: str) -> bool:
    """Whether the first of two of VERSIONS is the later one."""
    return VERSIONS.index(version) > VERSIONS.index(other)


def in_force(change: Change, version: str) -> bool:
    """Whether rules of this version, one of VERSIONS, have the change."""
    return not is_newer(change.version, version)
