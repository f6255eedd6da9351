"""What the boxes of a sheet to be ticked are called: on the sheet, and beside its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from scoring.words import BONUS_NAMES
from tournaments.domain.terms import SUIT_SIGNS, contract_name, patch_name
from tournaments.slip.reading import boxes

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook


def box_name(rulebook: Rulebook, key: str, value: str) -> str:
    """A box of a group that is not of players, in the reader's words."""
    if value in SUIT_SIGNS and key == boxes.TRUMP:
        return SUIT_SIGNS[value]
    if key == boxes.CONTRACT:
        return contract_name(value)
    if key == boxes.BID:
        return _("bid: %(bid)s") % {"bid": _(BONUS_NAMES[value])}
    own = {
        boxes.SANS: _("no trump"),
        boxes.PASSED: _("all passed"),
        boxes.NOTE: _("see note"),
        "tout_won": _("tout won"),
        "tout_failed": _("tout failed"),
    }
    name = own.get(value) or patch_name(rulebook, value)
    return name[:1].upper() + name[1:]
