"""Reported results that the cards make impossible or nearly so: a question at the desk only, as for rare deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.game import Deal
from scoring.seats import ACTIVE
from scoring.settlement import IllegalResult
from scoring.solver import CannotSolveError, range_of_tricks
from tournaments.boards.dealing import dealer_seat
from tournaments.boards.results import lines_of
from tournaments.models import Flag

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from scoring.rulebook import Rulebook
    from scoring.seats import Role
    from scoring.solver import TrickRange
    from tournaments.boards.dealing import Folder
    from tournaments.boards.results import Line
    from tournaments.models import Round

# Tricks beyond best play that raise a question. Of 93 results played by bots, two were 2 tricks beyond, none 3.
BEYOND = 3


@dataclass(frozen=True, slots=True)
class Doubt:
    """A result that its cards make doubtful; `least` and `most` are the tricks of best play in `solved` exchanges."""

    line: Line
    least: int
    most: int
    solved: int

    def flag(self, now: datetime) -> Flag:
        """The question as a flag for the desk."""
        cards = {"least": self.least, "most": self.most, "exchanges": self.solved}
        deal = self.line.report.deal_number
        return Flag(
            table_id=self.line.report.table_id,
            kind=Flag.Kind.RARE,
            deal=deal,
            about={"cards": cards},
            raised_at=now,
        )


def deal_of(rulebook: Rulebook, folder: Folder) -> Deal:
    """A folder as a deal of the rules engine."""
    size = max(rulebook.players)
    return Deal(
        rulebook,
        rulebook.seating(size, dealer_seat(folder.number, size)),
        {role: folder.hand(role) for role in ACTIVE},
        folder.talon,
    )


def find_doubts(rulebook: Rulebook, folder: Folder, lines: Sequence[Line]) -> list[Doubt]:
    """The lines whose tricks are far from what best play makes of this folder.

    Results without a declarer, given up, or without the trump that the contract needs cannot be compared.
    """
    deal = deal_of(rulebook, folder)
    ranges: dict[tuple[Role, str, str | None], TrickRange | None] = {}
    found = []
    for line in lines:
        result = line.report.result or {}
        declarer = next((place.role for place in line.places if place.position == line.report.declarer), None)
        contract = rulebook.by_id.get(str(result.get("contract", "")).partition("+")[0])
        if declarer is None or contract is None or result.get("abandoned") or result.get("joined"):
            continue
        trump = result.get("trump")
        key = declarer, contract.id, trump
        if key not in ranges:
            try:
                ranges[key] = range_of_tricks(deal, declarer, contract, trump, seed=folder.number)
            except (CannotSolveError, IllegalResult):
                ranges[key] = None
        best = ranges[key]
        if best is not None and _is_far(line, best):
            found.append(Doubt(line, best.least, best.most, best.solved))
    return found


def _is_far(line: Line, best: TrickRange) -> bool:
    """Whether the tricks reported, or all that the outcome allows, are BEYOND best play or more."""
    report = line.report
    tricks = (report.result or {}).get("tricks", {}).get(str(report.declarer))
    least, most = (tricks, tricks) if tricks is not None else best.by_outcome.get(report.outcome, (0, 99))
    return least - best.most >= BEYOND or best.least - most >= BEYOND


def raise_doubts(round_: Round, doubts: Sequence[Doubt], *, now: datetime) -> None:
    """Ask the desk about these results, about each once."""
    asked = set(doubts_at(round_).values_list("table", "deal"))
    Flag.objects.bulk_create(
        flag for flag in (doubt.flag(now) for doubt in doubts) if (flag.table_id, flag.deal) not in asked
    )


def doubts_at(round_: Round) -> QuerySet[Flag]:
    """All questions about the cards of a round."""
    return Flag.objects.filter(table__round=round_, kind=Flag.Kind.RARE, about__has_key="cards")


def find_doubts_in(round_: Round, rulebook: Rulebook, folder: Folder) -> list[Doubt]:
    """The doubtful results of a round with this folder."""
    return find_doubts(rulebook, folder, lines_of([round_], folder=folder.number))
