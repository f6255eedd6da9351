"""Estimates of how often a contract can be made from hands as dealt, by sampling the exchange.

Discards are not recorded, and other players would choose other ones. So the exchange is repeated with a seed: all
players discard like bots, sometimes one card more, one fewer or the next best one; the talon is as dealt.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from scoring.bots.player import next_step
from scoring.game import Act, Ask, Deal, IllegalStep, Phase, Step
from scoring.game.play import order_of_cards
from scoring.game.steps import known
from scoring.outcomes import Outcome
from scoring.solver.levels import Value, levels_of
from scoring.solver.solving import (
    NODE_LIMIT,
    CannotSolveError,
    CardPosition,
    Solution,
    play_in,
    solve,
    solve_outcome,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoring.game import State
    from scoring.rulebook import Contract
    from scoring.seats import Role

# The standard normal quantile of a 95 % interval.
_Z = 1.96
# The probabilities that a player discards one card more than a bot, one fewer, or another one.
_MORE, _FEWER, _OTHER = 0.2, 0.2, 0.2
_DISCARDING = frozenset((Ask.EXCHANGE, Ask.LAY_OFF, Ask.REPEAT))
_MADE = frozenset((Outcome.WON, Outcome.VOLE))


@dataclass(frozen=True, slots=True)
class Makeable:
    """The number of sampled exchanges after which best play makes a contract.

    `solved` is the number of exchanges solved within the limit; `made` of these win.
    """

    made: int
    solved: int

    @property
    def share(self) -> float:
        return self.made / self.solved if self.solved else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share, from 0 to 1."""
        if not self.solved:
            return 0.0, 1.0
        n, share = self.solved, self.share
        middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z / (1 + _Z**2 / n) * sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
        return max(0.0, middle - half), min(1.0, middle + half)


def makeable(
    deal: Deal,
    declarer: Role,
    contract: Contract,
    trump: str | None,
    *,
    samples: int = 30,
    seed: int = 0,
    limit: int = NODE_LIMIT,
) -> Makeable:
    """Sample exchanges, and count how often best play makes the contract.

    One sample is enough for contracts without an exchange. Raises CannotSolveError if the player cannot play this
    contract with these cards.
    """
    made = solved = 0
    random = Random(f"{seed} {declarer} {contract.id} {trump}")
    known_outcomes: dict[tuple[frozenset[str], ...], tuple[Outcome, bool]] = {}
    for position in sampled_positions(deal, declarer, contract, trump, samples, random):
        hands = tuple(map(frozenset, position.hands.values()))
        if hands not in known_outcomes:
            known_outcomes[hands] = solve_outcome(position, limit=limit)
        outcome, exact = known_outcomes[hands]
        if exact:
            solved += 1
            made += outcome in _MADE
    return Makeable(made, solved)


@dataclass(frozen=True, slots=True)
class TrickRange:
    """The fewest and the most tricks of the declarer's side that best play came to, in `solved` sampled exchanges.

    `by_outcome`: the fewest and the most tricks with which each outcome is possible at all.
    """

    least: int
    most: int
    solved: int
    by_outcome: Mapping[str, tuple[int, int]]


def range_of_tricks(
    deal: Deal,
    declarer: Role,
    contract: Contract,
    trump: str | None,
    *,
    samples: int = 12,
    seed: int = 0,
    limit: int = NODE_LIMIT,
) -> TrickRange | None:
    """The tricks that best play comes to after sampled exchanges; None where none was solved within the limit.

    Raises CannotSolveError if the player cannot play this contract with these cards.
    """
    random = Random(f"{seed} {declarer} {contract.id} {trump}")
    known_tricks: dict[tuple[frozenset[str], ...], int | None] = {}
    found: list[int] = []
    values: tuple[Value, ...] = ()
    for position in sampled_positions(deal, declarer, contract, trump, samples, random):
        values = values or levels_of(play_in(position))[0]
        hands = tuple(map(frozenset, position.hands.values()))
        if hands not in known_tricks:
            solution = solve(position, limit=limit)
            known_tricks[hands] = solution.tricks if solution.exact else None
        tricks = known_tricks[hands]
        if tricks is not None:
            found.append(tricks)
    if not found:
        return None
    by_outcome: dict[str, list[int]] = {}
    for value in values:
        by_outcome.setdefault(value.outcome.value, []).append(value.tricks)
    possible = {outcome: (min(tricks), max(tricks)) for outcome, tricks in by_outcome.items()}
    return TrickRange(min(found), max(found), len(found), possible)


