"""Prices of what can be reported of a contract, computed by settling trial reports.

The prices cannot differ from a settlement, because `prices` computes both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.cards import Kind
from scoring.checks import examine
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
from scoring.outcomes import BY_NAME, KODILLE_FROM, TRICKS, Outcome
from scoring.prices import Side, declarer_lines, divide_line, joined_lines, lines_of_joined, settling_roles
from scoring.results import read_result
from scoring.rulebook import FIRST_FIVE
from scoring.seats import PLAYING, ROLES, WITH_FOURTH, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scoring.prices import Line
    from scoring.report_case import Case
    from scoring.rulebook import Contract, Rulebook


# Some fields of a report, as JSON.
Fields = dict[str, Any]
# A part of the pool: a factor; `[times, plus, by]` for times * floor((pool + plus) / by); or `{"most": n}` for
# min(n, pool).
Factor = int | list[int] | dict[str, int]
Tokens = dict[Role, int]
DECLARER, COUNT = "DECLARER", "COUNT"
# Fields of a deal that ended before the fourth player could join a nolo.
_BEFORE_JOINING = frozenset(("abandoned", "foul"))


@dataclass(frozen=True, slots=True)
class Effect:
    """The change that an offer makes, by role: tokens, and a part of the pool.

    `codes` are those of the lines of the account.
    """

    tokens: Tokens
    pool: dict[Role, Factor] = field(default_factory=dict)
    codes: tuple[str, ...] = ()

    def minus(self, other: Effect) -> Effect:
        """The difference to another effect: its tokens subtracted, its equal parts of the pool left out."""
        tokens = {role: count - other.tokens[role] for role, count in self.tokens.items()}
        pool = {role: part for role, part in self.pool.items() if part != other.pool.get(role)}
        return Effect(tokens, pool)

    def without(self, role: Role) -> Effect:
        """A copy without one role's part of the pool."""
        return Effect(self.tokens, {other: part for other, part in self.pool.items() if other is not role})


class Pricing:
    """Prices of reports of one contract."""

    def __init__(self, rulebook: Rulebook, players: int, contract: Contract) -> None:
        self.rulebook = rulebook
        self.house = rulebook.house
        self.players = players
        self.contract = contract
        self.declarers = contract.declarers_at(players)
        self.seating = rulebook.seating(players, players - 1)
        self.counts_estuches = self.house.counts_estuches and self.house.estuche_price > 0
        self.fourth_joins = contract.fourth_joins and players in WITH_FOURTH

    def effects(self, fields: Fields) -> dict[Role, Effect]:
        """The effect of these fields of a report for each declarer, except for those in its `won_by`."""
        winners = fields.get("won_by", ())
        return {
            declarer: self.effect(fields, declarer)
            for declarer in self.declarers
            if declarer.value not in winners
        }

    def effect(self, fields: Fields, declarer: Role) -> Effect:
        """The declarer's account of a report with these fields. Raises RuntimeError if the rules refuse the report.

        A report needs at least one estuche; where the fields have none, the effect of none is extrapolated.
        """
        if self.counts_estuches and "estuches" not in fields:
            one, two = (self.effect(fields | {"estuches": count}, declarer) for count in (1, 2))
            tokens = {role: 2 * count - two.tokens[role] for role, count in one.tokens.items()}
            return Effect(tokens, one.pool, one.codes)
        report = self._required(fields, declarer) | {"contract": self.contract.id, "declarer": declarer.value}
        for name, value in fields.items():
            report[name] = _with_declarer(value, declarer)
        if self.contract.all_join and "tricks" in report:
            first, second = (
                role for role in ROLES[self.players] if role is not declarer and role is not Role.IDLE
            )
            report["tricks"] |= {first.value: TRICKS - report["tricks"][declarer.value], second.value: 0}
        case, found = examine(read_result(report, self.seating), self.players, self.rulebook)
        if case is None or any(not problem.is_warning for problem in found):
            raise RuntimeError(f"the rules refuse what they offer: {report}: {found}")
        return self._account(case)

    def _required(self, fields: Fields, declarer: Role) -> Fields:
        """Fields that a valid report needs besides these; they are priced separately, or equal for all offers."""
        required: Fields = {}
        if self.rulebook.pool is not None:
            required["pool"] = self.rulebook.pool.each_deal(self.players)
        if self.contract.with_partner and "partner" not in fields:
            required["partner"] = next(role for role in ROLES[self.players] if role is not declarer).value
        if self.fourth_joins and fields.keys().isdisjoint(_BEFORE_JOINING):
            required |= {"joined": [Role.IDLE.value], "idle_abandoned": True}
        return required

    def joined(self, owner: Role, tricks: int | None) -> Tokens:
        """The tokens by role of a player who joined a nolo and took `tricks`; None gave up the hand."""
        return self._settled_with_each(
            owner, joined_lines(self.contract, tricks), fourth_plays=self.fourth_joins
        )

    def _settled_with_each(
        self, owner: Role, lines: Iterable[Line], *, fourth_plays: bool, foul: Role | None = None
    ) -> Tokens:
        """The tokens by role of the lines that every player settles with the owner of an account."""
        each = sum(line.each for line in lines if line.side is Side.EACH)
        tokens = dict.fromkeys(ROLES[self.players], 0)
        for payer in settling_roles(owner, self.players, self.house, fourth_plays, foul):
            tokens[payer] -= each
            tokens[owner] += each
        return tokens

    def _account(self, case: Case) -> Effect:
        """The effect of the declarer's account; with a fouled exchange, also of those who joined."""
        lines, result = declarer_lines(case), case.result
        fourth_plays = self.contract.by_fourth or Role.IDLE in result.joined
        tokens = self._settled_with_each(case.declarer, lines, fourth_plays=fourth_plays, foul=result.foul)
        pool: dict[Role, Factor] = {}
        for line in lines:
            if line.side is not Side.EACH:
                _enter(line, case, tokens, pool)
        for role in result.joined if result.foul else ():
            own = lines_of_joined(case, role)
            joined = self._settled_with_each(role, own, fourth_plays=fourth_plays, foul=result.foul)
            tokens = {seat: count + joined[seat] for seat, count in tokens.items()}
        return Effect(tokens, pool, tuple(line.code for line in lines))


