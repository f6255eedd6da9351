"""What the organiser should look at while a round runs: which tables, and why, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.models import Flag
from tournaments.rounds.pace import SLOW_BY, deals_behind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from tournaments.ledger.tables import BoardRow


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A table's line on the board: how many deals behind the middle table, and when it last reported."""

    row: BoardRow
    behind: int
    last_report: str

    @property
    def is_slow(self) -> bool:
        return self.behind >= SLOW_BY and not self.row.complete and not self.row.done

    @property
    def needs_organiser(self) -> bool:
        """A rare deal is shown and can wait."""
        asked = any(flag.kind != Flag.Kind.RARE for flag in self.row.flags)
        return asked or bool(self.row.kept or self.row.gaps) or self.is_slow

    @property
    def flags(self) -> list[Flag]:
        """Open calls and conflicts first, then deals to look at later, then rare ones; the oldest first."""
        can_wait = (Flag.Kind.LATER, Flag.Kind.RARE)
        return sorted(
            self.row.flags,
            key=lambda flag: (can_wait.index(flag.kind) + 1 if flag.kind in can_wait else 0, flag.raised_at),
        )

    @property
    def skipped(self) -> int:
        """Deals before the newest one that nobody has reported."""
        return self.row.newest_deal - self.row.reported

    @property
    def unconfirmed(self) -> int:
        return self.row.players - self.row.agreed


@dataclass(frozen=True, slots=True)
class BoardGroup:
    """Some of the lines that need the same, of so many."""

    title: str
    lines: Sequence[BoardLine]
    count: int

    def part(self, shown: Collection[int]) -> BoardGroup:
        """Only the lines of the tables that are shown, by primary key."""
        return replace(self, lines=[line for line in self.lines if line.row.table.pk in shown])


def board_lines(rows: Sequence[BoardRow], now: datetime, *, running: bool = True) -> list[BoardLine]:
    """A line for each table; nobody is slow in a round that is over."""
    behind = deals_behind(rows) if running else {}
    return [BoardLine(row, behind.get(row.table.pk, 0), ago(row.last_report_at, now)) for row in rows]


def board_groups(lines: Iterable[BoardLine]) -> list[BoardGroup]:
    """The tables that need the organiser, those that play, those that are done; in each, by number."""
    needing: list[BoardLine] = []
    playing: list[BoardLine] = []
    done: list[BoardLine] = []
    for line in lines:
        (needing if line.needs_organiser else done if line.row.done else playing).append(line)
    groups = (
        (_("Needs you"), needing),
        (pgettext("tables", "Playing"), playing),
        (_("Done"), done),
    )
    return [BoardGroup(title, lines, len(lines)) for title, lines in groups if lines]


def ago(moment: datetime | None, now: datetime) -> str:
    """How long since `moment`, in words; "" where there is none."""
    if moment is None:
        return ""
    minutes = max(0, int((now - moment).total_seconds() // 60))
    if minutes == 0:
        return _("just now")
    hours, rest = divmod(minutes, 60)
    if hours == 0:
        return ngettext("%(count)d minute ago", "%(count)d minutes ago", minutes) % {"count": minutes}
    if hours < 24:  # noqa: PLR2004 - hours of a day
        return _("%(hours)d h %(minutes)d min ago") % {"hours": hours, "minutes": rest}
    days = hours // 24
    return ngettext("%(count)d day ago", "%(count)d days ago", days) % {"count": days}
