"""A report with what the rules derive from it (`Case`), and how each family of games judges its outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scoring.cards import SPADILLE
from scoring.family_rules import (
    CrocodileRules,
    FiveRules,
    HouseRules,
    IntroRules,
    LHombreRules,
    RenegadoRules,
    TwoRules,
    WinnersRules,
)
from scoring.outcomes import (
    ANY_OUTCOME,
    BY_NAME,
    Outcome,
    completions,
    contrabola_outcome,
    crocodile_game,
    crocodile_nolo,
    eight_tricks_judge,
    intro_judge,
    lhombre_judge,
    nolo_judge,
    nolo_outcome,
    possible_outcomes,
    renegado_judge,
)
from scoring.problems import Problem, problem
from scoring.results import OPPONENTS
from scoring.rulebook import FIRST_FIVE
from scoring.seats import ACTIVE, PLAYING, ROLES, WITH_FOURTH, Role, from_the_right_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.outcomes import Judge
    from scoring.results import DealResult
    from scoring.rulebook import Contract, Rulebook


Winner = Role | Literal["OPP"] | None


@dataclass(slots=True)
class Case:
    """A report with a valid contract and declarer, and what `checks` derive from it.

    - defenders: everyone else who holds cards, players who joined a nolo included
    - tricks: by role; a single count that the report leaves out is filled in by `check_tricks`
    - problems: problems and warnings so far
    - outcome, tout, feats, winners: set by the checks; feats are Crocodile's bonuses that were made
    """

    result: DealResult
    rulebook: Rulebook
    contract: Contract
    declarer: Role
    defenders: tuple[Role, ...]
    players: int
    tricks: dict[Role, int]
    problems: list[Problem] = field(default_factory=list)
    outcome: Outcome = Outcome.WASHOUT
    tout: str | None = None
    feats: frozenset[str] = frozenset()
    winners: tuple[Role, ...] = ()

    @property
    def is_game(self) -> bool:
        """Whether the contract is won by taking tricks."""
        return self.contract.is_game

    @property
    def gave_up(self) -> bool:
        """Whether the declarer gave up, and no opponent took the contract over."""
        return self.result.abandoned and self.result.takeover is None

    @property
    def first_five_by(self) -> Winner:
        """The winner of the first five tricks of a game: as reported, else derived from the tricks; None if unknown."""
        if self.result.first_five_by or not self.rulebook.house.tricks_tell_first_five:
            return self.result.first_five_by
        if self.result.five_first == "won":
            return self.declarer
        return self.first_five_by_tricks

    @property
    def first_five_by_tricks(self) -> Winner:
        """The winner of the first five tricks if the numbers of tricks prove it, else None.

        It is the player who won all tricks played, or the opponents together where the declarer won none.
        """
        played = self.tricks_played
        if not self.is_game or played is None or played < FIRST_FIVE:
            return None
        for role, count in self.tricks.items():
            if count == played:
                return role
        return OPPONENTS if self.tricks.get(self.declarer) == 0 else None

    @property
    def tricks_played(self) -> int | None:
        """The number of tricks played: all of the deal unless play stopped; None if the report does not say."""
        if self.result.claimed_after is not None:
            return self.result.claimed_after
        if not self.stopped:
            return self.rulebook.house.tricks
        all_known = all(role in self.tricks for role in (self.declarer, *self.defenders))
        return sum(self.tricks.values()) if all_known else None

    @property
    def left_open(self) -> bool:
        """Whether play stopped with tricks to come and all counts so far known, so that each count may still grow."""
        all_known = self.stopped and all(role in self.tricks for role in (self.declarer, *self.defenders))
        return (
            self.rulebook.house.stops_when_clear
            and all_known
            and sum(self.tricks.values()) < self.rulebook.house.tricks
        )

    @property
    def opponents_won_first_five(self) -> bool:
        """Whether an opponent, or both together, won the first five tricks."""
        return self.first_five_by not in (None, self.declarer)

    @property
    def counted_as(self) -> Contract:
        """The contract that is priced: `counts_as` of the one played, if spadille was turned."""
        other = self.contract.counts_as if self.result.turned == SPADILLE else ""
        return self.rulebook.by_id.get(other, self.contract)

    @property
    def in_game(self) -> int:
        """The number of players who settle: all who play, and one sitting out where the rules say so."""
        fourth_settles = self.contract.by_fourth or self.rulebook.house.idle_settles
        return len((ROLES if fourth_settles else PLAYING)[self.players])

    @property
    def stopped(self) -> bool:
        """Whether play stopped before the last trick, so that the counts may add up to fewer than all."""
        return self.result.played_out is False

    def blame(self, code: str, **params: Any) -> None:
        """Add the problem of this code."""
        self.problems.append(problem(code, self.rulebook.id, **params))


def make_case(result: DealResult, players: int, rulebook: Rulebook) -> Case | list[Problem]:
    """The case of a report, or the problems of its contract or declarer, without which nothing else can be checked."""
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
    """The report, with the fourth player in `joined` if they fouled the exchange of a contract that they must join."""
    must = contract.fourth_joins and players in WITH_FOURTH and result.foul is Role.IDLE
    if not must or Role.IDLE in result.joined:
        return result
    return result._replace(joined=(*result.joined, Role.IDLE))


def _refused_declarer(contract: Contract, declarer: Role, players: int) -> str:
    """The code of the problem that this role cannot declare the contract."""
    if contract.by_fourth:
        return "declarer_not_fourth"
    if contract.by_forehand and declarer in PLAYING[players]:
        return "declarer_not_forehand"
    if contract.by_last and declarer in PLAYING[players]:
        return "declarer_not_last"
    return "declarer_sits_out"


@cache
def _defenders(declarer: Role, players: int, fourth_plays: bool) -> tuple[Role, ...]:
    """Everyone but the declarer who holds cards, players who joined a nolo included."""
    hands = ROLES[4] if fourth_plays else PLAYING[players]
    return tuple(role for role in hands if role is not declarer)


@cache
def may_join(contract: Contract, declarer: Role, players: int) -> tuple[Role, ...]:
    """The roles that may join this nolo as further declarers; the fourth player, if among them, must join."""
    fourth = (Role.IDLE,) if contract.fourth_joins and players in WITH_FOURTH else ()
    others = ACTIVE if contract.others_may_join or contract.all_join else ()
    return tuple(role for role in (*others, *fourth) if role is not declarer)


Possible = frozenset[Outcome]

_WON = frozenset((Outcome.WON,))
_BETE = frozenset((Outcome.BETE,))
_CONTRAPRIMERAS = frozenset((Outcome.CONTRAPRIMERAS,))


def _by_tricks(case: Case, judge: Judge, took: int | None) -> Possible:
    """The outcomes that the tricks allow for a declarer's side with `took` tricks (None: unknown)."""
    tricks = tuple(map(case.tricks.get, case.defenders))
    return possible_outcomes(took, tricks, case.stopped, judge, case.rulebook.house.tricks)


