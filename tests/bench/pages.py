"""Every page and step that was slow where there is much: seconds of a core, cold, with what it was and what is wanted.

On made years (`tests.bench.years`): `YEARS` is where they are kept, else data/bench; `YEARS_SCALE` makes fewer.
`python -m tests.bench pages` prints a table that can be put into docs/figures.md as it stands; the same on PostgreSQL:

    python -m tests.services python -m tests.bench pages

A floor is the least that the same can cost here and now: the shortest page, rows read and written without a program.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.bench.years import Size, made


class Figure(NamedTuple):
    """A line of the table: what it was, what is wanted and what it is now; `a_second` where more is better.

    `floor` is the least that it can be in the same run; 0 where there is none to tell.
    """

    what: str
    was: float
    wanted: float
    now: float
    floor: float = 0
    a_second: bool = False

    @property
    def share(self) -> float:
        """How much of what is wanted it takes: 1 is just as wanted, 2 twice as slow."""
        return self.wanted / self.now if self.a_second else self.now / self.wanted

    @property
    def above_the_floor(self) -> str:
        """How many times the floor it takes."""
        if not self.floor:
            return "–"
        return f"{self.floor / self.now if self.a_second else self.now / self.floor:.1f}"


def main() -> None:
    folder = Path(os.environ["YEARS"]) if "YEARS" in os.environ else None
    size = Size().scaled(float(os.environ.get("YEARS_SCALE", "1")))
    made(size, to=folder)
    from tests.bench.pages_asked import asked
    from tests.bench.pages_served import served

    print(f"{_processor()}; Python {platform.python_version()}, {_database()}; one core\n")
    print("| page or step | was | wanted | now | now / wanted | now / floor |")
    print("|---|---|---|---|---|---|")
    missed = [figure for figure in _told(asked, served) if figure.share > 1]
    print(f"\n{len(missed)} of these are not as wanted.")


def _told(*parts: Callable[[], Iterator[Figure]]) -> Iterator[Figure]:
    for part in parts:
        for figure in part():
            was, wanted, now = (_said(value, figure) for value in (figure.was, figure.wanted, figure.now))
            print(
                f"| {figure.what} | {was} | {wanted} | {now} | {figure.share:.2f} | {figure.above_the_floor} |",
                flush=True,
            )
            yield figure


def _said(value: float, figure: Figure) -> str:
    if not value:
        return "–"
    if figure.a_second:
        return f"{value:,.0f}/s"
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.2f} s"


def _database() -> str:
    from django.db import connection

    if connection.vendor == "sqlite":
        return f"SQLite {sqlite3.sqlite_version}"
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0]}, whose own work is not in these seconds"


def _processor() -> str:
    told = Path("/proc/cpuinfo").read_text() if sys.platform == "linux" else ""
    names = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor()
