"""Texts about pictures that wait, were read, or cannot be; and reasons why a line is in doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.reporting.reader import text
from tournaments.reporting.reader.layout import SheetName
from tournaments.reporting.reader.results import Reason, Unreadable

if TYPE_CHECKING:
    from tournaments.models import SheetPicture


# What a tournament has against a sheet that could be read.
OTHER_TOURNAMENT, OTHER_TABLE = "other_tournament", "other_table"
NOT_STARTED, ROUND_OVER, MANY, GONE, LIST = "not_started", "round_over", "many", "gone", "list"
# Reasons in addition to the reader's: contradictions between two pictures, or between phone and paper.
DIFFERS, PHONE, LATER = "differs", "phone", "later"
WHY_ASKED = text.WHY_ASKED | {
    DIFFERS: gettext_noop("Two photographs were read differently."),
    PHONE: gettext_noop("It was reported differently."),
    LATER: gettext_noop("Nothing is ticked here, although later deals were played."),
}


def why_not_read(picture: SheetPicture) -> str:
    """Instructions for a picture from which nothing is imported."""
    told = {"round": 0, "table": 0}
    if picture.sheet:
        name = SheetName(*picture.sheet)
        told = {"round": name.round, "table": name.table}
    own = {
        OTHER_TABLE: _("This is the sheet of table %(table)d: it has been set aside."),
        NOT_STARTED: _(
            "This is the sheet of table %(table)d of round %(round)d, which has not been started."
        ),
        ROUND_OVER: _(
            "This is the sheet of table %(table)d of round %(round)d, which is over: reopen it to"
            " save the sheet."
        ),
        MANY: _(
            "Table %(table)d of round %(round)d has the maximum number of photographs: remove one first."
        ),
        LIST: _(
            "The list for the door, or seat cards: these are read on a page of their own, beside "
            "the check-in."
        ),
        GONE: _("The picture is not in this data folder."),
    }
    if picture.why == OTHER_TOURNAMENT:
        return _(
            "This is a sheet from another tournament (%(code)s), table %(table)d of round "
            "%(round)d: set it aside."
        ) % (told | {"code": picture.sheet[0]})
    if picture.why in own:
        return own[picture.why] % told
    unread = text.why_unreadable(Unreadable(Reason(picture.why), tuple(picture.missing)))
    why = _(unread)
    if not picture.sheet:
        return why
    if picture.why in (Reason.UNKNOWN_LAYOUT, Reason.UNKNOWN_VERSION):
        *_place, layout, version = picture.sheet
        why += " " + _("Layout %(layout)s.") % {"layout": f"{version}-{layout}".upper()}
    return _("Table %(table)d of round %(round)d: %(why)s") % (told | {"why": why})
