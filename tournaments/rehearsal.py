"""Results for demonstrations and load tests: drawn from what the rulebook allows, about as often as in a club.

Most deals are simple games, the declarer wins more than half, a few in a hundred are washed out, and nolo ouvert and
tout are rare. The cards are not played.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from scoring.choices import choices
from scoring.rulebooks import Rulebook
from scoring.seats import Seating

Patch = dict[str, Any]

WASHED_OUT = 0.04
# How often a contract is played, in a hundred deals.
CONTRACTS = {
    "simple_game": 46.0,
    "tourne": 17.0,
    "solo": 10.0,
    "spade_game": 9.0,
    "simple_nolo": 9.0,
    "spade_solo": 3.0,
    "grand_tourne": 2.0,
    "pure_nolo": 2.0,
    "nolo_ouvert": 0.3,
}
OTHER_CONTRACT = 1.0
# How often a contract ends so, in a hundred; each other result, such as a number of tricks in a nolo, comes on top.
RESULTS = {"won": 60.0, "bete": 25.0, "kodille": 12.0}
OTHER_RESULT = 1.5
EXTRA = 0.004
TRICKS = 9


def random_result(rulebook: Rulebook, seating: Seating, random: Random) -> dict[str, Any]:
    """A result of one deal as a captain would report it, seats as positions."""
    offers = choices(rulebook, len(seating.roles))
    if offers["all_passed"] and random.random() < WASHED_OUT:
        return {"all_passed": True}
    contract = random.choices(
        offers["contracts"], [CONTRACTS.get(offer["id"], OTHER_CONTRACT) for offer in offers["contracts"]]
    )[0]
    declarer = random.choice(contract["declarers"])
    chosen = _drawn([patch for patch in contract["results"] if declarer in patch["tokens"]], random)
    patches = [chosen]
    for extra in contract["extras"]:
        if chosen["code"] in extra["with"] and declarer in extra["tokens"] and random.random() < EXTRA:
            patches.append(extra)
            break
    patches += [
        _drawn(joiner["results"][: 2 if _tricks(chosen) < TRICKS else 1], random)
        for joiner in contract["joiners"]
        if joiner["must"] and joiner["seat"] != declarer
    ]
    result: dict[str, Any] = {"contract": contract["id"], "declarer": declarer}
    if contract["trumps"]:
        result["trump"] = random.choice(contract["trumps"])
    for patch in patches:
        _merge(result, patch["set"], declarer)
    return _placed(result, seating)


def _drawn(patches: Sequence[Patch], random: Random) -> Patch:
    return random.choices(patches, [RESULTS.get(patch["code"], OTHER_RESULT) for patch in patches])[0]


def _tricks(patch: Patch) -> int:
    """The tricks that a patch says the declarer took; 0 where it says something else."""
    return sum(patch["set"].get("tricks", {}).values())


def _merge(result: dict[str, Any], change: dict[str, Any], declarer: str) -> None:
    """Merge a patch into a result as the phone does: objects are merged, lists joined, DECLARER is the declarer."""
    for field, value in change.items():
        if isinstance(value, dict):
            named = {declarer if seat == "DECLARER" else seat: tricks for seat, tricks in value.items()}
            result[field] = result.get(field, {}) | named
        elif isinstance(value, list):
            result[field] = result.get(field, []) + value
        else:
            result[field] = declarer if value == "DECLARER" else value


def _placed(result: dict[str, Any], seating: Seating) -> dict[str, Any]:
    """The result with positions for roles."""
    position = {str(role): seating.position_of(role) for role in seating.roles}
    placed = dict(result)
    for field in ("declarer", "foul"):
        if field in placed:
            placed[field] = position[placed[field]]
    if "tricks" in placed:
        placed["tricks"] = {str(position[seat]): tricks for seat, tricks in placed["tricks"].items()}
    if "joined" in placed:
        placed["joined"] = [position[seat] for seat in placed["joined"]]
    return placed
