"""Settling a deal: the outcome, and who pays whom how many tokens for what."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.checks import Case, examine
from scoring.outcomes import Outcome
from scoring.prices import EXTRAS, Line, declarer_lines, joined_lines
from scoring.seats import ACTIVE, ROLES, Role, Seating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoring.problems import Problem
    from scoring.results import DealResult
    from scoring.rulebook import HouseRules, Rulebook


class IllegalResult(ValueError):  # noqa: N818 - the engine's errors are named for what is wrong
    """A result that the rules forbid; `problems` say why."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(", ".join(problem.code for problem in self.problems))


class Part(NamedTuple):
    """Tokens that one position pays another, and the reason: English with `{params}` to fill in."""

    code: str
    payer: int
    payee: int
    tokens: int
    text: str
    params: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return self._asdict() | {"params": dict(self.params)}


class Settlement(NamedTuple):
    """What a deal came to. `tokens` is the net change by position; the parts add up to it.

    `outcome` is the declarer's (`won`, `bete`, `kodille`, `washout`), also where others joined the nolo;
    `extras` are the codes of what was settled beside the contract, sorted.
    """

    outcome: str
    extras: tuple[str, ...]
    tokens: tuple[int, ...]
    parts: tuple[Part, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "outcome": str(self.outcome),
            "extras": list(self.extras),
            "tokens": list(self.tokens),
            "parts": [part.to_json() for part in self.parts],
        }


def problems(result: DealResult, seating: Seating, rulebook: Rulebook) -> tuple[Problem, ...]:
    """Everything that the rules have against a report, and warnings about what is legal but rare."""
    return tuple(examine(result, seating.players, rulebook)[1])


def settle(result: DealResult, seating: Seating, rulebook: Rulebook) -> Settlement:
    """Settle a report. Raises IllegalResult where it has problems that are more than warnings."""
    case, found = examine(result, seating.players, rulebook)
    if found and (wrong := [problem for problem in found if not problem.is_warning]):
        raise IllegalResult(wrong)
    if case is None:
        return Settlement(Outcome.WASHOUT, (), (0,) * seating.players, ())
    book = _Book(case, seating)
    lines = declarer_lines(case)
    book.account(case.declarer, lines)
    for role in result.joined:
        gave_up = role is Role.IDLE and result.idle_abandoned
        book.account(role, joined_lines(case.contract, None if gave_up else case.tricks[role]))
    extras = tuple(sorted([line.code for line in lines if line.code in EXTRAS])) if len(lines) > 1 else ()
    return Settlement(case.outcome, extras, tuple(book.tokens), tuple(book.parts))


class _Book:
    """Where the accounts of a deal are entered: one for the declarer, one for each who joined."""

    __slots__ = ("case", "parts", "positions", "tokens")

    def __init__(self, case: Case, seating: Seating) -> None:
        self.case = case
        self.positions = seating.positions
        self.tokens = [0] * seating.players
        self.parts: list[Part] = []

    def account(self, owner: Role, lines: Sequence[Line]) -> None:
        """Enter one declarer's account: every line, with each share of it."""
        case = self.case
        fourth_plays = case.contract.by_fourth or Role.IDLE in case.result.joined
        shares = shares_of(owner, case.players, case.rulebook.house, fourth_plays, case.result.foul)
        account, payers = self.positions[owner], [self.positions[role] for role in shares]
        for line in lines:
            self.enter(line, account, payers)

    def enter(self, line: Line, account: int, payers: Sequence[int]) -> None:
        code, each, text, params = line
        for payer in payers:
            if each > 0:
                self.parts.append(Part(code, payer, account, each, text, params))
            elif each < 0:
                self.parts.append(Part(code, account, payer, -each, text, params))
            self.tokens[payer] -= each
        self.tokens[account] += each * len(payers)


def shares_of(
    owner: Role, players: int, house: HouseRules, fourth_plays: bool, foul: Role | None = None
) -> Sequence[Role]:
    """Who pays or receives each share of a declarer's account.

    Everybody who plays has one share, a player who sits out by the option only. A defender who fouled the
    exchange takes over the others' shares, that of a player who sits out by the option only.
    """
    shares = _settling(owner, players, fourth_plays or house.idle_settles)
    if foul is None or foul is owner:
        return shares
    covered = shares if house.defender_foul_covers_idle else ACTIVE
    return [foul if role in covered else role for role in shares]


@cache
def _settling(owner: Role, players: int, fourth_settles: bool) -> tuple[Role, ...]:
    return tuple(role for role in (ROLES[players] if fourth_settles else ACTIVE) if role is not owner)
