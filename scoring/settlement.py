"""Settlement of a reported deal: the outcome, and each payment between players with its reason."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.checks import examine
from scoring.outcomes import Outcome
from scoring.prices import EXTRAS, Line, Share, declarer_lines, divide_line, lines_of_joined, settling_roles
from scoring.report_case import Case
from scoring.seats import NOBODY, POOL, Role, Seating
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoring.problems import Problem
    from scoring.results import DealResult
    from scoring.rulebook import Rulebook


class IllegalResult(ValueError):
    """A report with problems that are more than warnings; they are in `problems`."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(", ".join(problem.code for problem in self.problems))


class Part(NamedTuple):
    """A payment: `tokens` from the position `payer` to `payee`, and the reason as English `text` with `{params}`.

    `POOL` is the pool; `NOBODY` is the other side of points that no player loses.
    """

    code: str
    payer: int
    payee: int
    tokens: int
    text: str
    params: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return self._asdict() | {"params": dict(self.params)}


class Settlement(NamedTuple):
    """The result of settling a deal.

    - outcome: the declarer's, a code of `Outcome`, also where others joined the nolo
    - extras: sorted codes of lines settled besides the contract
    - tokens: net change by position, the sum of `parts`
    - pool: net change of the pool
    """

    outcome: str
    extras: tuple[str, ...]
    tokens: tuple[int, ...]
    parts: tuple[Part, ...]
    pool: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "outcome": str(self.outcome),
            "extras": list(self.extras),
            "tokens": list(self.tokens),
            "pool": self.pool,
            "parts": [part.to_json() for part in self.parts],
        }


def problems(result: DealResult, seating: Seating, rulebook: Rulebook) -> tuple[Problem, ...]:
    """All problems of a report by the rules, including warnings about what is legal but rare."""
    return tuple(examine(result, seating.players, rulebook)[1])


def settle(result: DealResult, seating: Seating, rulebook: Rulebook) -> Settlement:
    """Settle a report. Raises IllegalResult if it has problems that are more than warnings."""
    return _settled(result, seating, rulebook)


# Most reports repeat: 6,000 deals that bots played at one table had 650 different pairs of result and dealer.
@lru_cache(maxsize=4096)
def _settled(result: DealResult, seating: Seating, rulebook: Rulebook) -> Settlement:
    if seating.in_pairs:
        seating = seating.declared_by(result.declarer)
    case, found = examine(result, seating.players, rulebook)
    if found and (wrong := [problem for problem in found if not problem.is_warning]):
        raise IllegalResult(wrong)
    if case is None:
        return Settlement(Outcome.WASHOUT, (), (0,) * seating.players, ())
    book = _Book(case, seating)
    lines = declarer_lines(case)
    book.account(case.declarer, lines)
    for role in case.result.joined:
        book.account(role, lines_of_joined(case, role))
    extras = tuple(sorted([line.code for line in lines if line.code in EXTRAS])) if len(lines) > 1 else ()
    return Settlement(case.outcome, extras, tuple(book.tokens), tuple(book.parts), book.pool)


def settle_at_table(result: DealResult, seating: Seating, rulebook: Rulebook) -> Settlement:
    """Settle a report as a score sheet shows it: `settle`, and the antes of the deal where the rules have a pool.

    The ante is paid for a deal that is passed out too, and stays in the pool. Raises IllegalResult.
    """
    settled = settle(result, seating, rulebook)
    rules = rulebook.pool
    if rules is None or rules.ante == 0:
        return settled
    payers = range(seating.players) if rules.by_all else (seating.dealer,)
    antes = tuple(Part("ante", payer, POOL, rules.ante, _("ante"), {}) for payer in payers)
    tokens = list(settled.tokens)
    for payer in payers:
        tokens[payer] -= rules.ante
    return settled._replace(
        tokens=tuple(tokens), parts=(*antes, *settled.parts), pool=settled.pool + rules.ante * len(payers)
    )


def first_pool(rulebook: Rulebook, players: int) -> int | None:
    """The tokens in the pool when the first deal is settled, its ante included; None by rules without a pool."""
    return rulebook.pool.each_deal(players) if rulebook.pool else None


def pool_after(result: DealResult, seating: Seating, rulebook: Rulebook) -> int | None:
    """The tokens in the pool when the next deal is settled, its ante included.

    None by rules without a pool, and after a wash-out whose report leaves out the pool. Raises IllegalResult.
    """
    if rulebook.pool is None or result.pool is None:
        return None
    left = result.pool + settle(result, seating, rulebook).pool
    return left + rulebook.pool.each_deal(seating.players)


class _Book:
    """The sums of a settlement while accounts are entered: the declarer's, and one for each player who joined."""

    __slots__ = ("case", "parts", "pool", "positions", "tokens")

    def __init__(self, case: Case, seating: Seating) -> None:
        self.case = case
        self.positions = seating.positions
        self.tokens = [0] * seating.players
        self.parts: list[Part] = []
        self.pool = 0

    def account(self, owner: Role, lines: Sequence[Line]) -> None:
        """Enter all lines of one declarer's account."""
        case = self.case
        fourth_plays = case.contract.by_fourth or Role.IDLE in case.result.joined
        shares = settling_roles(owner, case.players, case.rulebook.house, fourth_plays, case.result.foul)
        account, payers = self.positions[owner], [self.positions[role] for role in shares]
        for line in lines:
            if line.side:
                for share in divide_line(line, case):
                    self.pay(line, share, share.amount(case.result.pool or 0))
            else:
                self.enter(line, account, payers)

    def enter(self, line: Line, account: int, payers: Sequence[int]) -> None:
        """Enter a line that every payer settles with the declarer at position `account`."""
        code, each, text, params, *_side = line
        for payer in payers:
            if each > 0:
                self.parts.append(Part(code, payer, account, each, text, params))
            elif each < 0:
                self.parts.append(Part(code, account, payer, -each, text, params))
            self.tokens[payer] -= each
        self.tokens[account] += each * len(payers)

    def pay(self, line: Line, share: Share, tokens: int) -> None:
        """Enter one amount between a declarer and another position, the pool or nobody."""
        account, other = self.positions[share.own], share.other
        against = self.positions[other] if isinstance(other, Role) else other
        payer, payee = (against, account) if tokens > 0 else (account, against)
        if tokens:
            self.parts.append(Part(line.code, payer, payee, abs(tokens), line.text, line.params))
        self.tokens[account] += tokens
        if against == POOL:
            self.pool -= tokens
        elif against != NOBODY:
            self.tokens[against] -= tokens
