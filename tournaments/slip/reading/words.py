"""What to do about a picture that cannot be read, and why a line is asked: English, translated by whoever shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.slip.reading.marks import CORNERS
from tournaments.slip.reading.results import Reason

if TYPE_CHECKING:
    from tournaments.slip.reading.results import Unreadable


def _(text: str) -> str:
    return text


REASONS = {
    Reason.NO_PICTURE: _("This is no picture: choose a photograph (JPEG, PNG or WebP)."),
    Reason.TOO_LARGE: _("This picture is too large; a phone's camera takes smaller ones."),
    Reason.TOO_SMALL: _("Closer: the sheet must fill the picture."),
    Reason.TOO_DARK: _("More light: the picture is too dark."),
    Reason.NO_SHEET: _("No sheet to be ticked can be made out: closer, more light, and hold still."),
    Reason.OTHER_SHEET: _("Another sheet: its square code is not that of a sheet to be ticked."),
    Reason.CUT_OFF: _("Not the whole sheet: take the picture with all four corners of the paper in it."),
    Reason.BLURRED: _("More light, and hold still: the marks at the edges cannot be made out."),
    Reason.NO_CODE: _("The square code at the upper right cannot be read: take the picture again, closer."),
    Reason.UNKNOWN_LAYOUT: _(
        "This sheet was not printed here, or its tournament is gone: type what stands on it."
    ),
    Reason.UNKNOWN_VERSION: _(
        "This sheet was printed by another version of the program: type what stands on it."
    ),
    Reason.UNAVAILABLE: _(
        "This installation cannot read photographs: what it takes is installed with “spadille[reading]”."
    ),
}
# Of a picture without one of the corners.
CORNER_MISSING = (
    _("The upper left corner of the sheet is missing."),
    _("The upper right corner of the sheet is missing."),
    _("The lower left corner of the sheet is missing."),
    _("The lower right corner of the sheet is missing."),
)
WHY_ASKED = {
    "faint": _("A mark is faint."),
    "unclear": _("A tick, or a stain?"),
    "full": _("Ticked, or cancelled?"),
    "place": _("The picture is unclear here."),
    "several": _("Two boxes of a group are ticked."),
    "missing": _("Something is missing."),
    "note": _("There is a note."),
    "stray": _("Something is drawn where no box is."),
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
