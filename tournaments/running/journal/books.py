"""The books of a place: their files, by name and in order, and whose they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tournaments.running.journal.places import PREFIX, Place
from tournaments.running.journal.problems import FOREIGN, JournalProblem, PlaceProblem

STAMP = "%Y%m%dT%H%M%SZ"
NAME = re.compile(
    rf"{PREFIX}(?P<book>(?P<number>\d{{4,}})-(?P<at>\d{{8}}T\d{{6}}Z))-(?:beginning|day-\d{{4}}-\d\d-\d\d)\.jsonl"
)
LONGEST_HEADER = 1 << 20  # bytes


@dataclass
class Book:
    """Books are told apart and put in order by their numbers: a clock may have been set back between two."""

    name: str
    number: int
    begun_at: datetime
    files: list[str] = field(default_factory=list)


def new_name(books: Iterable[Book], now: datetime) -> str:
    """Of a book behind all these."""
    number = max((book.number for book in books), default=0) + 1
    return f"{number:04}-{now.astimezone(UTC).strftime(STAMP)}"


def beginning_of(book: str) -> str:
    return f"{PREFIX}{book}-beginning.jsonl"


def day_of(book: str, day: str) -> str:
    return f"{PREFIX}{book}-day-{day}.jsonl"


def books_in(names: Iterable[str]) -> list[Book]:
    """The oldest first; of each the beginning, then its days."""
    found: dict[str, Book] = {}
    for name in sorted(names):
        if told := NAME.fullmatch(name):
            at = datetime.strptime(told["at"], STAMP).replace(tzinfo=UTC)
            found.setdefault(told["book"], Book(told["book"], int(told["number"]), at)).files.append(name)
    return sorted(found.values(), key=lambda book: (book.number, book.name))


def header_of(place: Place, file: str) -> dict[str, Any]:
    """What the first line of a file says. Raises `JournalProblem` for one that is none of a journal's."""
    with place.opened(file) as opened:
        first = opened.readline(LONGEST_HEADER)
    return read_header(first, file)


def read_header(first: bytes, file: str) -> dict[str, Any]:
    try:
        told = json.loads(first)
        if {"journal", "installation", "book", "step", "sha256", "migrations"} <= told.keys():
            return dict(told)
    except (ValueError, AttributeError):
        pass
    raise JournalProblem(f"{file}: its first line is not that of a journal of Spadille.")


def refuse_foreign(place: Place, books: Iterable[Book], installation: str) -> None:
    """Leave alone what another Spadille writes. Raises `PlaceProblem`."""
    for book in books:
        try:
            whose = header_of(place, book.files[0])["installation"]
        except JournalProblem:
            continue  # it was being begun when that ended
        if whose != installation:
            raise PlaceProblem(FOREIGN, f"{place.said}: another Spadille writes its journal there.")