def lhombre_possible(case: Case) -> Possible:
    """The outcomes that a report allows in the family of l'hombre."""
    result, house = case.result, LHombreRules.narrow(case.rulebook.house)
    if result.abandoned:
        return _BETE
    if result.foul is not None:
        return frozenset((BY_NAME[house.declarer_foul],)) if result.foul is case.declarer else _WON
    if case.tout == "won" or result.five_first == "won":
        return _WON
    if not case.tricks:
        return ANY_OUTCOME
    took = case.tricks.get(case.declarer)
    if case.is_game:
        judge = lhombre_judge(case.contract.wins_from, house.one_four_four, house.grand_short)
        return _by_tricks(case, judge, took)
    return _lhombre_nolo(case, took)


def _lhombre_nolo(case: Case, took: int | None) -> Possible:
    """The outcomes of a nolo: the declarer's tricks are final unless all counts are known and tricks are to come."""
    free = case.contract.free_tricks
    if case.left_open:
        return _by_tricks(case, nolo_judge(free), took)
    return ANY_OUTCOME if took is None else frozenset((nolo_outcome(took, free),))


def crocodile_possible(case: Case) -> Possible:
    """The outcomes that a report allows in Crocodile."""
    if case.gave_up:
        return frozenset((Outcome.SIMPLE_LOSS,))
    return _crocodile_game(case) if case.is_game else _crocodile_nolo(case)