def _enter(line: Line, case: Case, tokens: Tokens, pool: dict[Role, Factor]) -> None:
    """Add a line on a side other than EACH to `tokens` and `pool`, which are changed in place."""
    shares = divide_line(line, case)
    for share in shares:
        if share.capped and share.tokens > 0:
            pool[share.own] = {"most": share.tokens}
            continue
        part: Factor = share.times if share.by == 1 else [share.times, share.plus, share.by]
        tokens[share.own] += share.tokens
        if line.side is not Side.WINNERS:
            _add(pool, share.own, part)
        if isinstance(share.other, Role):
            tokens[share.other] -= share.tokens
            _add(pool, share.other, _negative(part))
    if line.side is Side.WINNERS:
        # The shares are rounded; the declarer pays the exact sum.
        tokens[case.declarer] += line.each - sum(share.tokens for share in shares)
        _add(pool, case.declarer, line.pool)


def _with_declarer(value: Any, declarer: Role) -> Any:
    """A field's value with the declarer's role in place of DECLARER."""
    if isinstance(value, dict):
        return {declarer.value if seat == DECLARER else seat: count for seat, count in value.items()}
    return declarer.value if value == DECLARER else value


def _negative(part: Factor) -> Factor:
    """The part of the pool with its sign changed."""
    return [-part[0], *part[1:]] if isinstance(part, list) else -part if isinstance(part, int) else part


def _add(pool: dict[Role, Factor], role: Role, part: Factor) -> None:
    """Add a part to a role's; two `[times, plus, by]` have the same plus and by, because one line is divided."""
    known = pool.get(role, 0)
    if isinstance(part, int) and isinstance(known, int):
        total: Factor = known + part
    elif isinstance(part, list) and isinstance(known, list):
        total = [known[0] + part[0], *part[1:]]
    else:
        total = part if known == 0 else known
    if total:
        pool[role] = total


# Code of an offer -> the fields that it sets.
Reports = dict[str, Fields]
Report = tuple[str, Fields]


class Extra(NamedTuple):
    """An addition to a result: for wins only or any result, and excluding the extras in `without`."""

    code: str
    fields: Fields
    won_only: bool
    without: tuple[str, ...] = ()


def results(rulebook: Rulebook, players: int, contract: Contract) -> Reports:
    """The results that can be reported of a contract, the most usual first."""
    return {
        Outcome.WON.value: {"outcome": "won"},
        **dict(_RESULTS[type(rulebook.house)](rulebook, players, contract)),
    }


def rare_reports(rulebook: Rulebook, players: int, contract: Contract) -> Reports:
    """The reports in place of a result: the declarer gave up, or a player fouled the exchange."""
    reports: Reports = {"abandoned": {"abandoned": True}} if contract.may_be_abandoned else {}
    if rulebook.house.fouls:
        seats = ROLES[players] if contract.by_fourth or contract.fourth_joins else PLAYING[players]
        reports |= {f"foul_{role}": {"foul": role.value} for role in seats}
    return reports


def lhombre_extras(rulebook: Rulebook, players: int, contract: Contract) -> Iterator[Extra]:
    """The extras of l'hombre: the tout, and bonuses by option; none for other families."""
    house = rulebook.house
    if not isinstance(house, LHombreRules):
        return
    if contract.is_game:
        yield Extra("tout_won", {"tout": "won"}, True, ("tout_failed", "five_first_failed"))
        yield Extra("tout_failed", {"tout": "failed"}, not house.tout_counts_in_defeat, ("tout_won",))
        if house.first_five_bonus:
            yield Extra("five_first_won", {"five_first": "won"}, True, ("five_first_failed",))
            yield Extra("five_first_failed", {"five_first": "failed"}, False, ("five_first_won", "tout_won"))
    if house.repeat_exchange and contract.may_repeat_exchange:
        yield Extra("exchange_repeated", {"exchange_repeated": True}, False)
    if house.aces_bonus and contract.may_have_aces:
        yield Extra("aces", {"aces": True}, True)
    if house.nine_matadors and contract.kind is Kind.TRUMP:
        holders = ROLES[players] if contract.by_fourth else PLAYING[players]
        codes = {role: f"matadors_{role}" for role in holders}
        for role, code in codes.items():
            others = tuple(other for other in codes.values() if other != code)
            yield Extra(code, {"nine_matadors": role.value}, False, others)


