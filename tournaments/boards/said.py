"""Results on boards as pages, paper and files tell them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scoring.rulebook import Rulebook
from scoring.seats import Role
from tournaments.boards.results import SEATS, Line, Place
from tournaments.domain.terms import MINUS, seat_name, signed
from tournaments.ledger.scoresheet import result_texts


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's part: the name, the tokens, the mean of the others and the difference, "" with nobody to compare."""

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
    return [role for role in SEATS if any(line.at(role) for line in lines)]


def seat_titles(rulebook: Rulebook, roles: Sequence[Role]) -> list[str]:
    """What the seats are called in a heading."""
    return [seat_name(rulebook, role).capitalize() for role in roles]


def told(rulebook: Rulebook, line: Line, roles: Sequence[Role]) -> Told:
    """A line in the reader's language."""
    report = line.report
    return Told(
        line.table,
        line.deal,
        cells=tuple(_cell(line, role) for role in roles),
        **result_texts(rulebook, report.result or {}, report.outcome, line.names),
    )


def _cell(line: Line, role: Role) -> Cell | None:
    place = line.at(role)
    if place is None:
        return None
    compared = place.compared
    return Cell(
        line.names[place.position],
        _beside(line, place),
        place.position == line.report.declarer,
        signed(place.tokens),
        in_tenths(compared.datum) if compared else "",
        in_tenths(compared.difference) if compared else "",
    )


def _beside(line: Line, place: Place) -> str:
    """With whom somebody plays: a pair's partner sits opposite, and a team of four has a name."""
    team = place.entry.team
    if team is None:
        return ""
    if team.tournament.format_row.named_by_players:
        return _("with %(name)s") % {"name": line.names[place.position - 2]}
    return team.name


def in_tenths(value: Fraction) -> str:
    """With its sign and one decimal, in the reader's way of writing: +1.5 or +1,5; 0 where it is nought."""
    rounded = to_tenths(value)
    written = number_format(abs(rounded), decimal_pos=1)
    return {1: "+", 0: "", -1: MINUS}[(rounded > 0) - (rounded < 0)] + written


def to_tenths(value: Fraction) -> Decimal:
    """One decimal, halves away from nought."""
    exact = Decimal(abs(value.numerator)) / Decimal(value.denominator)
    rounded = exact.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
    return -rounded if value < 0 and rounded else rounded
