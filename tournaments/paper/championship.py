"""A championship on paper: its stages in the order of play, as many groups on a page as have room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from core.pdf.fonts import plain
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file
from tournaments.paper.pages import packed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.models import Championship

ROWS_A_PAGE = 36
# Millimetres: a page's, of a group's heading with its table's, of what is said of a stage, and of a line.
ROOM, HEADING, SAID, ROW = 247.0, 16.0, 7.0, 6.0


@dataclass(frozen=True)
class Part:
    """A group's table, or a part of one that is too long for a page; `is_first` of its stage, `is_last` likewise."""

    table: Any
    group: Any
    lines: Sequence[Any]
    is_first: bool
    is_last: bool

    @property
    def group_name(self) -> str:
        return plain(self.group.tournament.name)

    @property
    def height(self) -> float:
        """In millimetres, with the names of those expected where no line has been played for."""
        lines = len(self.lines) or len(self.group.expected) + 1
        return HEADING + SAID * self.is_first + SAID * self.is_last + ROW * lines


def championship_pdf(
    championship: Championship,
    stages: Sequence[tuple[Any, Sequence[tuple[Any, Sequence[Any]]]]],
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The file, of stages as the hall shows them. Raises CannotMake."""
    occasion = {
        "tournament": plain(championship.name),
        "host": plain(championship.host.name),
        "date": championship.date,
        "printed_at": printed_at,
    }
    parts = [part for table, groups in stages for part in _parts(table, groups)]
    pages = [
        Page(
            "paper/_championship.html",
            name=some[0].table.stage.name if some else _("Championship"),
            css="ranking season championship",
            context={"occasion": occasion, "parts": some},
        )
        for some in packed(parts, [part.height for part in parts], ROOM) or [[]]
    ]
    return kept_file(pages, championship.name, printed_at=printed_at, asker=asker)


def _parts(table: Any, groups: Sequence[tuple[Any, Sequence[Any]]]) -> list[Part]:
    """The tables of a stage's groups, none longer than a page."""
    found = [(group, part) for group, lines in groups for part in chunks(lines, ROWS_A_PAGE) or [[]]]
    return [
        Part(table, group, [_line(line) for line in lines], number == 1, number == len(found))
        for number, (group, lines) in enumerate(found, start=1)
    ]


def _line(line: Any) -> dict[str, Any]:
    return {
        "rank": f"{line.party.rank}=" if line.party.shared else str(line.party.rank),
        "name": plain(line.party.name),
        "club": plain(line.party.club),
        "amounts": line.amounts,
        "way": line.way,
        "goes_on": line.goes_on,
        "line_below": line.line_below,
    }
