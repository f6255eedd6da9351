"""Reports for the tests, by role: what a row of a table says, settled by the engine."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

from scoring import BadOption, get_rulebook, rulebooks
from scoring.results import DealResult, read_result
from scoring.rulebook import Rulebook
from scoring.seats import Seating
from scoring.settlement import Settlement, problems, settle

if TYPE_CHECKING:
    from collections.abc import Iterator

# The dealer sits at the last position, so that position 0 is forehand.
SEATINGS = {players: Seating(players, players - 1) for players in (2, 3, 4, 5)}


def report(players: int = 3, book: str = "union", **fields: Any) -> DealResult:
    """A report with seats by role, or as the rulebook calls them."""
    return read_result(fields, SEATINGS[players], get_rulebook(book).roles_by_name)


def tricks(text: str) -> dict[str, int]:
    """`FH5 MH3 BH1` by seat."""
    return {word[:-1]: int(word[-1]) for word in text.split()}


def settled(rulebook: Rulebook | str, players: int = 3, **fields: Any) -> Settlement:
    book = get_rulebook(rulebook) if isinstance(rulebook, str) else rulebook
    return settle(report(players, book.id, **fields), SEATINGS[players], book)


def tokens(rulebook: Rulebook | str, players: int = 3, **fields: Any) -> dict[str, int]:
    """Tokens by seat as the rulebook calls it, and those of the pool where there is one."""
    book = get_rulebook(rulebook) if isinstance(rulebook, str) else rulebook
    came_to = settled(book, players, **fields)
    seats = SEATINGS[players].positions.items()
    by_seat = {book.seat_name(role): came_to.tokens[position] for role, position in seats}
    return by_seat | ({"POOL": came_to.pool} if book.pool else {})


def codes(rulebook: Rulebook | str, players: int = 3, **fields: Any) -> list[str]:
    """The codes of all problems and warnings."""
    book = get_rulebook(rulebook) if isinstance(rulebook, str) else rulebook
    return [problem.code for problem in problems(report(players, book.id, **fields), SEATINGS[players], book)]


def distributions(seats: int, total: int = 9) -> list[tuple[int, ...]]:
    """Every way in which the tricks fall to so many seats."""
    return [
        (*counts, total - sum(counts))
        for counts in product(range(total + 1), repeat=seats - 1)
        if sum(counts) <= total
    ]


def option_sets(rulebook: str) -> Iterator[dict[str, Any]]:
    """The defaults, each option at each other value alone, and everything on at once; one set of own prices."""
    yield {}
    everything: dict[str, Any] = {}
    # What a table agrees on beside the rules settles nothing: `test_options` has it.
    known = get_rulebook(rulebook).option_specs
    specs = [spec for spec in known if not spec.contract and spec.section != "table"]
    for spec in specs:
        others = {"bool": [not spec.default], "choice": spec.values, "int": [spec.minimum, 3]}[spec.kind]
        for value in others:
            if value != spec.default and goes(rulebook, {spec.name: value}):
                yield {spec.name: value}
        everything[spec.name] = True if spec.kind == "bool" else others[-1]
    everything = {name: value for name, value in everything.items() if name != "price_missed_vole"}
    yield everything
    # The same without what takes wash-outs and the player sitting out away.
    less = {"forced_spadille": False, "idle_settles": False}
    yield everything | {name: value for name, value in less.items() if name in everything}
    prices = [spec for spec in get_rulebook(rulebook).option_specs if spec.contract]
    if prices:
        yield {spec.name: int(spec.default) * 2 + 1 for spec in prices}


def goes(rulebook: str, options: dict[str, Any]) -> bool:
    """Whether options go together."""
    try:
        get_rulebook(rulebook, options)
    except BadOption:
        return False
    return True


def books() -> list[tuple[Rulebook, int]]:
    """Every rulebook with every set of options, at every size of table."""
    return [
        (get_rulebook(book.id, options), players)
        for book in rulebooks()
        for options in option_sets(book.id)
        for players in book.players
    ]


def book_id(value: object) -> str:
    """A readable name for a row of `books`."""
    if not isinstance(value, Rulebook):
        return str(value)
    defaults = {spec.name: spec.default for spec in value.option_specs}
    changed = {name: setting for name, setting in value.options.items() if setting != defaults[name]}
    return f"{value.id}{json.dumps(changed) if len(changed) < 3 else '-all'}"
