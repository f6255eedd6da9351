"""The declarer's account in the games beside l'hombre: Crocodile, and those with a pool or a stake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.family_rules import CrocodileRules, IntroRules, RenegadoRules, TwoRules
from scoring.outcomes import Outcome
from scoring.prices.lines import REASONS, Line, Side
from scoring.words import _

if TYPE_CHECKING:
    from scoring.checks import Case

_FIVEFOLD = 5
# Crocodile: how often a contract's value is won or lost, and what a feat is worth, bid and silent.
_TIMES = {
    Outcome.WON: 1,
    Outcome.SIMPLE_LOSS: -1,
    Outcome.SIMPLE_REMIS: -1,
    Outcome.PICCOLO_REMIS: -1,
    Outcome.CROCODILE_LUNCH: -2,
    Outcome.CONTRAPRIMERAS: -4,
    Outcome.CONTRANOLO: -4,
}
_BIDS = {"cuatro": 2, "primeras": 2, "tout": 7}
_SILENT = {"cuatro": 1, "primeras": 1, "tout": 3}
_SHORT_BIDS = {"talking_ouvert": "talking"}


def crocodile_lines(case: Case) -> list[Line]:
    """Points of the declarer's alone: the contract's value once, twice or four times, and each feat apart."""
    value, outcome = case.contract.price, case.outcome
    house = CrocodileRules.of(case.rulebook.house)
    params = {"contract": case.contract.id, "outcome": outcome}
    code = "abandoned" if case.gave_up else "price"
    text = REASONS[code, True] if outcome is Outcome.WON else _("{contract}: {outcome}")
    lines = [Line(code, value * _TIMES[outcome], text, params, Side.NOBODY)]
    for bid in case.result.bonus_bid:
        worth = house.talking_price if bid == "talking_ouvert" else value * _BIDS[bid]
        name = _SHORT_BIDS.get(bid, bid)
        if bid in case.feats:
            lines.append(Line(f"{name}_made", worth, _("{bonus} bid and made"), {"bonus": bid}, Side.NOBODY))
        else:
            lines.append(
                Line(f"{name}_failed", -worth, _("{bonus} bid and not made"), {"bonus": bid}, Side.NOBODY)
            )
    lines += [
        Line(f"silent_{feat}", value * _SILENT[feat], _("silent {bonus}"), {"bonus": feat}, Side.NOBODY)
        for feat in _silent_feats(case)
    ]
    return lines


def _silent_feats(case: Case) -> list[str]:
    """What was achieved without a word: not what was bid, nor the primeras that a tout bid implies.

    The source does not say whether a tout that failed still implies them, hence `failed_tout_keeps_primeras`.
    """
    house, bid = CrocodileRules.of(case.rulebook.house), set(case.result.bonus_bid)
    if "tout" in bid and ("tout" in case.feats or not house.failed_tout_keeps_primeras):
        bid.add("primeras")
    silent = [feat for feat in _SILENT if feat in case.feats and feat not in bid]
    return silent if house.silent_bonuses_add else silent[-1:]


def renegado_lines(case: Case) -> list[Line]:
    """Chips from each opponent, and what goes to and comes from the pool."""
    house, outcome = RenegadoRules.of(case.rulebook.house), case.outcome
    contract = case.counted_as
    params = {"contract": contract.id, "outcome": outcome}
    won = outcome is Outcome.WON
    sign = 1 if won else -1
    bonuses = Side.TOGETHER if house.bonuses_once else Side.EACH
    takes_pool = Line("pool", 0, _("the pool"), {}, Side.POOL, 1)
    lines = []
    if won:
        lines += [
            takes_pool,
            Line("price", contract.price, REASONS["price", True], params),
        ]
        if case.tout:
            lines.append(Line("vole", house.vole_price, _("vole"), {}, bonuses))
        elif _pays_for_first_five(case) and case.first_five_by is case.declarer:
            lines.append(Line("primeras", house.primeras_price, _("primeras"), {}, bonuses))
    elif outcome is Outcome.VOLE_FAILED:
        if house.missed_vole_takes_pool:
            lines.append(takes_pool)
        missed = house.missed_vole_price - contract.price
        lines.append(Line("vole_failed", -missed, _("the vole missed"), {}))
        sign = 1
    else:
        side = Side.WINNERS if outcome is Outcome.KODILLE else Side.POOL
        code = "abandoned" if case.gave_up else "price"
        fine = 0 if house.puesta_to_players else house.loss_price * case.in_game
        lines.append(Line(code, -fine, REASONS[code, False], params, side, -1))
        if house.puesta_to_players:
            lines.append(Line("puesta", -house.loss_price, _("tokens for each player"), {}))
        if _pays_for_first_five(case) and case.opponents_won_first_five:
            lost = -house.primeras_price
            lines.append(Line("contraprimeras", lost, _("the first five tricks lost"), {}, bonuses))
    if case.result.estuches:
        count = case.result.estuches
        lines.append(
            Line("estuches", sign * count * house.estuche_price, _("{count} estuches"), {"count": count})
        )
    return lines


def _pays_for_first_five(case: Case) -> bool:
    """Whether the first five tricks cost anything: not where no trick is to be won."""
    return case.is_game or not RenegadoRules.of(case.rulebook.house).contrabola_without_first_five


def two_lines(case: Case) -> list[Line]:
    """The stake: it is won, doubled, or paid to the other player."""
    house, outcome = TwoRules.of(case.rulebook.house), case.outcome
    params = {"contract": case.contract.id, "outcome": outcome}
    if outcome is Outcome.WON:
        lines = [
            Line("pool", 0, _("the pool"), {}, Side.POOL, 1),
            Line("price", case.contract.price, REASONS["price", True], params),
        ]
    else:
        side = Side.WINNERS if outcome is Outcome.KODILLE else Side.POOL
        fine = house.loss_price * case.in_game
        lines = [Line("price", -fine, _("{contract}: {outcome}"), params, side, -1)]
    if case.result.estuches:
        count = case.result.estuches
        each = count * house.estuche_price
        lines.append(Line("estuches", each, _("{count} estuches"), {"count": count}))
    return lines


def five_lines(case: Case) -> list[Line]:
    """The pool, won, laid down again, or lost to the opponents; two thirds of it are the declarer's."""
    outcome = case.outcome
    params = {"contract": case.contract.id, "outcome": outcome}
    if outcome is Outcome.WON:
        return [Line("pool", 0, _("the pool"), {}, Side.PARTNERS, 1)]
    side = Side.PARTNERS if outcome is Outcome.REMISE else Side.OPPONENTS
    return [Line("price", 0, _("{contract}: {outcome}"), params, side, -1)]


def intro_lines(case: Case) -> list[Line]:
    """Single stakes, five of them for the vole, and five to an opponent who wins."""
    contract, outcome = case.contract, case.outcome
    side = Side.WINNERS if outcome is Outcome.KODILLE else Side.EACH
    lost = IntroRules.of(case.rulebook.house).missed_vole_price if case.tout == "failed" else 1
    times = {Outcome.WON: 1, Outcome.VOLE: _FIVEFOLD, Outcome.LOST: -lost, Outcome.KODILLE: -_FIVEFOLD}[
        outcome
    ]
    params = {"contract": contract.id, "outcome": outcome}
    return [Line("price", contract.price * times, _("{contract}: {outcome}"), params, side)]
