"""What the organiser should look at while a round runs: which tables, and why, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.domain.terms import short_names
from tournaments.lifecycle.playing import SLOW_BY, Pace, deals_behind, paces
from tournaments.models import Flag

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from tournaments.ledger.queries import BoardRow
    from tournaments.models import Round

# Nothing heard of a table for so long is worth a walk to it.
SILENT_AFTER = timedelta(minutes=15)
UNTOLD = Pace(None, is_behind=False)


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A table on the board: how many deals behind the middle table, and when it last reported."""

    row: BoardRow
    behind: int
    last_report: str
    silent: bool = False  # for long, while it has deals to play
    pace: Pace = UNTOLD

    @property
    def is_slow(self) -> bool:
        return self.behind >= SLOW_BY and not self.row.complete and not self.row.done

    @property
    def needs_organiser(self) -> bool:
        """A rare deal is shown and can wait, and a table that is only slow needs nobody."""
        return self.state not in {"plays", "done"}

    @property
    def state(self) -> str:
        """What is seen of it across the room: calls, differs, signs, later, done, plays."""
        kinds = {flag.kind for flag in self.row.flags}
        states = {
            "calls": Flag.Kind.CALL in kinds,
            "differs": Flag.Kind.CONFLICT in kinds or self.row.kept or self.row.gaps or self.row.lacks_player,
            "signs": self.row.waits_for_signatures,
            "later": Flag.Kind.LATER in kinds,
            "done": self.row.done,
        }
        return next((state for state, holds in states.items() if holds), "plays")

    @property
    def call(self) -> Flag | None:
        """The oldest call that is open."""
        calls = [flag for flag in self.flags if flag.kind == Flag.Kind.CALL]
        return calls[0] if calls else None

    @property
    def later(self) -> Flag | None:
        """The oldest deal that was marked to be looked at."""
        marks = [flag for flag in self.flags if flag.kind == Flag.Kind.LATER]
        return marks[0] if marks else None

    @property
    def differing(self) -> Flag | None:
        """The oldest deal of which there are two versions."""
        found = [flag for flag in self.flags if flag.kind == Flag.Kind.CONFLICT]
        return found[0] if found else None

    @property
    def rare(self) -> int:
        """How many rare deals nobody has looked at; that can wait."""
        return sum(flag.kind == Flag.Kind.RARE for flag in self.row.flags)

    @property
    def names(self) -> list[str]:
        """The players' short names, by position; see `with_names`."""
        return short_names(self.row.names)

    @property
    def signatures(self) -> list[tuple[str, bool]]:
        """Each player's short name, and whether they have said yes to the sheet."""
        return [
            (name, seat.agreed_at is not None) for name, seat in zip(self.names, self.row.seats, strict=True)
        ]

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


def board_lines(rows: Sequence[BoardRow], now: datetime, round_: Round | None = None) -> list[BoardLine]:
    """A line for each table, of a round with the pace of each; nobody is slow in one that is over."""
    running = round_ is None or round_.is_running
    behind = deals_behind(rows) if running else {}
    pace = paces(round_, rows) if round_ is not None and running else {}

    def line(row: BoardRow) -> BoardLine:
        table, heard = row.table.pk, row.last_report_at
        plays = running and not row.complete and not row.done
        silent = plays and heard is not None and now - heard > SILENT_AFTER
        return BoardLine(row, behind.get(table, 0), ago(heard, now), silent, pace.get(table, UNTOLD))

    return [line(row) for row in rows]


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
