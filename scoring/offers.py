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
from scoring.prices import Side, declarer_lines, divided, joined_lines, lines_of_joined, shares_of
from scoring.results import read_result
from scoring.rulebook import FIRST_FIVE
from scoring.seats import PLAYING, ROLES, WITH_FOURTH, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scoring.prices import Line
    from scoring.report_case import Case
    from scoring.rulebook import Contract, Rulebook


Told = dict[str, Any]
# Times the pool, `[times, plus, by]`: so many times the whole part of pool and plus divided by `by`; or `{"most": n}`:
# n tokens, but no more than lie in the pool.
Factor = int | list[int] | dict[str, int]
Tokens = dict[Role, int]
DECLARER, COUNT = "DECLARER", "COUNT"
# What comes before the fourth player could join a nolo.
_BEFORE_JOINING = frozenset(("abandoned", "foul"))


@dataclass(frozen=True, slots=True)
class Effect:
    """What an offer changes, by role: tokens, and the pool's part; `codes` are those of the account's lines."""

    tokens: Tokens
    pool: dict[Role, Factor] = field(default_factory=dict)
    codes: tuple[str, ...] = ()

    def beside(self, other: Effect) -> Effect:
        """What this has beyond the other."""
        tokens = {role: count - other.tokens[role] for role, count in self.tokens.items()}
        pool = {role: part for role, part in self.pool.items() if part != other.pool.get(role)}
        return Effect(tokens, pool)

    def without(self, role: Role) -> Effect:
        """The same without one role's part of the pool."""
        return Effect(self.tokens, {other: part for other, part in self.pool.items() if other is not role})


class Pricing:
    """Prices what may be told of one contract."""

    def __init__(self, rulebook: Rulebook, players: int, contract: Contract) -> None:
        self.rulebook = rulebook
        self.house = rulebook.house
        self.players = players
        self.contract = contract
        self.declarers = contract.declarers_at(players)
        self.seating = rulebook.seating(players, players - 1)
        self.counts_estuches = self.house.counts_estuches and self.house.estuche_price > 0
        self.fourth_joins = contract.fourth_joins and players in WITH_FOURTH

    def effects(self, told: Told) -> dict[Role, Effect]:
        """The effect for each declarer of whom it can be told: nobody beats himself."""
        winners = told.get("won_by", ())
        return {
            declarer: self.effect(told, declarer)
            for declarer in self.declarers
            if declarer.value not in winners
        }

    def effect(self, told: Told, declarer: Role) -> Effect:
        """What a report changes in the declarer's account; estuches that are not told count as none."""
        if self.counts_estuches and "estuches" not in told:
            one, two = (self.effect(told | {"estuches": count}, declarer) for count in (1, 2))
            tokens = {role: 2 * count - two.tokens[role] for role, count in one.tokens.items()}
            return Effect(tokens, one.pool, one.codes)
        fields = self._needed(told, declarer) | {"contract": self.contract.id, "declarer": declarer.value}
        for name, value in told.items():
            fields[name] = _in_place(value, declarer)
        if self.contract.all_join and "tricks" in fields:
            first, second = (
                role for role in ROLES[self.players] if role is not declarer and role is not Role.IDLE
            )
            fields["tricks"] |= {first.value: TRICKS - fields["tricks"][declarer.value], second.value: 0}
        case, found = examine(read_result(fields, self.seating), self.players, self.rulebook)
        if case is None or any(not problem.is_warning for problem in found):
            raise RuntimeError(f"the rules refuse what they offer: {fields}: {found}")
        return self._account(case)

    def _needed(self, told: Told, declarer: Role) -> Told:
        """What a report needs beside the offer: it is priced apart, or is the same for all."""
        fields: Told = {}
        if self.rulebook.pool is not None:
            fields["pool"] = self.rulebook.pool.each_deal(self.players)
        if self.contract.with_partner and "partner" not in told:
            fields["partner"] = next(role for role in ROLES[self.players] if role is not declarer).value
        if self.fourth_joins and told.keys().isdisjoint(_BEFORE_JOINING):
            fields |= {"joined": [Role.IDLE.value], "idle_abandoned": True}
        return fields

    def joined(self, owner: Role, tricks: int | None) -> Tokens:
        """The account of one who joined a nolo and took so many tricks; None gave that hand up."""
        return self._settled_with_each(
            owner, joined_lines(self.contract, tricks), fourth_plays=self.fourth_joins
        )

    def _settled_with_each(
        self, owner: Role, lines: Iterable[Line], *, fourth_plays: bool, foul: Role | None = None
    ) -> Tokens:
        each = sum(line.each for line in lines if line.side is Side.EACH)
        tokens = dict.fromkeys(ROLES[self.players], 0)
        for payer in shares_of(owner, self.players, self.house, fourth_plays, foul):
            tokens[payer] -= each
            tokens[owner] += each
        return tokens

    def _account(self, case: Case) -> Effect:
        """The declarer's account, and that of a fourth player who fouled the exchange when he joined."""
        lines, result = declarer_lines(case), case.result
        fourth_plays = self.contract.by_fourth or Role.IDLE in result.joined
        tokens = self._settled_with_each(case.declarer, lines, fourth_plays=fourth_plays, foul=result.foul)
        pool: dict[Role, Factor] = {}
        for line in lines:
            if line.side is not Side.EACH:
                _enter(line, case, tokens, pool)
        for role in result.joined if result.foul else ():
            own = lines_of_joined(case, role)
            beside = self._settled_with_each(role, own, fourth_plays=fourth_plays, foul=result.foul)
            tokens = {seat: count + beside[seat] for seat, count in tokens.items()}
        return Effect(tokens, pool, tuple(line.code for line in lines))


