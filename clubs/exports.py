"""A club's members as a file that spreadsheets open and `clubs.member_file` reads again."""

from collections.abc import Iterable

import tablib
from django.utils.translation import gettext as _

from clubs.models import Club, Membership
from clubs.names import tidy
from clubs.spreadsheet import guarded

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def export_members(club: Club, memberships: Iterable[Membership], kind: str) -> bytes:
    """The members as "csv" or "xlsx"; the CSV as Danish spreadsheets like it: semicolons, UTF-8 marked."""
    headings = [_("Number"), _("Name"), _("E-mail"), _("Phone"), _("Joined"), _("Left")]
    sheet = tablib.Dataset(headers=headings, title=club.name)
    for membership in memberships:
        player = membership.player
        texts = [guarded(tidy(text)) or None for text in (player.name, player.email, player.phone)]
        sheet.append([membership.number, *texts, membership.joined, membership.left])
    if kind == "csv":
        return str(sheet.export("csv", delimiter=";")).encode("utf-8-sig")
    return bytes(sheet.export("xlsx"))
