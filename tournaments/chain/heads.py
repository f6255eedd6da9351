"""A chain's head as it is written on paper: sixteen letters and digits in groups of four, to be compared by eye."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.text import CODE_LETTERS
from tournaments.models import ChainLink, Report

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament

# 31 to the power of 16 are 79 bits: nobody finds another chain with the same head by trying.
LETTERS, GROUP = 16, 4


def short_head(head: str) -> str:
    """A hash as it is printed; "" for a chain without links."""
    if not head:
        return ""
    rest, letters = int(head, 16), ""
    for _place in range(LETTERS):
        rest, letter = divmod(rest, len(CODE_LETTERS))
        letters += CODE_LETTERS[letter]
    return "-".join(letters[start : start + GROUP] for start in range(0, LETTERS, GROUP))


def plain_head(typed: str) -> str:
    """A head as somebody types it, without groups, in capitals."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())


@dataclass(frozen=True)
class Found:
    """Whose head it is, after how many of its links (or a table's reports), how many there are, and when it was."""

    place: str
    count: int
    of: int
    at: datetime

    def __str__(self) -> str:
        return f"{self.place}, after {self.count} of {self.of}, at {self.at:%Y-%m-%d %H:%M} UTC"


def find_head(tournament: Tournament, typed: str) -> Found | None:
    """Where the chain of a tournament, or of one of its tables, had this head; None if it never had.

    The chains themselves are to be checked besides.
    """
    wanted = plain_head(typed)
    for number, head, at in tournament.chain.values_list("number", "hash", "at").iterator():
        if plain_head(short_head(head)) == wanted:
            last = ChainLink.objects.filter(tournament=tournament).count()
            return Found(f"{tournament.code}, the whole tournament: steps", number, last, at)
    reports = Report.objects.filter(table__round__tournament=tournament)
    rows = reports.values_list("table__round__number", "table__number", "sequence", "hash", "recorded_at")
    for round_, table, sequence, head, at in rows.iterator():
        if plain_head(short_head(head)) == wanted:
            here = reports.filter(table__round__number=round_, table__number=table)
            place = f"{tournament.code} round {round_} table {table}: reports"
            return Found(place, sequence, here.count(), at)
    return None
