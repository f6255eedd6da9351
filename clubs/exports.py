"""A club's members as a file that spreadsheets open and `clubs.member_file` reads again."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import IO

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import Club, Membership
from core.tables.files import Table, Value, write_tables
from core.text import tidy

AT_ONCE = 2000
MemberLine = Sequence[int | str | date | None]


def member_lines(memberships: QuerySet[Membership]) -> Iterator[MemberLine]:
    """What a file says of each membership, in their order, read some at a time."""
    lines = memberships.values_list(
        "number", "player__name", "player__email", "player__phone", "joined", "left"
    )
    yield from lines.iterator(AT_ONCE)


def export_members(file: IO[bytes], club: Club, lines: Iterable[MemberLine], kind: str) -> None:
    """Write the members into a file as "csv" or "xlsx", as they come."""
    headings = [_("Number"), _("Name"), _("Email"), _("Phone"), _("Joined"), _("Left")]
    write_tables(file, kind, Table(headings, map(_row, lines), club.name))


def _row(line: MemberLine) -> list[Value]:
    return [(tidy(value) or None) if isinstance(value, str) else value for value in line]
