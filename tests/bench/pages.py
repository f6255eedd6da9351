"""Every page and step that was slow where there is much: seconds of a core, cold, with what it was and what is wanted.

On made years (`tests.bench.years`): `YEARS` is where they are kept, else data/bench; `YEARS_SCALE` makes fewer.
`python -m tests.bench pages` prints a table that can be put into docs/figures.md as it stands.
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
    """A line of the table: what it was, what is wanted and what it is now; `a_second` where more is better."""

    what: str
    was: float
    wanted: float
    now: float
    a_second: bool = False

    @property
    def share(self) -> float:
        """How much of what is wanted it takes: 1 is just as wanted, 2 twice as slow."""
        return self.wanted / self.now if self.a_second else self.now / self.wanted


def main() -> None:
    folder = Path(os.environ["YEARS"]) if "YEARS" in os.environ else None
    size = Size().scaled(float(os.environ.get("YEARS_SCALE", "1")))
    made(size, to=folder)
    from tests.bench.pages_asked import asked
    from tests.bench.pages_served import served

    print(f"{_processor()}; Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}; one core\n")
    print("| page or step | was | wanted | now | now / wanted |")
    print("|---|---|---|---|---|")
    missed = [figure for figure in _told(asked, served) if figure.share > 1]
    print(f"\n{len(missed)} of these are not as wanted.")


def _told(*parts: Callable[[], Iterator[Figure]]) -> Iterator[Figure]:
    for part in parts:
        for figure in part():
            was, wanted, now = (_said(value, figure) for value in (figure.was, figure.wanted, figure.now))
            print(f"| {figure.what} | {was} | {wanted} | {now} | {figure.share:.2f} |", flush=True)
            yield figure


def _said(value: float, figure: Figure) -> str:
    if not value:
        return "–"
    if figure.a_second:
        return f"{value:,.0f}/s"
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.2f} s"


def _processor() -> str:
    told = Path("/proc/cpuinfo").read_text() if sys.platform == "linux" else ""
    names = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor()
