"""Versions of the rules engine, so that stored deals are settled as they were when they were played.

A tournament stores the version that it started with. A change that could settle a stored report differently applies
from its version on; each rulebook lists the changes that concern it.
"""

from __future__ import annotations

from typing import NamedTuple

from scoring.words import _

# Incremented whenever a report could be settled differently than before.
ENGINE_VERSION = "1.3"
VERSIONS = ("1.0", "1.1", "1.2", ENGINE_VERSION)


class Change(NamedTuple):
    """A change of the rules: the first version that has it, and an English description."""

    version: str
    text: str


FIRST_FIVE_BY_TRICKS = Change(
    "1.2",
    _(
        "Who won the first five tricks, and who led to the sixth, is worked out from the "
        "tricks where possible; previously only from what was announced."
    ),
)
CONTRABOLA_WITHOUT_FIRST_FIVE = Change(
    "1.2", _("In a contrabola nobody pays or receives for the first five tricks.")
)
STOPPED_WHEN_CLEAR = Change(
    "1.3",
    _(
        "If play stopped and everyone’s tricks so far are given, the remaining tricks count: "
        "a nolo or bonus they could change is queried."
    ),
)
ESTUCHES_BY_SUIT = Change("1.3", _("There cannot be more estuches than there are trumps in the suit."))
SOLO_BY_THE_LAST = Change("1.3", _("Only the last player, the dealer, can be the declarer of a solo."))


def is_newer(version: str, other: str) -> bool:
    """Whether `version` is later than `other`; both are in VERSIONS."""
    return VERSIONS.index(version) > VERSIONS.index(other)


def in_force(change: Change, version: str) -> bool:
    """Whether the rules of this version (one of VERSIONS) include the change."""
    return not is_newer(change.version, version)
