"""The boxes of a rulebook's sheet, and the report of a line's ticks."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from scoring import vocabulary
from scoring.choices import choices
from scoring.notation import LETTERS, write_words
from scoring.results import DealResult, UnreadableResult, read_result
from scoring.rulebook import Trumps
from scoring.settlement import problems
from tournaments.reporting.reader.layout import GAP, LEFT, PITCH, RIGHT, Group
from tournaments.reporting.reader.results import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoring.rulebook import Rulebook
    from scoring.seats import Seating
    from tournaments.reporting.reader.layout import Layout
    from tournaments.reporting.reader.results import Line, Reading


# Boxes of a rulebook's sheet, derived from the results that can be reported, so that new rulebooks need no code.
#
# Every group is single choice: a tout is one of the results, not a box of its own. Rare details (fouls, matadors, the
# winner of a kodille, numbers of tricks) use the box “see note”, and a line with that needs an answer.

DECLARER, CONTRACT, TRUMP, RESULT = "declarer", "contract", "trump", "result"
# Groups of which one is ticked in every line that is not passed out; whether the others are is the contract's to say.
NEEDED = (DECLARER, CONTRACT, RESULT)
PARTNER, ESTUCHES, BID, ALONE = "partner", "estuches", "bid", "alone"
PASSED, NOTE, SANS = "passed", "note", "sans"
# What players call a result, though it is one with something besides.
CALLED = ("tout_won", "tout_failed")
# Estuches are boxes up to so many: more are rare.
ESTUCHES_BOXES = 6
# What is left for writing must be so wide, in millimetres, else bids go by the note too.
ROOM_TO_WRITE = 20.0

_TRICKS = re.compile(r"tricks_[0-9]+")


def groups_of(rulebook: Rulebook, players: int) -> tuple[Group, ...]:
    """The groups of boxes at a table of so many, the declarer's first."""
    offered = choices(rulebook, players)
    contracts = offered["contracts"]
    found = [Group(DECLARER, tuple(map(str, range(players))))]
    if len(contracts) > 1:
        found.append(Group(CONTRACT, tuple(contract["id"] for contract in contracts)))
    if trumps := _trumps(rulebook, contracts):
        found.append(Group(TRUMP, trumps))
    found.append(Group(RESULT, tuple(_results(contracts))))
    if any(contract["partners"] for contract in contracts):
        found.append(Group(PARTNER, tuple(map(str, range(players)))))
    if _extras(contracts, lambda extra: "estuches" in extra["set"]):
        found.append(Group(ESTUCHES, tuple(map(str, range(1, ESTUCHES_BOXES + 1)))))
    alone = Group(ALONE, (PASSED, NOTE) if offered["all_passed"] else (NOTE,))
    bids = Group(BID, tuple(dict.fromkeys(_bids(contracts))))
    if bids.values and _right((*found, bids, alone)) <= RIGHT - ROOM_TO_WRITE:
        found.append(bids)
    return (*found, alone)


def without_box(rulebook: Rulebook, players: int, sits_out: int | None) -> tuple[str, ...]:
    """Roles without a box in a deal: the player sitting out, unless that player can declare."""
    if sits_out is None or any(row.by_fourth for row in rulebook.contracts_at(players)):
        return ()
    return (str(sits_out),)


