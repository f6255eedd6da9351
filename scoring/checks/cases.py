"""A case: a report together with what the rules make of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from scoring.cards import SPADILLE
from scoring.contracts import FIRST_FIVE
from scoring.outcomes import Outcome
from scoring.problems import Problem, problem
from scoring.results import OPPONENTS
from scoring.seats import ACTIVE, PLAYING, ROLES, WITH_FOURTH, Role

if TYPE_CHECKING:
    from scoring.contracts import Contract
    from scoring.results import DealResult
    from scoring.rulebook import Rulebook

Winner = Role | Literal["OPP"] | None


@dataclass(slots=True)
class Case:
    """A report whose contract and declarer stand: tricks by seat, who plays, and bit by bit outcome and tout.

    `tricks` may know more than was reported: the one count that was left out is what the others leave.
    """

    result: DealResult
    rulebook: Rulebook
    contract: Contract
    declarer: Role
    defenders: tuple[Role, ...]
    players: int
    tricks: dict[Role, int]
    found: list[Problem] = field(default_factory=list)
    outcome: Outcome = Outcome.WASHOUT
    tout: str | None = None
    feats: frozenset[str] = frozenset()
    winners: tuple[Role, ...] = ()

    @property
    def is_game(self) -> bool:
        return self.contract.is_game

    @property
    def gave_up(self) -> bool:
        """Whether nobody played the hand on that was given up."""
        return self.result.abandoned and self.result.takeover is None

    @property
    def first_five_by(self) -> Winner:
        """Who won the first five tricks of a game: as it is said, else as the tricks tell it."""
        if self.result.first_five_by or not self.rulebook.house.tricks_tell_first_five:
            return self.result.first_five_by
        if self.result.five_first == "won":
            return self.declarer
        return self.first_five_by_tricks

    @property
    def first_five_by_tricks(self) -> Winner:
        """Who won the first five tricks as the numbers alone tell: who won all, or plays against one with none."""
        played = self.played
        if not self.is_game or played is None or played < FIRST_FIVE:
            return None
        for role, count in self.tricks.items():
            if count == played:
                return role
        return OPPONENTS if self.tricks.get(self.declarer) == 0 else None

    @property
    def played(self) -> int | None:
        """How many tricks were played: all, unless play stopped; None where that does not say how many."""
        if self.result.claimed_after is not None:
            return self.result.claimed_after
        if not self.stopped:
            return self.rulebook.house.tricks
        all_told = all(role in self.tricks for role in (self.declarer, *self.defenders))
        return sum(self.tricks.values()) if all_told else None

    @property
    def left_open(self) -> bool:
        """Whether tricks were still to come, and everybody's so far are told: then no count stands yet."""
        told = self.stopped and all(role in self.tricks for role in (self.declarer, *self.defenders))
        return (
            self.rulebook.house.stops_when_clear
            and told
            and sum(self.tricks.values()) < self.rulebook.house.tricks
        )

    @property
    def opponents_won_first_five(self) -> bool:
        """Whether an opponent, or both together, won the first five tricks."""
        return self.first_five_by not in (None, self.declarer)

    @property
    def counted_as(self) -> Contract:
        """The contract that is paid for: another one where spadille was turned."""
        other = self.contract.counts_as if self.result.turned == SPADILLE else ""
        return self.rulebook.by_id.get(other, self.contract)

    @property
    def in_game(self) -> int:
        """How many players are in the game: those who play, and one sitting out who settles."""
        fourth_settles = self.contract.by_fourth or self.rulebook.house.idle_settles
        return len((ROLES if fourth_settles else PLAYING)[self.players])

    @property
    def stopped(self) -> bool:
        """Whether play stopped early: then tricks that were not played are missing."""
        return self.result.played_out is False

    def blame(self, code: str, **params: Any) -> None:
        self.found.append(problem(code, self.rulebook.id, **params))


def make_case(result: DealResult, players: int, rulebook: Rulebook) -> Case | list[Problem]:
    """The case, or what is wrong with contract or declarer, without which nothing else can be said."""
    name, declarer = result.contract, result.declarer
    if not name:
        return [problem("contract_missing", rulebook.id)]
    contract = rulebook.by_id.get(name)
    if contract is None:
        code = "contract_not_agreed" if name in rulebook.known_contracts else "contract_unknown"
        return [problem(code, rulebook.id, contract=name)]
    if contract.by_fourth and players not in WITH_FOURTH:
        return [problem("contract_needs_four", rulebook.id, contract=name)]
    if declarer is None:
        return [problem("declarer_missing", rulebook.id)]
    if declarer not in contract.declarers_at(players):
        code = _refused_declarer(contract, declarer, players)
        return [problem(code, rulebook.id, contract=name, seat=declarer)]
    result = _with_fouling_fourth(result, contract, players)
    fourth_plays = contract.by_fourth or (Role.IDLE in result.joined and not result.idle_abandoned)
    if result.takeover in PLAYING[players]:
        declarer = result.takeover
    defenders = _defenders(declarer, players, fourth_plays)
    if contract.all_join and result.foul is None:
        result = result._replace(joined=defenders)
    return Case(result, rulebook, contract, declarer, defenders, players, dict(result.tricks))


def _with_fouling_fourth(result: DealResult, contract: Contract, players: int) -> DealResult:
    """The report, with the fourth player among those who joined a nolo where it tells of his foul: he had to."""
    must = contract.fourth_joins and players in WITH_FOURTH and result.foul is Role.IDLE
    if not must or Role.IDLE in result.joined:
        return result
    return result._replace(joined=(*result.joined, Role.IDLE))


def _refused_declarer(contract: Contract, declarer: Role, players: int) -> str:
    if contract.by_fourth:
        return "declarer_not_fourth"
    if contract.by_forehand and declarer in PLAYING[players]:
        return "declarer_not_forehand"
    if contract.by_last and declarer in PLAYING[players]:
        return "declarer_not_last"
    return "declarer_sits_out"


@cache
def _defenders(declarer: Role, players: int, fourth_plays: bool) -> tuple[Role, ...]:
    """Who holds cards beside the declarer, those who joined a nolo included."""
    hands = ROLES[4] if fourth_plays else PLAYING[players]
    return tuple(role for role in hands if role is not declarer)


@cache
def may_join(contract: Contract, declarer: Role, players: int) -> tuple[Role, ...]:
    """Who may become a declarer of this nolo beside the declarer; the fourth player, where he may, must."""
    fourth = (Role.IDLE,) if contract.fourth_joins and players in WITH_FOURTH else ()
    others = ACTIVE if contract.others_may_join or contract.all_join else ()
    return tuple(role for role in (*others, *fourth) if role is not declarer)
