"""The analysis of a folder in the reader's words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from scoring.seats import Role
from tournaments.boards.dealing import dealer_seat
from tournaments.boards.results import SEATS
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import SUIT_SIGNS, contract_name, seat_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.rulebook import Rulebook
    from tournaments.boards.analysis import Makes
    from tournaments.boards.results import Line

# What is made in fewer exchanges than one in so many is not shown; what is named as the best is made in half of them.
SHOWN_FROM, LIKELY = 5, 2


@dataclass(frozen=True, slots=True)
class ContractText:
    """A contract that can be made: in how many exchanges, within which interval, and at how many tables it was played.

    `interval` is "" where the answer is exact.
    """

    contract: str
    made: str
    interval: str
    tables: int


@dataclass(frozen=True, slots=True)
class SeatText:
    """The contracts that a seat could have made, the surest first."""

    title: str
    letter: str
    contracts: list[ContractText]


@dataclass(frozen=True, slots=True)
class AnalysisText:
    """A folder's analysis: the best contract of all in a sentence, then every seat's."""

    best: str
    seats: list[SeatText]


def analysis_text(
    rulebook: Rulebook,
    number: int,
    found: Sequence[Makes],
    lines: Sequence[Line],
    *,
    signs: Mapping[str, str] | None = None,
    most: int | None = None,
) -> AnalysisText:
    """The text of a folder's analysis, with the number of tables that played each contract; at most `most` per seat.

    `signs` are those that suits have on paper, by the usual ones.
    """
    signs = signs or {}
    size = max(rulebook.players)
    seating = rulebook.seating(size, dealer_seat(number, size))
    seats = []
    for role in sorted(seating.positions, key=SEATS.index):
        shown = [
            makes
            for makes in found
            if makes.role == role.value and makes.made * SHOWN_FROM >= makes.solved > 0
        ]
        shown.sort(key=lambda makes: (-makes.odds.share, -rulebook.by_id[makes.contract].rank))
        if shown or role is not Role.IDLE:
            contracts = [
                ContractText(
                    _contract(makes, signs),
                    _made_text(makes),
                    _interval(makes),
                    _times_declared(makes, lines),
                )
                for makes in shown[:most]
            ]
            seats.append(
                SeatText(
                    seat_name(rulebook, role).capitalize(), SEAT_LETTERS[seating.positions[role]], contracts
                )
            )
    return AnalysisText(_best(rulebook, found, lines, signs), seats)


def _best(rulebook: Rulebook, found: Sequence[Makes], lines: Sequence[Line], signs: Mapping[str, str]) -> str:
    likely = [makes for makes in found if makes.made * LIKELY >= makes.solved > 0]
    if not likely:
        return _("No seat makes any contract in as many as half of the exchanges.")
    best = max(likely, key=lambda makes: (rulebook.by_id[makes.contract].rank, makes.odds.share))
    named = {"contract": _contract(best, signs), "seat": seat_name(rulebook, Role(best.role))}
    if best.exact:
        said = _("%(contract)s by %(seat)s is made against any defence.") % named
    else:
        odds = {"made": best.made, "solved": best.solved}
        said = _("%(contract)s by %(seat)s is made in %(made)d of %(solved)d exchanges.") % (named | odds)
    if not lines:
        return said
    played = _times_declared(best, lines)
    other, times = _usual_contract(rulebook, best, lines)
    text = _("Tables that played it: %(played)d of %(tables)d.")
    if times > played:
        text = _("Tables that played it: %(played)d of %(tables)d; %(other)s: %(times)d.")
    tables = {"played": played, "tables": len(lines), "times": times, "other": contract_name(other)}
    return f"{said} {text % tables}"


def _usual_contract(rulebook: Rulebook, best: Makes, lines: Sequence[Line]) -> tuple[str, int]:
    """The contract other than the best one that most tables played, of these the lowest; at how many."""
    played = Counter(contract for line in lines if (contract := _contract_of(line)) in rulebook.by_id)
    del played[best.contract]
    ordered = sorted(played.items(), key=lambda one: (-one[1], rulebook.by_id[one[0]].rank))
    return ordered[0] if ordered else ("", 0)


def _contract_of(line: Line) -> str:
    contract: str = (line.report.result or {}).get("contract", "")
    return contract.partition("+")[0]


def _contract(makes: Makes, signs: Mapping[str, str]) -> str:
    sign = SUIT_SIGNS.get(makes.trump, "")
    return f"{contract_name(makes.contract)} {signs.get(sign, sign)}".strip()


def _made_text(makes: Makes) -> str:
    if makes.exact:
        return _("for certain")
    return _("%(made)d of %(solved)d") % {"made": makes.made, "solved": makes.solved}


def _interval(makes: Makes) -> str:
    if makes.exact:
        return ""
    least, most = makes.odds.interval
    return _("%(least)d–%(most)d %%") % {"least": round(100 * least), "most": round(100 * most)}


def _times_declared(makes: Makes, lines: Sequence[Line]) -> int:
    """The number of tables at which this seat declared this contract, with these trumps where they are chosen."""
    return sum(
        any(
            place.role.value == makes.role and place.position == line.report.declarer for place in line.places
        )
        and _contract_of(line) == makes.contract
        and (not makes.trump or (line.report.result or {}).get("trump") == makes.trump)
        for line in lines
    )
