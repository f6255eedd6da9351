"""Solving a position: the outcome with best play by all players, all cards known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.cards import CardOrder, Cards, Kind, card_order
from scoring.game.play import in_play
from scoring.game.steps import known, legal_cards, trick_winner
from scoring.solver.levels import Play, Value, estuches_in, levels_of, tokens_by_value, tokens_of
from scoring.solver.search import TALLY_BITS, NodeLimitError, Search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.game import State
    from scoring.game.steps import Trick
    from scoring.outcomes import Outcome
    from scoring.rulebook import Contract, Rulebook
    from scoring.seats import Role


# Some three seconds of one core; nine of ten deals need a fiftieth of it.
NODE_LIMIT = 2_000_000


class CannotSolveError(ValueError):
    """A position that the rulebook does not allow; the message says what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPosition:
    """A deal while its cards are played, with all hands open.

    - hands: what everybody who plays still holds; trick: the cards on the table, the lead first
    - winners: who won each trick so far; to_play: whose turn it is
    - playing: who plays cards, in the order of play
    - partner: who plays with the declarer; joined: who became a declarer of the nolo too. Each declarer of a nolo plays
      for himself: what `solve` says is what the declarer can force against all others.
    """

    rulebook: Rulebook
    players: int
    contract: Contract
    declarer: Role
    trump: str | None
    hands: Mapping[Role, Cards]
    playing: tuple[Role, ...]
    to_play: Role
    trick: Trick = ()
    winners: tuple[Role, ...] = ()
    partner: Role | None = None
    joined: tuple[Role, ...] = ()
    opening: Mapping[Role, Cards] = field(default_factory=dict)

    @classmethod
    def from_state(cls, state: State) -> CardPosition:
        """The position of a deal whose cards are being played. Raises CannotSolveError for any other."""
        if state.to_play is None or state.over:
            raise CannotSolveError("no card is to be played")
        partner = next(
            (role for role, hand in state.table.hands.items() if state.king and state.king in hand), None
        )
        return cls(
            rulebook=state.rulebook,
            players=state.table.seating.players,
            contract=known(state.contract),
            declarer=known(state.declarer),
            trump=state.trump,
            hands={role: state.hands[role] for role in in_play(state)},
            playing=in_play(state),
            to_play=state.to_play,
            trick=state.trick,
            winners=state.winners,
            partner=partner if partner is not state.declarer else None,
            joined=state.joined,
            opening=state.opening,
        )

    @property
    def order(self) -> CardOrder:
        """The rank of the cards."""
        kind = self.contract.kind
        if self.trump:
            kind = Kind.TRUMP
        elif kind is Kind.TRUMP:
            kind = Kind.GRAND
        return card_order(kind, self.trump, self.rulebook.pack.ranking)

    @property
    def legal(self) -> Cards:
        """The cards that may be played now."""
        led = self.trick[0][1] if self.trick else None
        literal = self.rulebook.house.literal_matador_privilege
        return legal_cards(self.order, led, self.hands[self.to_play], literal=literal)


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The result of best play.

    - outcome, tricks: the declarer's
    - tokens: the declarer's, without a tout; None if a report would need further fields
    - exact: False if the limit was reached; then the outcome is the best one proven so far
    - line: one line of best play, as (role, card); empty if not requested or the limit was reached
    - cards: legal card -> the value of best play after it
    """

    outcome: Outcome
    tricks: int
    tokens: int | None
    exact: bool
    line: Trick = ()
    cards: Mapping[str, Value] = field(default_factory=dict)


def solve(
    position: CardPosition, *, line: bool = False, cards: bool = False, limit: int = NODE_LIMIT
) -> Solution:
    """The outcome with best play by everybody; the defenders play together.

    First the outcome counts, then the declarer's tricks: many in a game, few in a nolo. No tout is called. `limit`: the
    number of cards to be tried at most. Raises CannotSolveError, IllegalResult.
    """
    return DealSolver(position).solve(position, line=line, cards=cards, limit=limit)


def solve_outcome(position: CardPosition, *, limit: int = NODE_LIMIT) -> tuple[Outcome, bool]:
    """The outcome alone, a few times faster than `solve`, and whether it is exact.

    Raises CannotSolveError, IllegalResult.
    """
    return DealSolver(position).solve_outcome(position, limit=limit)


class DealSolver:
    """Solves a position and those that follow from it, as `solve` and `solve_outcome` do; what is proven is shared.

    Raises CannotSolveError, IllegalResult.
    """

    def __init__(self, position: CardPosition) -> None:
        self._solver = _Solver(position)

    def solve(
        self, position: CardPosition, *, line: bool = False, cards: bool = False, limit: int = NODE_LIMIT
    ) -> Solution:
        self._solver.move_to(position, limit)
        return _solution(self._solver, line=line, cards=cards)

    def solve_outcome(self, position: CardPosition, *, limit: int = NODE_LIMIT) -> tuple[Outcome, bool]:
        self._solver.move_to(position, limit)
        level, exact = self._solver.outcome_level()
        return self._solver.values[level].outcome, exact


def _solution(solver: _Solver, *, line: bool, cards: bool) -> Solution:
    level, exact = solver.value()
    value = solver.values[level]
    if not exact:
        return Solution(outcome=value.outcome, tricks=value.tricks, tokens=None, exact=False)
    tokens = None if line else tokens_by_value(solver.play).get(value)
    try:
        best = solver.line(level) if tokens is None else ()
        each = solver.each_card() if cards else {}
    except NodeLimitError:
        return Solution(outcome=value.outcome, tricks=value.tricks, tokens=None, exact=True)
    if tokens is None:
        tokens = tokens_of(solver.play, winners_of(solver.position, best))
    return Solution(
        outcome=value.outcome,
        tricks=value.tricks,
        tokens=tokens,
        exact=True,
        line=best if line else (),
        cards=each,
    )


def winners_of(position: CardPosition, cards: Trick) -> tuple[Role, ...]:
    """The winner of each trick if these cards are played from this position."""
    winners, trick = position.winners, position.trick
    for played in cards:
        trick = (*trick, played)
        if len(trick) == len(position.playing):
            winners = (*winners, trick[trick_winner(position.order, [card for _role, card in trick])][0])
            trick = ()
    return winners


class _Solver:
    """The search over one deal, the position in it that is looked at, and the values of its levels."""

    def __init__(self, position: CardPosition) -> None:
        _check(position)
        self.position = position
        playing = position.playing
        self.play = play_in(position)
        self.values, levels = levels_of(self.play)
        self.search = Search(
            position.order,
            [position.hands[role] for role in playing],
            frozenset(playing.index(role) for role in self.play.side),
            levels,
            trick=[(playing.index(role), card) for role, card in position.trick],
            avoids_tricks=not position.contract.is_game,
            literal=position.rulebook.house.literal_matador_privilege,
        )
        self.tally = 0

    def move_to(self, position: CardPosition, limit: int) -> None:
        """Look at this position, which follows from the first one; `limit`: the cards to be tried from here at most."""
        _check(position)
        self.position = position
        self.search.start([position.hands[role] for role in position.playing], limit)
        self.tally = 0
        for role in position.winners:
            self.tally = self._with_trick(self.tally, role)

    def _with_trick(self, tally: int, winner: Role) -> int:
        tally += 1 + (1 << TALLY_BITS * (self.position.playing.index(winner) + 1))
        return tally + self.search.marks.get(tally, 0)

    def reaches(self, level: int) -> bool:
        return self._reaches(level, self.position.to_play, self.position.trick, self.tally)

    def _reaches(self, level: int, role: Role, trick: Trick, tally: int) -> bool:
        """Whether a value of this level can be forced when it is this role's turn."""
        player = self.position.playing.index(role)
        if not trick:
            return self.search.reaches(level, player, tally)
        played = tuple(self.search.bit[card] for _role, card in trick)
        return self.search.reaches_in_trick(level, player, played, tally)

    def outcome_level(self) -> tuple[int, bool]:
        """The lowest level of the outcome that can be forced, and whether nothing better can be."""
        level = 0
        least, most = self.search.bounds[self.tally]
        level = self._first_of(least)
        try:
            for better in self._outcome_starts():
                if level < better <= most and not self.reaches(better):
                    return level, True
                level = max(level, better if better <= most else level)
        except NodeLimitError:
            return level, False
        return level, True

    def _outcome_starts(self) -> list[int]:
        """The first level of each outcome."""
        return [level for level in range(len(self.values)) if self._first_of(level) == level]

    def _first_of(self, level: int) -> int:
        while level and self.values[level - 1].outcome is self.values[level].outcome:
            level -= 1
        return level

    def value(self) -> tuple[int, bool]:
        """The highest level that can be forced, and whether it is exact."""
        level, exact = self.outcome_level()
        least, most = self.search.bounds[self.tally]
        level = max(level, least)
        if not exact:
            return level, False
        while self.values[most].outcome is not self.values[level].outcome:
            most -= 1
        try:
            while level < most:
                middle = (level + most + 1) // 2
                if self.reaches(middle):
                    level = middle
                else:
                    most = middle - 1
        except NodeLimitError:
            return level, False
        return level, True

    def line(self, level: int) -> Trick:
        """One line of best play by all; `level` is the value. Raises NodeLimitError."""
        search, position = self.search, self.position
        hands, role, trick, tally = dict(position.hands), position.to_play, position.trick, self.tally
        line: Trick = ()
        before = list(search.hands)
        try:
            while any(hands.values()):
                card, after = self._best_card(level, role, hands[role], trick, tally)
                hands[role] = tuple(held for held in hands[role] if held != card)
                line = (*line, (role, card))
                search.hands[position.playing.index(role)] ^= search.bit[card]
                role, trick, tally = after
        finally:
            search.hands[:] = before
        return line

    def _best_card(
        self, level: int, role: Role, hand: Cards, trick: Trick, tally: int
    ) -> tuple[str, tuple[Role, Trick, int]]:
        ours = role in self.play.side
        legal = self._legal(hand, trick)
        for card in legal[:-1]:
            # A card is as good as any if ours keep the value with it, or the others let no better one arise.
            if self._after(level if ours else level + 1, role, card, trick, tally) is ours:
                return card, self._next(role, card, trick, tally)
        return legal[-1], self._next(role, legal[-1], trick, tally)

    def _legal(self, hand: Cards, trick: Trick) -> Cards:
        led = trick[0][1] if trick else None
        literal = self.position.rulebook.house.literal_matador_privilege
        legal = legal_cards(self.position.order, led, hand, literal=literal)
        return tuple(sorted(legal, key=self.search.cards.index))

    def _next(self, role: Role, card: str, trick: Trick, tally: int) -> tuple[Role, Trick, int]:
        """The player to play after a card, the trick, and the tally."""
        playing = self.position.playing
        trick = (*trick, (role, card))
        if len(trick) < len(playing):
            return playing[(playing.index(role) + 1) % len(playing)], trick, tally
        winner = trick[trick_winner(self.position.order, [played for _role, played in trick])][0]
        return winner, (), self._with_trick(tally, winner)

    def _after(self, level: int, role: Role, card: str, trick: Trick, tally: int) -> bool:
        """Whether the level can still be forced after this card."""
        player, bit = self.position.playing.index(role), self.search.bit[card]
        self.search.hands[player] ^= bit
        try:
            return self._reaches(level, *self._next(role, card, trick, tally))
        finally:
            self.search.hands[player] |= bit

    def each_card(self) -> dict[str, Value]:
        """The value of each legal card. Raises NodeLimitError."""
        role, trick = self.position.to_play, self.position.trick
        found = {}
        for card in self.position.legal:
            least, most = 0, len(self.values) - 1
            while least < most:
                middle = (least + most + 1) // 2
                if self._after(middle, role, card, trick, self.tally):
                    least = middle
                else:
                    most = middle - 1
            found[card] = self.values[least]
        return found


