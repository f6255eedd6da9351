"""Read a journal: check that each book is complete from its beginning, and parse its steps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.journal.errors import JournalError
from core.journal.format import CLOSING, Chain, begun_of
from core.journal.places import Book, Place, read_header

MOST_ROWS = 2000  # of a beginning that are read at once


@dataclass
class Checked:
    """The intact part of a book; `broken` is where it is damaged, `left` what was incomplete at its end."""

    book: Book
    header: dict[str, Any]
    # Of each step its hash, and when it was written.
    heads: dict[int, str] = field(default_factory=dict)
    times: dict[int, str] = field(default_factory=dict)
    broken: str = ""
    left: int = 0

    @property
    def last(self) -> int:
        return max(self.heads, default=-1)

    @property
    def until(self) -> str:
        return self.times.get(self.last, "")

    def __str__(self) -> str:
        return (
            f"{self.book.name}, {self.last} step(s), until {self.until or 'before its beginning was whole'}"
        )


class Rows(NamedTuple):
    """Rows of a step, or a part of those of a beginning: (table, row) stored, and (table, key) deleted."""

    there: list[tuple[str, dict[str, Any]]]
    gone: list[tuple[str, str]]


def checked(place: Place, book: Book) -> Checked:
    """Check a book to its end. Raises `JournalError` if it has no beginning."""
    chain, found, number = Chain(), Checked(book, {}), 0
    for file in book.files:
        with place.open_file(file) as lines:
            for number, text in enumerate(lines, start=1):
                if number == 1:
                    found.header, found.broken = _going_on(found, read_header(text, file), file)
                    if found.broken:
                        return found
                closing = CLOSING.fullmatch(text)
                if closing is None:
                    chain.add(text)
                    found.left += number > 1
                    continue
                if chain.close(begun_of(text)) != closing[3].decode() or int(closing[1]) != found.last + 1:
                    found.broken = f"{file}, line {number}: what stands before it is not as it was written."
                    return found
                found.heads[int(closing[1])], found.times[int(closing[1])] = chain.head, closing[2].decode()
                found.left = 0
    return found


def _going_on(found: Checked, header: dict[str, Any], file: str) -> tuple[dict[str, Any], str]:
    """The header of a file if it continues what was read before; else what is missing."""
    if not found.header:
        return header, "" if header["step"] == 0 and not header[
            "sha256"
        ] else f"{file}: no beginning is before it."
    if found.left:
        return header, f"{file}: the file before it breaks off."
    if (header["step"], header["sha256"]) != (found.last, found.heads.get(found.last)):
        return (
            header,
            f"{file}: it goes on from step {header['step']}, and what is before it ends at {found.last}.",
        )
    return header, ""


def steps(place: Place, book: Book, *, after: int, through: int) -> Iterator[Rows]:
    """The rows of the steps after `after`, in order; a beginning (step 0) comes in parts."""
    number, rows = 0, Rows([], [])
    for file in book.files:
        with place.open_file(file) as lines:
            next(lines)
            for text in lines:
                if closing := CLOSING.fullmatch(text):
                    if number > after:
                        yield rows
                    number, rows = int(closing[1]) + 1, Rows([], [])
                    if number > through:
                        return
                    continue
                if number <= after:
                    continue
                told = json.loads(text)
                if "row" in told:
                    rows.there.append((told["in"], told["row"]))
                else:
                    rows.gone.append((told["in"], told["gone"]))
                if not number and len(rows.there) >= MOST_ROWS:
                    yield rows
                    rows = Rows([], [])


def whole_book(place: Place, books: list[Book]) -> Checked:
    """The newest book with a complete beginning. Raises `JournalError` if there is none."""
    why = "there is no journal"
    for book in reversed(books):
        try:
            found = checked(place, book)
        except JournalError as problem:
            why = str(problem)
            continue
        if found.last >= 0 or found.broken:
            return found
        why = f"{book.name} has no whole beginning"
    raise JournalError(f"{place.said}: {why}.")