def lost_with_first_five(rulebook: Rulebook, contract: Contract, reports: Reports) -> Reports:
    """The results of renegado with which the opponents can have won the first five tricks; none in other games."""
    house = rulebook.house
    if not isinstance(house, RenegadoRules) or not contract.is_game:
        return {}
    return {code: fields for code, fields in reports.items() if code.startswith((house.tie, "kodille"))}


def _lhombre(_rulebook: Rulebook, _players: int, contract: Contract) -> Iterator[Report]:
    """The results of l'hombre: outcomes, or numbers of tricks where each trick has a price."""
    if contract.all_join:
        yield Outcome.WON.value, {"tricks": {DECLARER: 0}}
        for took in range(1, TRICKS + 1):
            yield f"tricks_{took}", {"tricks": {DECLARER: took}}
        return
    if not contract.extra_per_trick:
        yield from map(_with_outcome, (Outcome.BETE, Outcome.KODILLE))
        return
    yield Outcome.WON.value, {"tricks": {DECLARER: 0}}
    yield Outcome.BETE.value, {"tricks": {DECLARER: 1}}
    for took in range(KODILLE_FROM, TRICKS + 1):
        yield f"tricks_{took}", {"tricks": {DECLARER: took}}


def _crocodile(_rulebook: Rulebook, _players: int, contract: Contract) -> Iterator[Report]:
    """The results of Crocodile."""
    if not contract.is_game:
        yield from map(_with_outcome, (Outcome.SIMPLE_LOSS, Outcome.CROCODILE_LUNCH, Outcome.CONTRANOLO))
        return
    yield "cuatro", {"outcome": "won", "tricks": {DECLARER: FIRST_FIVE - 1}}
    yield "primeras", {"outcome": "won", "first_five_by": DECLARER}
    yield "tout", {"tricks": {DECLARER: TRICKS}}
    lost = (Outcome.SIMPLE_REMIS, Outcome.PICCOLO_REMIS, Outcome.CROCODILE_LUNCH, Outcome.CONTRAPRIMERAS)
    yield from map(_with_outcome, lost)


def _renegado(rulebook: Rulebook, players: int, contract: Contract) -> Iterator[Report]:
    """The results of renegado."""
    if contract.is_game:
        yield "primeras", {"outcome": "won", "first_five_by": DECLARER}
    yield _with_outcome(BY_NAME[RenegadoRules.narrow(rulebook.house).tie])
    if contract.is_game:
        yield from _kodilles(rulebook, players, contract)
        yield from _voles()


def _intro(rulebook: Rulebook, players: int, contract: Contract) -> Iterator[Report]:
    """The results of the first lesson's game."""
    yield _with_outcome(Outcome.LOST)
    yield from _kodilles(rulebook, players, contract)
    vole, failed = _voles()
    yield vole
    if not contract.bids_beyond_five:
        yield failed


def _eight_tricks(_rulebook: Rulebook, _players: int, _contract: Contract) -> Iterator[Report]:
    """The results of the games for two and for five."""
    yield from map(_with_outcome, (Outcome.REMISE, Outcome.KODILLE))


def _kodilles(rulebook: Rulebook, players: int, contract: Contract) -> Iterator[Report]:
    """A kodille for each set of opponents who may have won it."""
    declarers = contract.declarers_at(players)
    roles = ROLES[players] if contract.by_fourth else PLAYING[players]
    opponents = [role for role in roles if role not in declarers or len(declarers) > 1]
    most = len(roles) - 1 if WinnersRules.narrow(rulebook.house).codille_shared else 1
    for size in range(1, most + 1):
        for winners in combinations(opponents, size):
            seats = [role.value for role in winners]
            yield "_".join(("kodille", *seats)), {"outcome": "kodille", "won_by": seats}


def _voles() -> Iterator[Report]:
    """The vole won, and the vole missed."""
    yield Outcome.VOLE.value, {"tout": "won"}
    yield Outcome.VOLE_FAILED.value, {"tout": "failed"}


def _with_outcome(outcome: Outcome) -> Report:
    """The report that names the outcome only."""
    return outcome.value, {"outcome": outcome.value}


_RESULTS: dict[type[HouseRules], Callable[[Rulebook, int, Contract], Iterator[Report]]] = {
    LHombreRules: _lhombre,
    CrocodileRules: _crocodile,
    RenegadoRules: _renegado,
    TwoRules: _eight_tricks,
    FiveRules: _eight_tricks,
    IntroRules: _intro,
}