def _crocodile_nolo(case: Case) -> Possible:
    """The outcomes of a nolo: the declarer's tricks are final unless all counts are known and tricks are to come."""
    took = case.tricks.get(case.declarer)
    others = tuple(map(case.tricks.get, case.defenders))
    stands = took is not None and not case.left_open
    return possible_outcomes(took, others, case.stopped, crocodile_nolo, stands=stands)


def _crocodile_game(case: Case) -> Possible:
    """The outcomes of a game by its tricks, changed to contraprimeras where the opponents won the first five."""
    result, house = case.result, CrocodileRules.narrow(case.rulebook.house)
    took = case.tricks.get(case.declarer)
    first_five = case.first_five_by
    if first_five is case.declarer:
        return _WON
    possible = _by_tricks(case, crocodile_game, took)
    lost = case.opponents_won_first_five and (house.contraprimeras_together or first_five in case.defenders)
    reported = result.outcome == Outcome.CONTRAPRIMERAS and (took is None or took < FIRST_FIVE)
    if not lost and not reported:
        return possible
    if house.contraprimeras_always:
        return _CONTRAPRIMERAS
    spared = possible - {Outcome.CROCODILE_LUNCH}
    return spared | _CONTRAPRIMERAS if Outcome.CROCODILE_LUNCH in possible else spared


def renegado_possible(case: Case) -> Possible:
    """The outcomes that a report allows in renegado."""
    tie = RenegadoRules.narrow(case.rulebook.house).tie
    if case.gave_up:
        return frozenset((BY_NAME[tie],))
    if case.tout:
        return _WON if case.tout == "won" else frozenset((Outcome.VOLE_FAILED,))
    took = case.tricks.get(case.declarer)
    if not case.is_game:
        if case.left_open:
            return _by_tricks(case, contrabola_outcome, took)
        return _WON | _BETE if took is None else frozenset((contrabola_outcome(took, ()),))
    if case.first_five_by is case.declarer:
        return _WON
    return _by_tricks(case, renegado_judge(tie), took)


def two_possible(case: Case) -> Possible:
    """The outcomes that a report allows in ombre for two."""
    judge = eight_tricks_judge(TwoRules.narrow(case.rulebook.house).remise_at)
    return _by_tricks(case, judge, case.tricks.get(case.declarer))


def five_possible(case: Case) -> Possible:
    """The outcomes that a report allows in ombre for five, where the declarer's and the partner's tricks are added."""
    judge = eight_tricks_judge(FiveRules.narrow(case.rulebook.house).remise_at)
    took, partner = case.tricks.get(case.declarer), case.result.partner
    if partner is None:
        return _by_tricks(case, judge, took)
    with_partner = case.tricks.get(partner)
    both = None if took is None or with_partner is None else took + with_partner
    others = tuple(case.tricks.get(role) for role in case.defenders if role is not partner)
    return possible_outcomes(both, others, case.stopped, judge, case.rulebook.house.tricks)


def intro_possible(case: Case) -> Possible:
    """The outcomes that a report allows in the first lesson's game."""
    if case.gave_up or case.tout == "failed":
        return frozenset((Outcome.LOST,))
    if case.tout == "won":
        return frozenset((Outcome.VOLE,))
    if case.first_five_by is case.declarer and not case.contract.bids_beyond_five:
        return _WON
    judge = intro_judge(case.contract.wins_from)
    possible = _by_tricks(case, judge, case.tricks.get(case.declarer))
    # Nine tricks are reported as a tout; without any tricks in the report it may have been the vole.
    return possible if case.tricks else possible | {Outcome.VOLE}