def _enter(line: Line, case: Case, tokens: Tokens, pool: dict[Role, Factor]) -> None:
    """Enter a line that is not settled with each."""
    shares = divided(line, case)
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
        # However it is divided, the declarer pays all of it.
        tokens[case.declarer] += line.each - sum(share.tokens for share in shares)
        _add(pool, case.declarer, line.pool)


def _in_place(value: Any, declarer: Role) -> Any:
    """A told value with the declarer's seat in DECLARER's place."""
    if isinstance(value, dict):
        return {declarer.value if seat == DECLARER else seat: count for seat, count in value.items()}
    return declarer.value if value == DECLARER else value


def _negative(part: Factor) -> Factor:
    return [-part[0], *part[1:]] if isinstance(part, list) else -part if isinstance(part, int) else part


def _add(pool: dict[Role, Factor], role: Role, part: Factor) -> None:
    """Add a part; those that are divided are divided alike."""
    known = pool.get(role, 0)
    if isinstance(part, int) and isinstance(known, int):
        total: Factor = known + part
    elif isinstance(part, list) and isinstance(known, list):
        total = [known[0] + part[0], *part[1:]]
    else:
        total = part if known == 0 else known
    if total:
        pool[role] = total


Reports = dict[str, Told]
Coded = tuple[str, Told]


class Extra(NamedTuple):
    """What is settled beside a contract: with a win only or with any result, without these other extras."""

    code: str
    told: Told
    won_only: bool
    without: tuple[str, ...] = ()


def results(rulebook: Rulebook, players: int, contract: Contract) -> Reports:
    """How a deal may come out, the most usual first."""
    return {
        Outcome.WON.value: {"outcome": "won"},
        **dict(_RESULTS[type(rulebook.house)](rulebook, players, contract)),
    }


def rare_reports(rulebook: Rulebook, players: int, contract: Contract) -> Reports:
    """What comes in place of a result: the hand given up, an exchange fouled."""
    told: Reports = {"abandoned": {"abandoned": True}} if contract.may_be_abandoned else {}
    if rulebook.house.fouls:
        seats = ROLES[players] if contract.by_fourth or contract.fourth_joins else PLAYING[players]
        told |= {f"foul_{role}": {"foul": role.value} for role in seats}
    return told


