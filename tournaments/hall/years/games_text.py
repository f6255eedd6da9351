"""Shares of games won, in sentences."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring import get_rulebook
from scoring.cards import SUITS
from scoring.rulebook import Trumps
from scoring.seats import ALL_ROLES, Role
from scoring.words import OUTCOME_NAMES
from tournaments.domain.terms import (
    contract_name,
    contract_names,
    loss_names,
    percent,
    said_by,
    seat_name,
    suit_name,
)
from tournaments.people.explorer import BET, KODILLE, WON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scoring.rulebook import Rulebook
    from tournaments.people.person_statistics import Rate


# What games are called where these rulebooks are played: contracts, seats and losses by the names of their family.

Choices = list[tuple[str, str]]


@lru_cache(maxsize=64)
def _known(rulebook: str) -> tuple[str, ...]:
    """The contracts of a rulebook: those of its usual options in the order of bidding, then such of other options."""
    book = get_rulebook(rulebook)
    return (*book.by_id, *sorted(book.known_contracts - book.by_id.keys()))


class GamesText:
    """The words of these rulebooks; where two of them have different words for a thing, both.

    `called` are the names of the contracts of all rulebooks that one list is of.
    """

    def __init__(self, books: Iterable[str], called: Mapping[str, str] | None = None) -> None:
        self.books = [get_rulebook(name) for name in books]
        if called is None:
            called = contract_names(dict.fromkeys(name for book in self.books for name in _known(book.id)))
        self.called = called
        # Labels of the values of each grouping column.
        self.names: dict[str, Callable[[str], str]] = {
            "contract": lambda contract: self.called.get(contract) or contract_name(contract),
            "trump": lambda suit: suit_name(suit) if suit in SUITS else _("no trumps"),
            "seat": self._seat,
            "outcome": self._outcome,
            "tout": lambda tout: TOUTS[tout](),
            "players": lambda players: _("table of %(players)s") % {"players": players},
            "year": str,
        }

    def knowing(self, contract: str) -> GamesText:
        """The words of those rulebooks that have a contract; all words, where it is none or none has it."""
        knowing = [book.id for book in self.books if contract in book.known_contracts]
        return GamesText(knowing, self.called) if knowing and len(knowing) < len(self.books) else self

    def name(self, by: str, value: str) -> str:
        """The name of a group in lists: "Backhand", "Hearts", "Solo"."""
        return capfirst(self.names[by](value))

    def families(self) -> list[tuple[str, Choices]]:
        """Contracts by family of games, named by its rulebooks; each contract once."""
        by_family: dict[type, list[Rulebook]] = {}
        for book in self.books:
            by_family.setdefault(type(book.house), []).append(book)
        found, told = [], set[str]()
        for books in by_family.values():
            ids = dict.fromkeys(name for book in books for name in _known(book.id) if name not in told)
            told.update(ids)
            if ids:
                names = " · ".join(_(book.name) for book in books)
                found.append((names, [(name, contract_name(name)) for name in ids]))
        return found

    def seats(self) -> Choices:
        """Seats from which a player may declare, in the order of play."""
        may = {
            role
            for book in self.books
            for players in book.players
            for row in book.contracts_at(players)
            for role in row.declarers_at(players)
        }
        return [(role.value, self.name("seat", role.value)) for role in ALL_ROLES if role in may]

    def sizes(self) -> list[int]:
        """The possible numbers of players at a table."""
        return sorted({players for book in self.books for players in book.players})

    def outcomes(self) -> Choices:
        return [(code, self.name("outcome", code)) for code in (WON, BET, KODILLE)]

    def may_be_trumps(self, contract: str, suit: str) -> bool:
        """Whether a contract is anywhere played with this suit as trumps."""
        rows = [book.by_id[contract] for book in self.books if contract in book.by_id]
        return not rows or any(suit in row.suits or _always(row.trumps) == suit for row in rows)

    def _seat(self, role: str) -> str:
        return self._by_all(lambda book: seat_name(book, Role(role))) if role else _("nobody")

    def _outcome(self, outcome: str) -> str:
        if outcome == WON:
            return self._by_all(lambda book: said_by(book, OUTCOME_NAMES["won"]))
        return self._by_all(lambda book: loss_names(book)[outcome == KODILLE].lower())

    def _by_all(self, word: Callable[[Rulebook], str]) -> str:
        return " / ".join(dict.fromkeys(word(book) for book in self.books))


def _always(trumps: Trumps) -> str:
    return "S" if trumps is Trumps.SPADES else ""


TOUTS: dict[str, Callable[[], str]] = {
    "won": lambda: pgettext("tout", "made"),
    "failed": lambda: pgettext("tout", "tried, not made"),
    "none": lambda: pgettext("tout", "not tried"),
}


def heading(by: str) -> str:
    """Column heading of a grouping."""
    return HEADINGS[by]()


HEADINGS: dict[str, Callable[[], str]] = {
    "contract": lambda: _("Contract"),
    "trump": lambda: _("Trumps"),
    "seat": lambda: _("Seat"),
    "outcome": lambda: _("Outcome"),
    "tout": lambda: _("Tout"),
    "players": lambda: _("Players at the table"),
    "year": lambda: _("Year"),
}


# Shares and averages in words: with how sure they are, and where there is too little to say much.


def rate_text(rate: Rate) -> str:
    """“12 of 30”"""
    return _("%(count)d of %(of)d") % {"count": rate.count, "of": rate.of}


def between(rate: Rate) -> str:
    """The interval that holds the true share nineteen times in twenty."""
    low, high = (round(100 * end) for end in rate.interval)
    return _("{low}–{high} %").format(low=low, high=high)


def rate_in_words(rate: Rate) -> str:
    """“12 of 30, 40 %”, and the interval; of few, that they are too few."""
    if rate.is_little:
        few = _("too few")
        return f"{rate_text(rate)}, {few}" if rate.of else "–"
    return f"{rate_text(rate)}, {percent(rate.share or 0)} ({between(rate)})"