def _trumps(rulebook: Rulebook, contracts: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The suits, and that there is none where the contract leaves it open."""
    found = {suit for contract in contracts for suit in contract["trumps"]}
    suits = tuple(suit for suit in rulebook.pack.suits if suit in found)
    open_ones = any(contract["trumps"] and not contract["trump_must"] for contract in contracts)
    return (*suits, SANS) if open_ones else suits


def _results(contracts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The possible results of a deal, in the order of the offers, each once; the calling of all tricks last."""
    codes = (result_code(patch["code"]) for contract in contracts for patch in contract["results"])
    yield from dict.fromkeys(code for code in codes if code)
    extras = {extra["code"] for extra in _extras(contracts, lambda extra: "tout" in extra["set"])}
    yield from (code for code in CALLED if code in extras)


def result_code(offered: str) -> str:
    """The box of a result: one for a kodille by either side; none for a number of tricks."""
    if _TRICKS.fullmatch(offered):
        return ""
    return "kodille" if offered.startswith("kodille_") else offered


def _bids(contracts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for extra in _extras(contracts, lambda extra: isinstance(extra["set"].get("bonus_bid"), str)):
        yield extra["set"]["bonus_bid"]


def _extras(contracts: Sequence[Mapping[str, Any]], wanted: Any) -> list[Mapping[str, Any]]:
    return [extra for contract in contracts for extra in contract["extras"] if wanted(extra)]


def _right(groups: Sequence[Group]) -> float:
    """The right edge of the boxes."""
    return LEFT + sum(len(group.values) * PITCH + GAP for group in groups)


# Converts a line's ticks to a result validated by the rules, in the format of the slip's grid.
#
# Results that are invalid or rare need an answer; values read with certainty are filled in.

Told = dict[str, Any]
# Groups of which the rules may know whether one is ticked: never whether there is a note.
SETTLED = frozenset((TRUMP, PARTNER, ESTUCHES))


@dataclass(frozen=True, slots=True)
class ReportedLine:
    """A deal's line in the format of the grid.

    `text` is in the notation, complete if `result` is set, else as much as was read with certainty; `result` is
    the report as JSON, without the pool. `certain` lines need no answer, also empty ones; the others have the
    reason `why`: a code of `words.WHY_ASKED`.
    """

    line: Line
    certain: bool
    text: str
    result: Told | None
    why: str

    @property
    def deal(self) -> int:
        return self.line.deal

    @property
    def is_empty(self) -> bool:
        return self.line.is_empty


def reported_lines(
    reading: Reading,
    rulebook: Rulebook,
    seatings: Mapping[int, Seating],
    instead: Mapping[str, str] = MappingProxyType({}),
) -> list[ReportedLine]:
    """Every line of a page; `seatings` are the table's by deal as it is now, `instead` another language's phrases."""
    reporter = Reporter(reading.layout, rulebook, seatings, instead)
    played = [number for number, line in enumerate(reading.lines) if _says_something(line)]
    last = max(played, default=-1)
    # A deal that was not played is one of the last: between others something was too faint to be seen. So it may be
    # anywhere on a sheet of a weak hand.
    return [
        reporter.reported(line, unplayed=number > last and not (played and reading.press))
        for number, line in enumerate(reading.lines)
    ]


def _says_something(line: Line) -> bool:
    """Whether a line is one of a deal: a stain, or a slip of the pen, is in a row that is to come as well.

    Either is in one group; who plays ticks in two at least, though they may leave out what is needed.
    """
    marked = {box.group for box in line.boxes if box.state is not State.EMPTY}
    return line.why == "place" or ALONE in marked or len(marked) > 1


def rules_have_changed(reading: Reading, rulebook: Rulebook) -> bool:
    """Whether a sheet printed now would have other boxes."""
    return groups_of(rulebook, reading.layout.players) != reading.layout.groups


class Reporter:
    """Converts ticks on a sheet of this layout to reports by the rules, for a table's seating."""

    def __init__(
        self,
        layout: Layout,
        rulebook: Rulebook,
        seatings: Mapping[int, Seating],
        instead: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.rulebook = rulebook
        self.seatings = seatings
        self.instead = instead
        self.players = layout.players
        self.dealers = {row.deal: row.dealer for row in layout.rows}
        offered = choices(rulebook, self.players)["contracts"]
        self.contracts: dict[str, Told] = {contract["id"]: contract for contract in offered}

    def reported(self, line: Line, *, unplayed: bool) -> ReportedLine:
        """A line with what it reports; an empty one is certain where it may be `unplayed`."""
        if line.is_empty:
            why = "" if unplayed else "missing"
            return ReportedLine(line, certain=unplayed, text="", result=None, why=why)
        line = self._settled(line)
        seating = self.seatings.get(line.deal)
        result = self.result(line.chosen, seating) if seating else None
        why = line.why or self.against(line.deal, line.chosen)
        text = self._text(line.chosen, result, seating)
        told = result.to_json(seating) if result and seating else None
        return ReportedLine(line, certain=line.certain and not why, text=text, result=told, why=why)

    def _settled(self, line: Line) -> Line:
        """The line with what only the rules know: whether a faint tick is one, where it must be there or must not."""
        keys = list(line.perhaps)
        if not keys or not SETTLED.issuperset(keys):
            return line
        allowed = []
        for taken in product((True, False), repeat=len(keys)):
            more = {key: line.perhaps[key] for key, one in zip(keys, taken, strict=True) if one}
            chosen = line.chosen | more
            if not self.against(line.deal, chosen):
                allowed.append(chosen)
        if len(allowed) != 1:
            return line
        return replace(line, certain=True, chosen=allowed[0], why="", perhaps={})

    def against(self, deal: int, chosen: Mapping[str, str]) -> str:
        """The problem of clearly read ticks; "" for none."""
        if chosen.get(ALONE) == NOTE:
            return "note"
        seating = self.seatings.get(deal)
        if chosen.get(ALONE) != PASSED and (seating is None or seating.dealer != self.dealers[deal]):
            return "changed"
        result = self.result(chosen, seating) if seating else None
        if result is None or seating is None:
            contract = chosen.get(CONTRACT)
            return "pattern" if contract and contract not in self.contracts else "missing"
        pool = self.rulebook.pool and self.rulebook.pool.each_deal(self.players)
        found = problems(result._replace(pool=pool or None), seating, self.rulebook)
        if any(not problem.is_warning for problem in found):
            return "rules"
        return "rare" if found else ""

    def result(self, chosen: Mapping[str, str], seating: Seating) -> DealResult | None:
        """The report that the ticks make; None where they are not enough, or too many, for one."""
        told = self._reported_result(chosen)
        if told is None:
            return None
        try:
            return read_result(told, seating, self.rulebook.roles_by_name)
        except UnreadableResult:
            return None

    def _reported_result(self, chosen: Mapping[str, str]) -> Told | None:
        if chosen.get(ALONE) == PASSED:
            return {"all_passed": True} if set(chosen) == {ALONE} else None
        contract = self._contract(chosen)
        if contract is None or not {DECLARER, RESULT} <= chosen.keys():
            return None
        declarer = int(chosen[DECLARER])
        outcome = self._outcome(contract, chosen[RESULT])
        trump = self._trump(contract, chosen.get(TRUMP, ""))
        if outcome is None or trump is None or (contract["partners"] and PARTNER not in chosen):
            return None
        told: Told = json.loads(
            json.dumps(outcome).replace('"DECLARER":', f'"{declarer}":').replace('"DECLARER"', f"{declarer}")
        )
        told |= {"contract": contract["id"], "declarer": declarer} | ({"trump": trump} if trump else {})
        if PARTNER in chosen:
            told["partner"] = int(chosen[PARTNER])
        if ESTUCHES in chosen:
            told["estuches"] = int(chosen[ESTUCHES])
        if BID in chosen:
            told["bonus_bid"] = chosen[BID]
        return told

    def _contract(self, chosen: Mapping[str, str]) -> Mapping[str, Any] | None:
        """The contract that is ticked, or the only one there is."""
        if len(self.contracts) == 1 and CONTRACT not in chosen:
            return next(iter(self.contracts.values()))
        return self.contracts.get(chosen.get(CONTRACT, ""))

    def _outcome(self, contract: Mapping[str, Any], code: str) -> Told | None:
        """The contract's outcome for a result box; None if the box alone does not determine it."""
        results = {patch["code"]: patch["set"] for patch in contract["results"]}
        if code in results:
            return dict(results[code])
        extras = {extra["code"]: extra["set"] for extra in contract["extras"] if "tout" in extra["set"]}
        return results["won"] | extras[code] if code in extras else None

    def _trump(self, contract: Mapping[str, Any], ticked: str) -> str | None:
        """The trump to report, "" for none; None where the ticks do not go with the contract."""
        if ticked == SANS:
            return "" if contract["trumps"] and not contract["trump_must"] else None
        if contract["trumps"]:
            return ticked if ticked in contract["trumps"] else None
        # In a spade game a tick in the spade box is redundant.
        is_spades = self.rulebook.by_id[contract["id"]].trumps is Trumps.SPADES
        return "" if not ticked or (is_spades and ticked == "S") else None

    def _text(self, chosen: Mapping[str, str], result: DealResult | None, seating: Seating | None) -> str:
        """The line in the notation, or as much of it as is clear."""
        if result is not None and seating is not None:
            try:
                return write_words(result, seating, self.rulebook, self.instead)
            except ValueError:
                # Such a report has no words: what is ticked has.
                pass
        outcome = chosen.get(RESULT, "")
        words = [
            LETTERS[int(chosen[DECLARER])] if DECLARER in chosen else "",
            *vocabulary.CONTRACTS.get(chosen.get(CONTRACT, ""), ("",))[:1],
            *vocabulary.SUITS.get(chosen.get(TRUMP, ""), ("",))[:1],
            *vocabulary.OUTCOMES.get(outcome, ("",))[:1],
        ]
        return " ".join(self.instead.get(word, word) for word in words if word)
