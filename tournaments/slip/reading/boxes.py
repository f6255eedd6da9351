"""Which boxes a rulebook's sheet has: made from what may be reported, so that a new rulebook has its sheet at once.

Every group is single choice: a tout is one of the results, not a box of its own. What is rare (fouls, matadors, who won
a kodille, so many tricks) goes by the box “see note”, and a line with that is always asked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from scoring.choices import choices
from tournaments.slip.reading.geometry import GAP, LEFT, PITCH, RIGHT, Group

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoring.rulebook import Rulebook

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
    """Who has no box in a deal: the player sitting out, unless somebody who sits out can declare."""
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
    """How a deal may come out, in the order of the offers, each once; the calling of all tricks last."""
    codes = (result_code(patch["code"]) for contract in contracts for patch in contract["results"])
    yield from dict.fromkeys(code for code in codes if code)
    extras = {extra["code"] for extra in _extras(contracts, lambda extra: "tout" in extra["set"])}
    yield from (code for code in CALLED if code in extras)


def result_code(offered: str) -> str:
    """The box of an offered result: one for a kodille, whoever won it; none for so many tricks."""
    if _TRICKS.fullmatch(offered):
        return ""
    return "kodille" if offered.startswith("kodille_") else offered


def _bids(contracts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for extra in _extras(contracts, lambda extra: isinstance(extra["set"].get("bonus_bid"), str)):
        yield extra["set"]["bonus_bid"]


def _extras(contracts: Sequence[Mapping[str, Any]], wanted: Any) -> list[Mapping[str, Any]]:
    return [extra for contract in contracts for extra in contract["extras"] if wanted(extra)]


def _right(groups: Sequence[Group]) -> float:
    """Where boxes would end."""
    return LEFT + sum(len(group.values) * PITCH + GAP for group in groups)
