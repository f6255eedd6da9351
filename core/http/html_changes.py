"""Differences between two renderings of a part of a page, by rows: unchanged ones by index, new ones as HTML.

A row is an element of `ROWS` without another one in it; `static/js/live.js` finds the same elements in the page.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from dataclasses import dataclass
from functools import cached_property

ROWS = ("tr", "li", "p", "h2", "h3", "dt", "dd", "svg")
_NAMES = "|".join(ROWS)
# Text, then tags of others with the text behind them: in steps of a tag, since a page has thousands of rows.
_ROW = re.compile(rf"<({_NAMES})\b[^>]*>[^<]*(?:<(?!/?(?:{_NAMES})\b)[^<]*)*</\1>")
_NUMBER = re.compile(r'/(\d+)/"')

# A run of rows that stay: the place of the first, and how many; or a row's HTML.
Change = list[int] | str


@dataclass(frozen=True)
class Drawn:
    """A part as it was drawn: its rows, and the frame around them."""

    html: str

    @cached_property
    def rows(self) -> list[str]:
        return [found.group() for found in _ROW.finditer(self.html)]

    @cached_property
    def frame(self) -> str:
        """The HTML around the rows, without the version."""
        return re.sub(r' data-(?:version|sum)="[^"]*"', "", _ROW.sub("\0", self.html))

    @cached_property
    def by_number(self) -> dict[str, str]:
        """Rows of a table by the number in their first link: a player's."""
        found = ((_NUMBER.search(row), row) for row in self.rows if row.startswith("<tr"))
        return {number.group(1): row for number, row in reversed(list(found)) if number}


def changes(before: Drawn, now: Drawn) -> list[Change] | None:
    """The changes from the rows of `before` to those of `now`; None where the frame or the set of rows has changed."""
    if before.frame != now.frame or len(before.rows) != len(now.rows):
        return None
    same = [old == new for old, new in zip(before.rows, now.rows, strict=True)]
    free: dict[str, deque[int]] = defaultdict(deque)
    for place, row in enumerate(before.rows):
        if not same[place]:
            free[row].append(place)
    found: list[Change] = []
    for place, row in enumerate(now.rows):
        old = place if same[place] else free[row].popleft() if free[row] else None
        last = found[-1] if found else None
        if old is None:
            found.append(row)
        elif isinstance(last, list) and last[0] + last[1] == old:
            last[1] += 1
        else:
            found.append([old, 1])
    return found
