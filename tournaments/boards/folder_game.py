"""A folder played by one person against bots.

Stateless: the person's moves are the whole state, and the bots' moves are computed from them. Moves are text that
can be part of a URL: `bid-simple_game.define-solo.trump-H.SA.H7`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoring.bots import next_step
from scoring.game import Act, Deal, Step
from scoring.game.deal import UnreadableDeal, read_step, write_step
from scoring.seats import ACTIVE, ROLES, Role
from tournaments.boards.dealing import dealer_seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.game import State
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
