"""Review of a finished game on a folder: the solver's line, and the person's cards that changed the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from scoring.game import Act
from scoring.game.steps import known
from scoring.settlement import IllegalResult
from scoring.solver import CannotSolveError, CardPosition, DealSolver, Solution
from scoring.solver.solving import winners_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scoring.game import State
    from scoring.game.steps import Trick
    from scoring.outcomes import Outcome
    from scoring.seats import Role
    from tournaments.boards.folder_game import FolderGame

# All of 72 folders were solved within 200,000 cards tried, 0.3 s of one core. After `SECONDS` no position is begun.
NODES, SECONDS = 400_000, 0.4


class Slip(NamedTuple):
    """A card after which best play has another outcome than before it; `better` is one that preserves it."""

    trick: int
    card: str
    better: str
    before: Outcome
    after: Outcome


@dataclass(frozen=True, slots=True)
class Review:
    """Best play from the first card on, with all cards known.

    - solution: None if nothing was played; without a line if the search was ended early
    - tricks: the line by tricks, with the winner of each
    - slips: the person's cards that changed the outcome; `is_whole`: False if time ran out before all were checked
    """

    solution: Solution | None = None
    tricks: tuple[tuple[Trick, Role], ...] = ()
    slips: tuple[Slip, ...] = ()
    is_whole: bool = True


def review(game: FolderGame, *, clock: Callable[[], float] = thread_time) -> Review:
    """Compare a finished game with best play; it stops after `SECONDS` of processor time."""
    if game.opening is None:
        return Review()
    until = clock() + SECONDS
    position = CardPosition.from_state(game.opening)
    try:
        solver = DealSolver(position)
        solution = solver.solve(position, line=True, limit=NODES)
    except (CannotSolveError, IllegalResult):
        return Review()
    tricks = tuple(_by_tricks(position, solution.line))
    slips: list[Slip] = []
    for number, state, card in _own_cards(game):
        if clock() > until:
            return Review(solution, tricks, tuple(slips), is_whole=False)
        slip = _slip(solver, number, state, card)
        if slip:
            slips.append(slip)
    return Review(solution, tricks, tuple(slips))


def _by_tricks(position: CardPosition, line: Trick) -> Iterator[tuple[Trick, Role]]:
    size = len(position.playing)
    for place, winner in enumerate(winners_of(position, line)):
        yield line[place * size : (place + 1) * size], winner


def _own_cards(game: FolderGame) -> Iterator[tuple[int, State, str]]:
    """The person's choices in play: trick, state before the card, card.

    None for a player who joined a nolo: the solver's result is the first declarer's.
    """
    state = known(game.opening)
    for step in game.state.steps[len(state.steps) :]:
        chooses = step.role is game.role and step.role not in state.joined and len(state.legal_cards()) > 1
        if step.act is Act.PLAY and chooses:
            yield len(state.tricks) + 1, state, str(step.value)
        state = state.after(step)


def _slip(solver: DealSolver, number: int, state: State, card: str) -> Slip | None:
    """The mistake that a card was, if any, as far as the solver can find within its limit."""
    played = next(step for step in state.legal_steps() if step.act is Act.PLAY and step.value == card)
    after_card = state.after(played)
    if after_card.over:
        return None
    position = CardPosition.from_state(state)
    before, exact = solver.solve_outcome(position, limit=NODES)
    after, is_exact = solver.solve_outcome(CardPosition.from_state(after_card), limit=NODES)
    if before is after or not (exact and is_exact):
        return None
    each = solver.solve(position, cards=True, limit=NODES).cards
    better = next((other for other, value in each.items() if value.outcome is before), None)
    return Slip(number, card, better, before, after) if better else None
