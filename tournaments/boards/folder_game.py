"""A folder played by one person against bots, and the review of a finished game.

Stateless: the person's moves are the whole state, and the bots' moves are computed from them. Moves are text that
can be part of a URL: `bid-simple_game.define-solo.trump-H.SA.H7`.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from scoring.bots import next_step
from scoring.game import Act, Deal, Step
from scoring.game.deal import UnreadableDeal, read_step, write_step
from scoring.game.steps import known
from scoring.seats import ACTIVE, ROLES, Role
from scoring.settlement import IllegalResult
from scoring.solver import CannotSolveError, CardPosition, DealSolver, Solution
from scoring.solver.solving import winners_of
from tournaments.boards.dealing import dealer_seat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scoring.game import State
    from scoring.game.steps import Trick
    from scoring.outcomes import Outcome
    from scoring.problems import Problem
    from scoring.rulebook import Rulebook
    from tournaments.boards.dealing import Folder


# More than any deal has of one player: some calls, an exchange, nine cards.
MOST_MOVES, LONGEST = 60, 1500
_BETWEEN, _WITHIN = ".", "-"


class UnreadableMovesError(ValueError):
    """Text that is not a list of moves."""


class Refused(NamedTuple):
    """A move that the rules do not allow, with the rule that it breaks."""

    step: Step
    problem: Problem


@dataclass(frozen=True, slots=True)
class FolderGame:
    """A game on a folder up to the person's next turn, or to its end.

    - role: the person's seat; None where bots play all seats
    - moves: the person's legal moves so far; refused: the move after them, if it was illegal
    - opening: the state before the first card, None before that and in deals without play
    - since: the number of steps before the person's last move; all later ones are news
    """

    role: Role | None
    state: State
    moves: tuple[Step, ...]
    refused: Refused | None
    opening: State | None
    since: int

    @property
    def is_over(self) -> bool:
        return self.state.over


def deal_of_folder(rulebook: Rulebook, folder: Folder, *, in_pairs: bool = False) -> Deal:
    """The folder as a deal at a table of the size that folders are made for."""
    size = max(rulebook.players)
    seating = rulebook.seating(size, dealer_seat(folder.number, size), in_pairs=in_pairs)
    return Deal(rulebook, seating, {role: folder.hand(role) for role in ACTIVE}, folder.talon)


def seats_to_play(rulebook: Rulebook) -> tuple[Role, ...]:
    """The seats that a person can take: those that are dealt cards, and the fourth player where one may play."""
    size = max(rulebook.players)
    contracts = rulebook.contracts_at(size)
    fourth = any(row.fourth_joins or row.by_fourth for row in contracts)
    return tuple(role for role in ROLES[size] if role is not Role.IDLE or fourth)


def play(deal: Deal, role: Role | None, moves: Sequence[Step] = ()) -> FolderGame:
    """Play a deal: this role by the moves given, all others as bots, up to the role's next turn."""
    state = deal.start()
    opening, refused = None, None
    done = since = 0
    while not state.over:
        if opening is None and state.to_play is not None and not state.turns:
            opening = state
        if state.to_act is role:
            if done == len(moves):
                break
            step = moves[done]
            problem = state.problem_of(step)
            if problem:
                refused = Refused(step, problem)
                break
            since = len(state.steps)
            done += 1
        else:
            step = next_step(state, stops_for_others=role is None)
        state = state.after(step)
    return FolderGame(role, state, tuple(moves[:done]), refused, opening, since)


def write_move(step: Step, rulebook: Rulebook) -> str:
    """Write a move as text, without its seat."""
    return _WITHIN.join(write_step(step, rulebook).split()[1:])


def write_moves(moves: Sequence[Step], rulebook: Rulebook) -> str:
    """Write moves as text."""
    return _BETWEEN.join(write_move(step, rulebook) for step in moves)


def read_moves(text: str, role: Role, rulebook: Rulebook) -> tuple[Step, ...]:
    """Parse the moves of a role; whether they are legal is not checked. Raises UnreadableMovesError."""
    if not text:
        return ()
    parts = text.split(_BETWEEN)
    if len(text) > LONGEST or len(parts) > MOST_MOVES:
        raise UnreadableMovesError("these are more moves than a deal has")
    seat = rulebook.seat_name(role)
    try:
        return tuple(read_step([seat, *part.split(_WITHIN)], rulebook) for part in parts)
    except UnreadableDeal as error:
        raise UnreadableMovesError(str(error)) from error


def may_stop(game: FolderGame) -> bool:
    """Whether the person may end the deal now, because its outcome is clear."""
    role = game.role
    return role is not None and game.state.problem_of(Step(role, Act.STOP)) is None


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