def lhombre_extras(rulebook: Rulebook, players: int, contract: Contract) -> Iterator[Extra]:
    """The tout and what tables agree on; other families have their own."""
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
    """The results beside which the first five tricks can be lost too, where these cost something."""
    house = rulebook.house
    if not isinstance(house, RenegadoRules) or not contract.is_game:
        return {}
    return {code: told for code, told in reports.items() if code.startswith((house.tie, "kodille"))}


def _lhombre(_rulebook: Rulebook, _players: int, contract: Contract) -> Iterator[Coded]:
    """Tricks are asked for where each one costs."""
    if contract.all_join:
        yield Outcome.WON.value, {"tricks": {DECLARER: 0}}
        for took in range(1, TRICKS + 1):
            yield f"tricks_{took}", {"tricks": {DECLARER: took}}
        return
    if not contract.extra_per_trick:
        yield from map(_said, (Outcome.BETE, Outcome.KODILLE))
        return
    yield Outcome.WON.value, {"tricks": {DECLARER: 0}}
    yield Outcome.BETE.value, {"tricks": {DECLARER: 1}}
    for took in range(KODILLE_FROM, TRICKS + 1):
        yield f"tricks_{took}", {"tricks": {DECLARER: took}}


def _crocodile(_rulebook: Rulebook, _players: int, contract: Contract) -> Iterator[Coded]:
    if not contract.is_game:
        yield from map(_said, (Outcome.SIMPLE_LOSS, Outcome.CROCODILE_LUNCH, Outcome.CONTRANOLO))
        return
    yield "cuatro", {"outcome": "won", "tricks": {DECLARER: FIRST_FIVE - 1}}
    yield "primeras", {"outcome": "won", "first_five_by": DECLARER}
    yield "tout", {"tricks": {DECLARER: TRICKS}}
    lost = (Outcome.SIMPLE_REMIS, Outcome.PICCOLO_REMIS, Outcome.CROCODILE_LUNCH, Outcome.CONTRAPRIMERAS)
    yield from map(_said, lost)


def _renegado(rulebook: Rulebook, players: int, contract: Contract) -> Iterator[Coded]:
    if contract.is_game:
        yield "primeras", {"outcome": "won", "first_five_by": DECLARER}
    yield _said(BY_NAME[RenegadoRules.of(rulebook.house).tie])
    if contract.is_game:
        yield from _kodilles(rulebook, players, contract)
        yield from _voles()


def _intro(rulebook: Rulebook, players: int, contract: Contract) -> Iterator[Coded]:
    yield _said(Outcome.LOST)
    yield from _kodilles(rulebook, players, contract)
    vole, failed = _voles()
    yield vole
    if not contract.bids_beyond_five:
        yield failed


def _eight_tricks(_rulebook: Rulebook, _players: int, _contract: Contract) -> Iterator[Coded]:
    yield from map(_said, (Outcome.REMISE, Outcome.KODILLE))


def _kodilles(rulebook: Rulebook, players: int, contract: Contract) -> Iterator[Coded]:
    """One for each set of opponents who may have won it."""
    declarers = contract.declarers_at(players)
    roles = ROLES[players] if contract.by_fourth else PLAYING[players]
    opponents = [role for role in roles if role not in declarers or len(declarers) > 1]
    most = len(roles) - 1 if WinnersRules.of(rulebook.house).codille_shared else 1
    for size in range(1, most + 1):
        for winners in combinations(opponents, size):
            seats = [role.value for role in winners]
            yield "_".join(("kodille", *seats)), {"outcome": "kodille", "won_by": seats}


def _voles() -> Iterator[Coded]:
    yield Outcome.VOLE.value, {"tout": "won"}
    yield Outcome.VOLE_FAILED.value, {"tout": "failed"}


def _said(outcome: Outcome) -> Coded:
    return outcome.value, {"outcome": outcome.value}


_RESULTS: dict[type[HouseRules], Callable[[Rulebook, int, Contract], Iterator[Coded]]] = {
    LHombreRules: _lhombre,
    CrocodileRules: _crocodile,
    RenegadoRules: _renegado,
    TwoRules: _eight_tricks,
    FiveRules: _eight_tricks,
    IntroRules: _intro,
}
