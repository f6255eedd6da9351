"""Texts of boards: cards, comparisons, scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scoring.cards import SUITS, Kind, Ranking, suit_order, trump_order
from scoring.rulebook import Rulebook
from scoring.seats import ACTIVE, Role
from tournaments.boards.dealing import Folder, dealer_seat
from tournaments.boards.results import SEATS, Line, Place
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import MINUS, SUIT_SIGNS, card_words, rank_words, seat_name, signed, suit_name
from tournaments.ledger.scoresheet import result_texts

if TYPE_CHECKING:
    from collections.abc import Iterable


# Results on boards as text for pages, paper and files.


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's part: name, tokens, mean of the others and difference; "" without others to compare."""

    name: str
    # The partner, or the team, of who does not play alone.
    beside: str
    declares: bool
    tokens: str
    datum: str
    difference: str


@dataclass(frozen=True, slots=True)
class Told:
    """A folder at one table in words; `cells` by seat, None for a seat that the table has not."""

    table: int
    deal: int
    contract: str
    trump: str
    result: str
    remark: str
    cells: tuple[Cell | None, ...]


def seats_in(lines: Sequence[Line]) -> list[Role]:
    """The seats that these results have, forehand first."""
    return [role for role in SEATS if any(line.place_of(role) for line in lines)]


def seat_titles(rulebook: Rulebook, roles: Sequence[Role]) -> list[str]:
    """The names of the seats for headings."""
    return [seat_name(rulebook, role).capitalize() for role in roles]


def seat_averages(rulebook: Rulebook, lines: Sequence[Line], roles: Sequence[Role]) -> list[str]:
    """The average of the tables in each seat; none where tables of three and of four settle differently."""
    if rulebook.house.idle_settles and len({len(line.places) for line in lines}) > 1:
        return []
    return [
        in_tenths(Fraction(sum(tokens), len(tokens)))
        for role in roles
        if (tokens := [place.tokens for line in lines if (place := line.place_of(role))])
    ]


def line_texts(rulebook: Rulebook, line: Line, roles: Sequence[Role]) -> Told:
    """A line in the reader's language."""
    report = line.report
    return Told(
        line.table,
        line.deal,
        cells=tuple(_cell(line, role) for role in roles),
        **result_texts(rulebook, report.result or {}, report.outcome, line.names),
    )


def with_names_of_gains(told: Told) -> Told:
    """The same without the names of who gained nothing: a season's deals are read by everybody, long after."""
    cells = (
        cell if cell is None or cell.tokens.startswith("+") else replace(cell, name="", beside="")
        for cell in told.cells
    )
    return replace(told, cells=tuple(cells))


def _cell(line: Line, role: Role) -> Cell | None:
    place = line.place_of(role)
    if place is None:
        return None
    compared = place.compared
    return Cell(
        line.names[place.position],
        _partner_or_team(line, place),
        place.position == line.report.declarer,
        signed(place.tokens),
        in_tenths(compared.datum) if compared else "",
        in_tenths(compared.difference) if compared else "",
    )


def _partner_or_team(line: Line, place: Place) -> str:
    """A player's partner or team: the partner sits opposite, and a team of four has a name."""
    team = place.entry.team
    if team is None:
        return ""
    if team.is_named_by_players:
        return _("with %(name)s") % {"name": line.names[place.position - 2]}
    return team.name


def in_tenths(value: Fraction) -> str:
    """Format with sign and one decimal, in the reader's language: +1.5 or +1,5; 0 for nought."""
    rounded = to_tenths(value)
    written = number_format(abs(rounded), decimal_pos=1)
    return {1: "+", 0: "", -1: MINUS}[(rounded > 0) - (rounded < 0)] + written


def to_tenths(value: Fraction) -> Decimal:
    """One decimal, halves away from nought."""
    exact = Decimal(abs(value.numerator)) / Decimal(value.denominator)
    rounded = exact.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
    return -rounded if value < 0 and rounded else rounded


# Cards on pages and paper: a hand by suits, from high to low as L'Hombre players sort it.


@dataclass(frozen=True, slots=True)
class SuitHeld:
    """The cards of one suit in a hand, from high to low; `ranks` are as printed on them, "" where there are none."""

    suit: str
    sign: str
    name: str
    cards: tuple[str, ...]

    @property
    def ranks(self) -> str:
        return " ".join(rank_words(card[1]) for card in self.cards)


def by_suits(hand: Iterable[str], ranking: Ranking = Ranking.SPANISH) -> list[SuitHeld]:
    """All four suits of a hand; black aces, which are trumps in most games, come first in theirs."""
    held = set(hand)
    return [
        SuitHeld(
            suit,
            SUIT_SIGNS[suit],
            suit_name(suit),
            tuple(card for card in _from_high(suit, ranking) if card in held),
        )
        for suit in SUITS
    ]


def _from_high(suit: str, ranking: Ranking) -> list[str]:
    always_trumps = trump_order(Kind.GRAND, None, ranking)
    return [
        *(card for card in always_trumps if card[0] == suit),
        *suit_order(suit, Kind.GRAND, None, ranking),
    ]


@dataclass(frozen=True, slots=True)
class HandTexts:
    """A hand of a folder: whose it is, that seat's letter at the tables that folders are made for, the cards."""

    title: str
    letter: str
    suits: list[SuitHeld]


@dataclass(frozen=True, slots=True)
class FolderTexts:
    """A folder's cards; `talon` has the place in the talon and the card, `idle` is the letter of who sits out."""

    number: int
    dealer: str
    idle: str
    hands: list[HandTexts]
    talon: list[tuple[int, str]]


def folder_texts(folder: Folder, rulebook: Rulebook) -> FolderTexts:
    """A folder in the reader's language."""
    size = max(rulebook.players)
    seating = rulebook.seating(size, dealer_seat(folder.number, size))
    letters = {role: SEAT_LETTERS[position] for role, position in seating.positions.items()}
    return FolderTexts(
        folder.number,
        SEAT_LETTERS[seating.dealer],
        letters.get(Role.IDLE, ""),
        [
            HandTexts(
                seat_name(rulebook, role).capitalize(),
                letters[role],
                by_suits(folder.hand(role), rulebook.pack.ranking),
            )
            for role in ACTIVE
        ],
        [(place, card_words(card)) for place, card in enumerate(folder.talon, start=1)],
    )