def find_feats(case: Case) -> None:
    """Set the bonuses that a declarer of Crocodile made; add a problem where the report does not decide them."""
    result, took = case.result, case.tricks.get(case.declarer)
    feats = set()
    if _bonus_open(case):
        case.blame("bonus_open")
        return
    if case.outcome is Outcome.WON:
        if not case.is_game:
            feats.add("talking_ouvert")
        elif took == case.rulebook.house.tricks:
            feats |= {"primeras", "tout"}
        elif case.first_five_by is case.declarer:
            feats.add("primeras")
        elif took is not None and took < FIRST_FIVE:
            feats.add("cuatro")
        if took is None and any(bid in ("cuatro", "tout") for bid in result.bonus_bid):
            case.blame("bonus_undecided", bonus=result.bonus_bid[0])
    case.feats = frozenset(feats)


def _bonus_open(case: Case) -> bool:
    """Whether a game was won and stopped while the tricks to come could still change a bonus.

    A declarer who stops with five tricks of five waives the rest, unless they bid a tout.
    """
    took, in_all = case.tricks.get(case.declarer), case.rulebook.house.tricks
    if not (case.stopped and case.rulebook.house.stops_when_clear) or not case.is_game:
        return False
    if case.outcome is not Outcome.WON or took is None or case.gave_up:
        return False
    defenders = [case.tricks.get(role) for role in case.defenders]
    others = sum(count or 0 for count in defenders)
    if case.left_open and not others and took < FIRST_FIVE:
        return True
    waives_tout = took == FIRST_FIVE and "tout" not in case.result.bonus_bid
    counts = (took, *(count or 0 for count in defenders))
    ends = completions(counts, list(range(len(counts))), in_all - took - others)
    won = {end[0] for end in ends if crocodile_game(end[0], end[1:]) is Outcome.WON}
    feats = {
        "tout" if end == in_all and not waives_tout else "" if end >= FIRST_FIVE else "cuatro" for end in won
    }
    return len(feats) > 1


def find_winners(case: Case) -> None:
    """Set the winners of a kodille, as reported or by the tricks, in order of play after the declarer."""
    reported = case.result.won_by
    if case.outcome is not Outcome.KODILLE:
        if reported:
            case.blame("winner_not_here")
        return
    best = _best_opponents(case)
    if best and reported and set(reported) != set(best):
        case.blame("winner_disagrees", seats=best)
    elif any(role not in case.defenders for role in reported):
        case.blame("winner_disagrees", seats=case.defenders)
    elif not best and not reported:
        case.blame("winner_missing")
    others = from_the_right_of(case.declarer, case.players, dealer_out=case.rulebook.dealer_sits_out)
    winners = [role for role in others if role in (best or reported)]
    shared = WinnersRules.narrow(case.rulebook.house).codille_shared
    case.winners = tuple(winners) if shared else tuple(winners[:1])


def _best_opponents(case: Case) -> tuple[Role, ...]:
    """The opponents with the most tricks; empty if the known tricks do not decide it."""
    if len(case.defenders) == 1:
        return case.defenders
    counts = [case.tricks.get(role) for role in case.defenders]
    known = [count for count in counts if count is not None]
    most = max(known, default=0)
    all_known = len(known) == len(counts) and not case.stopped
    if not all_known and most < FIRST_FIVE:
        return ()
    return tuple(role for role, count in zip(case.defenders, counts, strict=True) if count == most)


def nothing_more(case: Case) -> None:
    """Do nothing: the family has nothing to derive beyond the outcome."""


class Family(NamedTuple):
    """The rules of one family of games: the outcomes that a report allows, and what is derived once one is known."""

    possible: Callable[[Case], Possible]
    finish: Callable[[Case], None] = nothing_more


FAMILIES: dict[type[HouseRules], Family] = {
    LHombreRules: Family(lhombre_possible),
    CrocodileRules: Family(crocodile_possible, find_feats),
    RenegadoRules: Family(renegado_possible, find_winners),
    TwoRules: Family(two_possible, find_winners),
    FiveRules: Family(five_possible),
    IntroRules: Family(intro_possible, find_winners),
}
