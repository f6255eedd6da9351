"""A club's members as a file that spreadsheets open and `clubs.member_file` reads again."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from clubs.models import Club, Membership
from clubs.names import tidy
from clubs.table_file import Table, table_file


def export_members(club: Club, memberships: Iterable[Membership], kind: str) -> bytes:
    """The members as "csv" or "xlsx"."""
    headings = [_("Number"), _("Name"), _("E-mail"), _("Phone"), _("Joined"), _("Left")]
    rows = []
    for membership in memberships:
        player = membership.player
        texts = [tidy(text) or None for text in (player.name, player.email, player.phone)]
        rows.append([membership.number, *texts, membership.joined, membership.left])
    return table_file(kind, Table(headings, rows, club.name))