def play_in(position: CardPosition) -> Play:
    """The contract and players of a position, which determine the worth of tricks."""
    declarer, rulebook = position.declarer, position.rulebook
    opening = position.opening.get(declarer, position.hands[declarer])
    return Play(
        rulebook=rulebook,
        players=position.players,
        contract=position.contract,
        declarer=declarer,
        trump=position.trump,
        playing=position.playing,
        partner=position.partner,
        joined=position.joined,
        estuches=estuches_in(rulebook, position.trump, opening),
    )


def _check(position: CardPosition) -> None:
    """Validate a position. Raises CannotSolveError."""
    rulebook, contract = position.rulebook, position.contract
    cards = [card for hand in position.hands.values() for card in hand] + [
        card for _role, card in position.trick
    ]
    if set(position.hands) != set(position.playing):
        raise CannotSolveError(f"hands are those of {', '.join(map(rulebook.seat_name, position.playing))}")
    if position.declarer not in position.hands:
        raise CannotSolveError(
            f"{rulebook.seat_name(position.declarer)} plays no cards, and cannot be the declarer"
        )
    if len(set(cards)) < len(cards) or not set(cards) <= set(rulebook.pack.cards):
        raise CannotSolveError("each card of the pack can be held once")
    left = rulebook.house.tricks - len(position.winners)
    played = {role for role, _card in position.trick}
    for role, hand in position.hands.items():
        if len(hand) != left - (role in played):
            raise CannotSolveError(
                f"{rulebook.seat_name(role)} holds {len(hand)} cards, not {left - (role in played)}"
            )
    if position.trump is None and contract.suits and not contract.or_sans:
        raise CannotSolveError(f"{contract.id} is played with a trump suit")
    if contract.with_partner and position.partner is None:
        raise CannotSolveError(f"{contract.id} is played with a partner")
