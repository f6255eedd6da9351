"""Differences between two renderings of a part of a page, by rows: unchanged ones by index, new ones as HTML.

A row is an element of `ROWS` without another one in it, or an element of `LEAVES` outside rows that has text alone;
`static/js/live_rows.js` finds the same elements in the page.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b, sha256

ROWS = ("tr", "li", "p", "h2", "h3", "dt", "dd", "svg")
LEAVES = ("h1", "progress", "span", "b", "strong", "td")
_NAMES = "|".join(ROWS)
# Text, then tags of others with the text behind them: in steps of a tag, since a page has thousands of rows.
_ROW = re.compile(rf"<({_NAMES})\b[^>]*>[^<]*(?:<(?!/?(?:{_NAMES})\b)[^<]*)*</\1>")
# In a frame, whose rows are marked.
_MARK = "\0"
_MARK_OR_LEAF = re.compile(rf"{_MARK}|<({'|'.join(LEAVES)})\b[^>]*>[^<{_MARK}]*</\1>")
_NUMBER = re.compile(r'/(\d+)/"')
_VERSION = re.compile(r' data-version="\d+"')
_SAYS_VERSION = re.compile(r' data-(?:version|sum)="[^"]*"')
# Another one at each rendering; the one that a page has is valid as well.
_TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")[^"]*')

# A run of rows that stay: the place of the first, and how many; or a row's HTML.
Change = list[int] | str
# Digests of the frame and of each row, `DIGEST` bytes each.
Fingerprint = bytes
DIGEST = 8


@dataclass(frozen=True)
class Drawn:
    """A part as it was drawn: its rows, and the frame around them."""

    html: str

    @cached_property
    def _taken_apart(self) -> tuple[list[str], str]:
        """The rows, and the frame with a mark for each."""
        if _MARK in self.html:
            return [], self.html
        whole = (found.group() for found in _ROW.finditer(self.html))
        rows: list[str] = []

        def take(found: re.Match[str]) -> str:
            rows.append(next(whole) if found.group() == _MARK else found.group())
            return _MARK

        frame = _MARK_OR_LEAF.sub(take, _ROW.sub(_MARK, self.html))
        return rows, _SAYS_VERSION.sub("", frame)

    @property
    def rows(self) -> list[str]:
        return self._taken_apart[0]

    @property
    def frame(self) -> str:
        """The HTML around the rows, without the version."""
        return self._taken_apart[1]

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What an older rendering is compared by; tokens of forms do not count."""
        pieces = [self.frame, *self.rows]
        if "csrfmiddlewaretoken" in self.html:
            pieces = [_TOKEN.sub("", piece) for piece in pieces]
        return b"".join([blake2b(piece.encode(), digest_size=DIGEST).digest() for piece in pieces])

    @cached_property
    def by_number(self) -> dict[str, str]:
        """Rows of a table by the number in their first link: a player's."""
        found = ((_NUMBER.search(row), row) for row in self.rows if row.startswith("<tr"))
        return {number.group(1): row for number, row in reversed(list(found)) if number}


def changes(before: Fingerprint, now: Drawn) -> list[Change] | None:
    """The changes from the rows of `before` to those of `now`; None where the frame or the set of rows has changed."""
    if len(before) != len(now.fingerprint) or before[:DIGEST] != now.fingerprint[:DIGEST]:
        return None
    old, new = (
        [print_[start : start + DIGEST] for start in range(DIGEST, len(print_), DIGEST)]
        for print_ in (before, now.fingerprint)
    )
    free: dict[bytes, deque[int]] = defaultdict(deque)
    for place, digest in enumerate(old):
        if digest != new[place]:
            free[digest].append(place)
    found: list[Change] = []
    for place, (digest, row) in enumerate(zip(new, now.rows, strict=True)):
        stays = place if old[place] == digest else free[digest].popleft() if free[digest] else None
        last = found[-1] if found else None
        if stays is None:
            found.append(row)
        elif isinstance(last, list) and last[0] + last[1] == stays:
            last[1] += 1
        else:
            found.append([stays, 1])
    return found


def with_sum(html: str) -> str:
    """Add a checksum to a part with `data-version`, by which the rows that changed since are found."""
    content = _TOKEN.sub("", _VERSION.sub("", html, count=1))
    checksum = sha256(content.encode()).hexdigest()[:16]
    return _VERSION.sub(lambda said: f' data-sum="{checksum}"{said.group()}', html, count=1)


def attribute(html: str, name: str) -> str:
    """The value of the first `data-…` attribute of this name; "" if there is none."""
    return html.partition(f' data-{name}="')[2].partition('"')[0]
