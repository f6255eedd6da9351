"""Advice about an unreadable picture, and reasons why a line is in doubt: English source texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.reporting.reader.layout import CORNERS
from tournaments.reporting.reader.results import Reason

if TYPE_CHECKING:
    from tournaments.reporting.reader.results import Unreadable


def _(text: str) -> str:
    return text


REASONS = {
    Reason.NO_PICTURE: _("This is not a picture: choose a photograph (JPEG, PNG or WebP)."),
    Reason.TOO_LARGE: _("This picture is too large; a phone’s camera takes smaller ones."),
    Reason.TOO_SMALL: _("Go closer: the sheet must fill the picture."),
    Reason.TOO_DARK: _("More light: the picture is too dark."),
    Reason.NO_SHEET: _("No sheet with boxes can be made out: go closer, use more light, and hold still."),
    Reason.OTHER_SHEET: _("This is a different sheet: its QR code does not belong to a sheet with boxes."),
    Reason.CUT_OFF: _("Part of the sheet is missing: all four corners of the paper must be in the picture."),
    Reason.BLURRED: _("More light, and hold still: the marks at the edges cannot be made out."),
    Reason.NO_CODE: _("The QR code at the top right cannot be read: take the picture again, closer."),
    Reason.UNKNOWN_LAYOUT: _(
        "This sheet was not printed here, or its tournament no longer exists: type what is on it."
    ),
    Reason.UNKNOWN_VERSION: _("This sheet was printed by another version of Spadille: type what is on it."),
    Reason.UNAVAILABLE: _(
        "This installation cannot read photographs. Install what is missing with “spadille[reading]”."
    ),
}
# Of a picture without one of the corners.
CORNER_MISSING = (
    _("The top left corner of the sheet is missing."),
    _("The top right corner of the sheet is missing."),
    _("The bottom left corner of the sheet is missing."),
    _("The bottom right corner of the sheet is missing."),
)
WHY_ASKED = {
    "faint": _("A mark is faint."),
    "unclear": _("A tick or a stain?"),
    "full": _("Ticked, or cancelled?"),
    "place": _("The picture is unclear here."),
    "several": _("Two boxes of a group are ticked."),
    "missing": _("Something is missing."),
    "note": _("There is a note."),
    "stray": _("Something is drawn outside the boxes."),
    "changed": _("The seats have changed since the sheet was printed."),
    "rules": _("The rules do not allow this."),
    "rare": _("This is rare."),
    "pattern": _("The rules have changed since the sheet was printed."),
}


def why_unreadable(found: Unreadable) -> str:
    """The sentence that belongs to a picture."""
    missing = [corner for corner in CORNERS if corner in found.marks_missing]
    if found.reason is Reason.CUT_OFF and len(missing) == 1:
        return CORNER_MISSING[missing[0]]
    return REASONS[found.reason]
