"""What may be told of one contract, family by family: codes, and the fields of a report that say it."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from scoring.cards import Kind
from scoring.contracts import FIRST_FIVE
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
from scoring.offers.pricing import DECLARER, Told
from scoring.outcomes import BY_NAME, KODILLE_FROM, TRICKS, Outcome
from scoring.seats import PLAYING, ROLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scoring.contracts import Contract
    from scoring.rulebook import Rulebook

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
