"""Reports put together from the engine's choices, as a phone does it, with the tokens that the choices promise."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scoring.choices import choices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.rulebook import Rulebook
    from scoring.seats import Seating

Report = dict[str, Any]
_choices = lru_cache(choices)
COUNTED = 3  # as many are counted where a number is asked for


def offered_reports(book: Rulebook, seating: Seating, pool: int) -> Iterator[tuple[Report, list[int]]]:
    """Each result, extra, partner and takeover of each contract once: the report, and the tokens by position."""
    table = _choices(book, seating.players)
    offer = _Offer(book, seating, pool)
    if table["all_passed"]:
        yield offer.report({"all_passed": True}, "", [])
    for contract in table["contracts"]:
        declarer = contract["declarers"][-1]
        start = {"contract": contract["id"], "declarer": declarer}
        if contract["trumps"]:
            start["trump"] = contract["trumps"][0]
        for result in contract["results"] + contract["rare"]:
            if declarer in result["tokens"]:
                yield offer.report(start, declarer, [result, *_needed(contract, declarer, result)])
        for extra in contract["extras"] + contract["partners"]:
            result = next((one for one in contract["results"] if one["code"] in extra["with"]), None)
            if result and declarer in result["tokens"] and declarer in extra["tokens"]:
                needed = [patch for patch in _needed(contract, declarer, result) if not _same(patch, extra)]
                yield offer.report(start, declarer, [result, extra, *needed])
        for takeover in contract["takeovers"]:
            taker, result = takeover["seat"], contract["results"][0]
            if taker != declarer and taker in result["tokens"]:
                yield offer.report(start, taker, [result, takeover, *_needed(contract, taker, result)])


def _same(one: Report, other: Report) -> bool:
    """Whether two patches answer one question."""
    return one["code"].partition("_")[0] == other["code"].partition("_")[0]


def _needed(contract: Report, declarer: str, result: Report) -> list[Report]:
    """What a report must have beside its result: who plays along, with no trick; a partner; a count."""
    joined = [
        joiner["results"][0]
        for joiner in contract["joiners"]
        if joiner["must"] and result["code"] in joiner["with"] and joiner["seat"] != declarer
    ]
    fitting = [patch for patch in contract["partners"] if result["code"] in patch["with"]]
    partners = [patch for patch in fitting if patch["seat"] != declarer][:1]
    extras = [extra for extra in contract["extras"] if extra.get("must") and result["code"] in extra["with"]]
    return [*joined, *partners, *extras]


class _Offer:
    """Puts reports together at one table, with so much in the pool."""

    def __init__(self, book: Rulebook, seating: Seating, pool: int) -> None:
        self.book = book
        self.seating = seating
        self.pool = pool

    def report(self, start: Report, owner: str, patches: list[Report]) -> tuple[Report, list[int]]:
        """The report and its tokens; `owner` is whose game it counts as."""
        said = dict(start)
        for patch in patches:
            said = _merged(said, patch["set"])
        if self.book.pool:
            said["pool"] = self.pool
        places: dict[str, int] = {str(role): seat for role, seat in self.seating.positions.items()}
        places["DECLARER"] = places.get(owner, 0)
        places["COUNT"] = COUNTED
        tokens = [self.amount(patches, owner, role) for role in self.seating.roles]
        if self.book.pool:
            payers = range(self.seating.players) if self.book.pool.by_all else [self.seating.dealer]
            for position in payers:
                tokens[position] -= self.book.pool.ante
        return _placed(said, places), tokens

    def amount(self, patches: list[Report], owner: str, role: str) -> int:
        total = 0
        for patch in patches:
            times = COUNTED if "count" in patch else 1
            total += times * patch.get("tokens", {}).get(owner, {}).get(role, 0)
            factor = patch.get("pool", {}).get(owner, {}).get(role, 0)
            if isinstance(factor, list):
                of, plus, by = factor
                total += of * ((self.pool + plus) // by)
            elif isinstance(factor, dict):
                total += min(factor["most"], self.pool)
            else:
                total += factor * self.pool
        return total


def _merged(under: Any, over: Any) -> Any:
    if isinstance(under, dict) and isinstance(over, dict):
        return under | {name: _merged(under.get(name), value) for name, value in over.items()}
    return under + over if isinstance(under, list) and isinstance(over, list) else over


def _placed(value: Any, places: dict[str, int]) -> Any:
    if isinstance(value, dict):
        return {str(places.get(name, name)): _placed(one, places) for name, one in value.items()}
    if isinstance(value, list):
        return [_placed(one, places) for one in value]
    return places.get(value, value) if isinstance(value, str) else value
