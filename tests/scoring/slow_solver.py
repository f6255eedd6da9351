"""A second, slower solver of whole deals, written apart from the first: minimax with a memory of tricks played.

It shares the rules of a trick and the settlement with the engine, and nothing with `scoring.solver.search`: cards are
strings, a result is the settled report, and no trick is foreseen. Of cards next to each other in one hand only the
lowest is tried.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from scoring.game.steps import legal_cards, trick_winner
from scoring.outcomes import Outcome
from scoring.results import DealResult
from scoring.seats import Seating
from scoring.settlement import settle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.solver import CardPosition

Hands = tuple[tuple[str, ...], ...]
GOOD = (Outcome.KODILLE, Outcome.LOST, Outcome.BETE, Outcome.REMISE, Outcome.WON, Outcome.VOLE)


class SlowSolver:
    """The outcome of a position with best play, for rules in which the order of the tricks does not matter."""

    def __init__(self, position: CardPosition) -> None:
        self.position = position
        self.order, self.playing = position.order, position.playing
        self.literal = position.rulebook.house.literal_matador_privilege
        self.mine = {self.playing.index(position.declarer)}
        if position.partner is not None:
            self.mine.add(self.playing.index(position.partner))
        dealt = sorted(
            (card for hand in position.hands.values() for card in hand),
            key=lambda card: (self.order.suit[card], self.order.strength[card]),
        )
        # A number for its suit and whether it is a matador: with its owner's added, all that is asked of a card here.
        suits = sorted(set(self.order.suit.values()))
        self.dealt = [
            (card, 16 * suits.index(self.order.suit[card]) + 8 * (card in self.order.matadors))
            for card in dealt
        ]
        self.known: dict[tuple[object, ...], bool] = {}
        self.seen: dict[tuple[Hands, int, tuple[int, ...]], bool] = {}
        # Legal cards, and the hand without each.
        self.legal: dict[tuple[str | None, tuple[str, ...]], dict[str, tuple[str, ...]]] = {}
        self.winners: dict[tuple[tuple[int, str], ...], int] = {}
        self.results: dict[tuple[int, ...], int] = {}

    def outcome(self) -> Outcome:
        """The best outcome that the declarer's side can force."""
        hands = tuple(tuple(self.position.hands[role]) for role in self.playing)
        won = tuple(self.position.winners.count(role) for role in self.playing)
        leader = self.playing.index(self.position.to_play)
        reachable = sorted({self.worth(tricks) for tricks in self.sharings(won)})
        best = reachable[0]
        for least in reachable[1:]:
            self.known.clear()
            self.seen.clear()
            if not self.lead(hands, leader, won, least):
                break
            best = least
        return GOOD[best]

    def sharings(self, won: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Every way in which the players can share the tricks in the end."""
        left = len(self.position.hands[self.playing[0]])
        for more in product(range(left + 1), repeat=len(self.playing)):
            if sum(more) == left:
                yield tuple(tricks + some for tricks, some in zip(won, more, strict=True))

    def worth(self, won: tuple[int, ...]) -> int:
        """The number of the outcome of a deal with these tricks, in the order of GOOD."""
        if won not in self.results:
            position = self.position
            report = DealResult(
                contract=position.contract.id,
                declarer=position.declarer,
                trump=position.trump,
                tricks=tuple(zip(self.playing, won, strict=True)),
                played_out=True,
            )
            seating = Seating(position.players, position.players - 1)
            self.results[won] = GOOD.index(Outcome(settle(report, seating, position.rulebook).outcome))
        return self.results[won]

    def lead(self, hands: Hands, leader: int, won: tuple[int, ...], least: int) -> bool:
        """Whether the declarer's side can force an outcome of at least this number, when a trick begins."""
        if not hands[leader]:
            return self.worth(won) >= least
        same = hands, leader, won
        if same not in self.seen:
            self.seen[same] = self.led(hands, leader, won, least)
        return self.seen[same]

    def led(self, hands: Hands, leader: int, won: tuple[int, ...], least: int) -> bool:
        """The same, looked for among positions that differ only in cards next to each other."""
        owner = {card: player for player, hand in enumerate(hands) for card in hand}
        left = [(card, kind + owner[card]) for card, kind in self.dealt if card in owner]
        key = bytes([kind for _card, kind in left]), leader, won
        if key not in self.known:
            self.known[key] = self.play(hands, leader, won, (), self.apart(left, owner), least)
        return self.known[key]

    def play(
        self,
        hands: Hands,
        player: int,
        won: tuple[int, ...],
        trick: tuple[tuple[int, str], ...],
        apart: list[list[str]],
        least: int,
    ) -> bool:
        """The same in the middle of a trick, when this player plays a card."""
        is_mine = player in self.mine
        led = trick[0][1] if trick else None
        asked = led, hands[player]
        if asked not in self.legal:
            self.legal[asked] = {
                card: tuple(held for held in hands[player] if held != card)
                for card in legal_cards(self.order, led, hands[player], literal=self.literal)
            }
        legal = self.legal[asked]
        for card in apart[player]:
            without = legal.get(card)
            if without is None:
                continue
            rest = (*hands[:player], without, *hands[player + 1 :])
            table = (*trick, (player, card))
            if len(table) < len(self.playing):
                reached = self.play(rest, (player + 1) % len(self.playing), won, table, apart, least)
            else:
                if table not in self.winners:
                    cards = [played for _player, played in table]
                    self.winners[table] = table[trick_winner(self.order, cards)][0]
                winner = self.winners[table]
                more = (*won[:winner], won[winner] + 1, *won[winner + 1 :])
                reached = self.lead(rest, winner, more, least)
            if reached is is_mine:
                return is_mine
        return not is_mine

    def apart(self, left: list[tuple[str, int]], owner: dict[str, int]) -> list[list[str]]:
        """Each player's cards without those that equal the one below: no card of another player is between them."""
        chosen: list[list[str]] = [[] for _role in self.playing]
        below = -1
        for card, here in left:
            if here != below:
                chosen[owner[card]].append(card)
            below = here
        return chosen


def slow_outcome(position: CardPosition) -> Outcome:
    """The outcome of a position with best play by everybody."""
    return SlowSolver(position).outcome()
