"""Reports for the tests, by role: what a row of a table says, settled by the engine."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

from scoring import get_rulebook
from scoring.results import DealResult, read_result
from scoring.rulebook import Rulebook
from scoring.seats import Seating
from scoring.settlement import Settlement, problems, settle

if TYPE_CHECKING:
    from collections.abc import Iterator

# The dealer sits at the last position, so that position 0 is forehand.
SEATINGS = {players: Seating(players, players - 1) for players in (3, 4)}


def report(players: int = 3, **fields: Any) -> DealResult:
    """A report with seats by role."""
    return read_result(fields, SEATINGS[players])


def tricks(text: str) -> dict[str, int]:
    """`FH5 MH3 BH1` by seat."""
    return {word[:-1]: int(word[-1]) for word in text.split()}


def settled(rulebook: Rulebook | str, players: int = 3, **fields: Any) -> Settlement:
    book = get_rulebook(rulebook) if isinstance(rulebook, str) else rulebook
    return settle(report(players, **fields), SEATINGS[players], book)


def tokens(rulebook: Rulebook | str, players: int = 3, **fields: Any) -> dict[str, int]:
    """Tokens by role."""
    seating = SEATINGS[players]
    amounts = settled(rulebook, players, **fields).tokens
    return {role.value: amounts[position] for role, position in seating.positions.items()}


def codes(rulebook: Rulebook | str, players: int = 3, **fields: Any) -> list[str]:
    """The codes of all problems and warnings."""
    book = get_rulebook(rulebook) if isinstance(rulebook, str) else rulebook
    return [problem.code for problem in problems(report(players, **fields), SEATINGS[players], book)]


def distributions(seats: int, total: int = 9) -> list[tuple[int, ...]]:
    """Every way in which the tricks fall to so many seats."""
    return [
        (*counts, total - sum(counts))
        for counts in product(range(total + 1), repeat=seats - 1)
        if sum(counts) <= total
    ]


def option_sets(rulebook: str) -> Iterator[dict[str, Any]]:
    """The defaults, each option at each other value alone, and everything on at once."""
    yield {}
    everything: dict[str, Any] = {}
    for spec in get_rulebook(rulebook).option_specs:
        others = {"bool": [not spec.default], "choice": spec.values, "int": [spec.minimum, 3]}[spec.kind]
        for value in others:
            if value != spec.default:
                yield {spec.name: value}
        everything[spec.name] = True if spec.kind == "bool" else others[-1]
    yield everything
    # The same without what takes wash-outs and the player sitting out away.
    yield everything | {"forced_spadille": False, "idle_settles": False}


def books() -> list[tuple[Rulebook, int]]:
    """Every rulebook with every set of options, at tables of three and four."""
    return [
        (get_rulebook(name, options), players)
        for name in ("union", "rasle")
        for options in option_sets(name)
        for players in (3, 4)
    ]


def book_id(value: object) -> str:
    """A readable name for a row of `books`."""
    if not isinstance(value, Rulebook):
        return str(value)
    defaults = {spec.name: spec.default for spec in value.option_specs}
    changed = {name: setting for name, setting in value.options.items() if setting != defaults[name]}
    return f"{value.id}{json.dumps(changed) if len(changed) < 3 else '-all'}"
