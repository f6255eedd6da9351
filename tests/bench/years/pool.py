"""Deals that bots have played, to be dealt out to tables: results as a captain reports them, settled by the engine.

Each is played once and used wherever the same kind of table meets. A *pattern* says who of the table plays as well as
a bot can, and who now and then does any legal thing: so those who are strong more often come out better. Where the
rules have no pool every deal is a unit of its own, by the position that deals; where they have one, what lies in it
goes from deal to deal, and a unit is all that a table plays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from scoring.bots import next_step, play_deal, play_round
from scoring.game import Deal, State, Step
from scoring.results import DealResult
from scoring.seats import ACTIVE, Role, Seating
from tests.scoring.bots.rash import any_step
from tournaments.boards.dealing import deal_folder
from tournaments.demo.play import in_short, playing
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.submissions import Judged, judge
from tournaments.models import Round, Table, Tournament

# How many deals there are of each pattern and dealer, ways to play a board, and rounds of each pattern with a pool.
DEALS, WAYS, ROUNDS = 24, 2, 2
# How often a weak player plays any card, and calls anything.
RASH_CARD, RASH_CALL = 0.25, 0.02
Pattern = tuple[bool, ...]


class Told(NamedTuple):
    """A deal as it is reported, and what the rules say of it."""

    dealer: int
    judged: Judged


class Pool:
    """The deals of one kind of table: rules, players, whether partners sit opposite each other."""

    def __init__(
        self,
        tournament: Tournament,
        players: int,
        seed: int,
        variety: int = DEALS,
        *,
        strengths: bool = False,
    ) -> None:
        """`tournament` has the rules; nothing of it is stored. `variety`: deals of each pattern and dealer.

        With `strengths` the weak slip as those of the demo do, in what they bid too; else they do any legal thing.
        """
        self.players_of = _of_strengths if strengths else _players
        self.rulebook = rulebook_of(tournament)
        self.players = players
        self.seed = seed
        self.variety = variety
        self.in_pairs = tournament.hands_taken_over
        self.table = Table(round=Round(tournament=tournament, number=1), number=1, deals=80)
        self.names = [chr(ord("A") + position) for position in range(players)]
        self.whole = self.rulebook.pool is not None
        self._kept: dict[tuple[object, ...], Any] = {}

    def dealt(
        self,
        skills: Sequence[float],
        deals: int,
        random: Random,
        folders: Sequence[int] = (),
        cards: str = "",
    ) -> list[Told]:
        """What a table of these players plays; with boards, these `folders` of those that the seed `cards` deals."""
        if self.whole:
            pattern = tuple(random.random() < skill for skill in skills)
            return self._kept_as(self._round, pattern, deals, random.randrange(ROUNDS))
        told = []
        for index in range(deals):
            dealer = index % self.players
            pattern = self._pattern(skills, dealer, random)
            if cards:
                asked = pattern, dealer, cards, folders[index], random.randrange(WAYS)
                told.append(self._kept_as(self._on_board, *asked))
            else:
                told.append(self._kept_as(self._deal, pattern, dealer, random.randrange(self.variety)))
        return told

    def _pattern(self, skills: Sequence[float], dealer: int, random: Random) -> Pattern:
        """Who plays well in a deal; whoever sits out plays as well as any, but where they may take a hand over."""
        out = None if self.in_pairs else self._seating(dealer).sits_out
        return tuple(position == out or random.random() < skill for position, skill in enumerate(skills))

    def _kept_as(self, play: Callable[..., Any], *asked: object) -> Any:
        """What has been played once, or is played now: the same is the same, whatever was asked for before."""
        key = play.__name__, *asked
        if key not in self._kept:
            self._kept[key] = play(*asked, Random(f"{self.seed} {self.rulebook.id} {self.players} {key}"))
        return self._kept[key]

    def _deal(self, pattern: Pattern, dealer: int, _which: int, random: Random) -> Told:
        seating = self._seating(dealer)
        state = play_deal(self.rulebook, seating, random.randrange(2**32), self.players_of(pattern, random))
        return self._told(state.result(), seating)

    def _on_board(
        self, pattern: Pattern, dealer: int, cards: str, folder: int, _which: int, random: Random
    ) -> Told:
        seating = self._seating(dealer)
        lies = deal_folder(cards, folder)
        choose = self.players_of(pattern, random)
        hands = dict(zip(ACTIVE, lies.hands, strict=True))
        state = Deal(self.rulebook, seating, hands, lies.talon).start()
        while not state.over:
            state = state.after(choose(state))
        return self._told(state.result(), seating)

    def _round(self, pattern: Pattern, deals: int, _which: int, random: Random) -> list[Told]:
        choose = self.players_of(pattern, random)
        played = play_round(
            self.rulebook, self.players, deals, random.randrange(2**32), choose=choose, in_pairs=self.in_pairs
        )
        return [self._told(one.result, one.state.table.seating) for one in played]

    def _seating(self, dealer: int) -> Seating:
        return Seating(self.players, dealer, self.in_pairs)

    def _told(self, result: DealResult, seating: Seating) -> Told:
        said = in_short(result, seating, self.rulebook).to_json(seating)
        # The first deal that this position deals: the others are settled alike.
        return Told(seating.dealer, judge(self.table, self.rulebook, self.names, seating.dealer + 1, said))


def _of_strengths(pattern: Pattern, random: Random) -> Callable[[State], Step]:
    """What each does in their turn: the positions of the pattern never slip, the others as often as anybody does."""
    return playing([float(is_good) for is_good in pattern], random)


def _players(pattern: Pattern, random: Random) -> Callable[[State], Step]:
    """What each does in their turn: the positions of the pattern as bots do, the others now and then anything."""

    def choose(state: State) -> Step:
        role: Role = state.to_act
        if pattern[state.table.seating.positions.get(role, 0)]:
            return next_step(state)
        rash = RASH_CARD if state.legal_cards() else RASH_CALL
        return any_step(state, random) if random.random() < rash else next_step(state)

    return choose