def best_line(  # noqa: PLR0913 - a contract, and how its exchanges are sampled
    deal: Deal,
    declarer: Role,
    contract: Contract,
    trump: str | None,
    *,
    random: Random,
    wanted: frozenset[Outcome] | None = None,
    samples: int = 12,
    limit: int = NODE_LIMIT,
) -> tuple[CardPosition, Solution] | None:
    """The first sampled exchange with a line of best play; with `wanted`, the first that comes to such an outcome.

    None where no exchange was solved, or none comes to such an outcome. Raises CannotSolveError if the player cannot
    play this contract with these cards.
    """
    for position in sampled_positions(deal, declarer, contract, trump, samples, random):
        if wanted is not None and solve_outcome(position, limit=limit)[0] not in wanted:
            continue
        solution = solve(position, line=True, limit=limit)
        if solution.line:
            return position, solution
    return None


def sampled_positions(
    deal: Deal, declarer: Role, contract: Contract, trump: str | None, samples: int, random: Random
) -> Iterator[CardPosition]:
    """The positions after each sampled exchange; several can be equal."""
    start = _contracted(deal, declarer, contract, trump)
    if start.phase is Phase.PLAY:
        samples = 1
    for _sample in range(samples):
        yield CardPosition.from_state(_exchanged(start, contract, trump, random))


def _contracted(deal: Deal, declarer: Role, contract: Contract, trump: str | None) -> State:
    """The state after this player won the auction with the contract and named trumps."""
    state = deal.start()
    try:
        while state.phase is Phase.AUCTION and not state.over:
            state = state.after(_call(state, declarer, contract))
        while state.phase is Phase.DEFINITION:
            state = state.after(_naming(state, contract, trump))
    except IllegalStep as error:
        raise CannotSolveError(error.problem.code) from error
    if state.over or state.declarer is not declarer or known(state.contract).id != contract.id:
        raise CannotSolveError("this player cannot play this contract here")
    return state


def _call(state: State, declarer: Role, contract: Contract) -> Step:
    """The next call where the declarer bids the contract, or one that may become it, and all others pass.

    Under forced spadille another player may have to bid: the lowest contract, which the declarer outbids if possible.
    """
    role, calls = known(state.to_act), state.legal_calls()
    bids = [step for step in calls if step.act is Act.BID]
    if role is declarer and state.auction.bidder is not declarer:
        by_id = {str(step.value).partition(":")[0]: step for step in reversed(bids)}
        rows = [contract.id, *(row.id for row in state.rulebook.contracts if contract.id in row.may_become)]
        for row in rows:
            if row in by_id:
                return by_id[row]
    passing = Step(role, Act.PASS)
    if passing in calls or role is declarer or not bids:
        return passing
    return min(bids, key=lambda step: state.rulebook.by_id[str(step.value).partition(":")[0]].rank)


def _naming(state: State, contract: Contract, trump: str | None) -> Step:
    role = known(state.to_act)
    if state.ask is Ask.DEFINE:
        return Step(role, Act.DEFINE, contract.id)
    if state.ask is Ask.TRUMP and trump is not None:
        return Step(role, Act.TRUMP, trump)
    return next_step(state)


def _exchanged(state: State, contract: Contract, trump: str | None, random: Random) -> State:
    """The state after all exchanges, without anyone joining a nolo or giving up."""
    while state.phase is not Phase.PLAY:
        if state.over:
            raise CannotSolveError("no card is played in this deal")
        if state.ask in _DISCARDING:
            step = _varied(state, next_step(state), random)
        elif state.ask is Ask.JOIN:
            step = Step(known(state.to_act), Act.NO)
        else:
            step = _naming(state, contract, trump)
        state = state.after(step)
    if state.trump != trump and trump is not None:
        raise CannotSolveError("other trumps are turned up")
    return state


def _varied(state: State, step: Step, random: Random) -> Step:
    """A bot's discard, or one that differs by a card."""
    least, most = state.limits()
    cards = list(step.value or ())
    role = known(state.to_act)
    order = order_of_cards(state)
    kept = sorted(
        (card for card in state.hands[role] if card not in cards and state.ask is not Ask.LAY_OFF),
        key=lambda card: (order.strength[card], card),
    )
    chance = random.random()
    if chance < _MORE and len(cards) < most and kept:
        cards.append(kept[0])
    elif chance < _MORE + _FEWER and len(cards) > least:
        cards.pop()
    elif chance < _MORE + _FEWER + _OTHER and cards and kept:
        cards[-1] = kept[0]
    varied = Step(role, step.act, tuple(cards))
    return varied if state.problem_of(varied) is None else step
