"""Price lines of a deal: what the declarer receives or pays, and how each line is shared between the players.

A line is in tokens that each player who settles pays the declarer; the declarer pays a negative one. An account is one
declarer's lines: there is one account, and one more for each player who joined a nolo.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.family_rules import (
    CrocodileRules,
    FiveRules,
    HouseRules,
    IntroRules,
    LHombreRules,
    RenegadoRules,
    TwoRules,
)
from scoring.outcomes import BY_NAME, KODILLE_FROM, Outcome, nolo_outcome
from scoring.seats import ACTIVE, NOBODY, PLAYING, POOL, ROLES, Role, from_the_right_of
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoring.report_case import Case
    from scoring.rulebook import Contract


class Side(IntEnum):
    """The party that settles a line with the declarer."""

    EACH = 0  # each player who settles
    NOBODY = 1  # points, which no other player loses
    POOL = 2
    WINNERS = 3  # the opponents who won a kodille, in equal shares
    PARTNERS = 4  # the pool, with the declarer for two thirds and his partner for one
    OPPONENTS = 5  # the opponents of declarer and partner, in equal shares
    TOGETHER = (
        6  # those who settle, in equal shares; odd tokens go to the players nearest to the declarer's right
    )


class Line(NamedTuple):
    """A price and its reason: `each` is the tokens that every player who settles pays the declarer.

    On a side other than EACH it is one amount: `each` tokens plus `pool` times the tokens in the pool. If `capped`, the
    pool pays no more than it holds. `text` is English with `{params}`.
    """

    code: str
    each: int
    text: str
    params: dict[str, Any]
    side: Side = Side.EACH
    pool: int = 0
    capped: bool = False


@cache
def game_line(contract: Contract, outcome: Outcome, code: str = "price") -> Line:
    """The line of the contract's price: positive if won, negative if lost."""
    won = outcome is Outcome.WON
    return Line(
        code,
        contract.price if won else -contract.price,
        REASONS[code, won],
        {"contract": contract.id, "outcome": outcome},
    )


@cache
def kodille_line(contract: Contract, tricks: int | None) -> Line:
    """The line of a kodille on top of the price: once, or for every trick after the first (`extra_per_trick`)."""
    if not contract.extra_per_trick:
        return Line("kodille", -contract.kodille_extra, _("kodille"), {})
    took = max(tricks or KODILLE_FROM, KODILLE_FROM)
    return Line(
        "kodille", -contract.kodille_extra * (took - 1), _("kodille with {tricks} tricks"), {"tricks": took}
    )


def beyond_line(contract: Contract, tricks: int) -> Line:
    """The line of a contract that all join: what one player pays each other for tricks beyond the free ones."""
    over = max(tricks - contract.free_tricks, 0)
    text = _("{contract} with {tricks} tricks")
    return Line("price", -contract.kodille_extra * over, text, {"contract": contract.id, "tricks": tricks})


def tout_line(tout: str) -> Line:
    """The line of a tout that was `won` or `failed`."""
    return _WON_TOUT if tout == "won" else _FAILED_TOUT


def first_five_line(bonus: str) -> Line:
    """The line of the bonus for the first five tricks, `won` or `failed`."""
    return _WON_FIRST_FIVE if bonus == "won" else _FAILED_FIRST_FIVE


def repeat_line(contract: Contract) -> Line:
    """The line of a repeated exchange, which costs a bete whether the deal is won or lost."""
    return Line("exchange_repeated", -contract.price, _("exchange repeated"), {})


def aces_line(bonus: int) -> Line:
    """The line of a game won with three or four aces."""
    return Line("aces", bonus, _("three or four aces"), {})


# (code of the line, whether the contract was won) -> the reason in words.
REASONS = {
    ("price", True): _("{contract} won"),
    ("price", False): _("{contract} lost"),
    ("abandoned", False): _("{contract} given up"),
    ("foul", True): _("{contract} won by a fouled exchange"),
    ("foul", False): _("{contract} lost by a fouled exchange"),
    ("joined", True): _("joined {contract} won"),
    ("joined", False): _("joined {contract} lost"),
    ("idle_abandoned", False): _("joined {contract} given up"),
}
_WON_TOUT = Line("tout_won", 1, _("tout won"), {})
_FAILED_TOUT = Line("tout_failed", -1, _("tout failed"), {})
_WON_FIRST_FIVE = Line("five_first_won", 1, _("the first five tricks won"), {})
_FAILED_FIRST_FIVE = Line("five_first_failed", -1, _("the first five tricks not won"), {})
# Codes of lines that a settlement lists as extras.
EXTRAS = frozenset(
    (
        "tout_won",
        "tout_failed",
        "five_first_won",
        "five_first_failed",
        "exchange_repeated",
        "aces",
        "vole",
        "primeras",
        "contraprimeras",
        "silent_cuatro",
        "silent_primeras",
        "silent_tout",
        "cuatro_made",
        "cuatro_failed",
        "primeras_made",
        "primeras_failed",
        "tout_made",
        "talking_made",
        "talking_failed",
    )
)


_FIVEFOLD = 5
# Crocodile: outcomes and bonuses (bid and silent) as multiples of the contract's value.
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
    """The account of Crocodile in points: the contract's value by outcome, and a line for each bonus."""
    value, outcome = case.contract.price, case.outcome
    house = CrocodileRules.narrow(case.rulebook.house)
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
    """The bonuses that were made without a bid; a tout that was bid includes the primeras.

    The source does not say whether a failed tout does too, hence the option `failed_tout_keeps_primeras`.
    """
    house, bid = CrocodileRules.narrow(case.rulebook.house), set(case.result.bonus_bid)
    if "tout" in bid and ("tout" in case.feats or not house.failed_tout_keeps_primeras):
        bid.add("primeras")
    silent = [feat for feat in _SILENT if feat in case.feats and feat not in bid]
    return silent if house.silent_bonuses_add else silent[-1:]


def renegado_lines(case: Case) -> list[Line]:
    """The account of renegado: tokens from each opponent, and payments to and from the pool."""
    house, outcome = RenegadoRules.narrow(case.rulebook.house), case.outcome
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
    """Whether the first five tricks have a price: not in a contrabola, by the rules since 1.2."""
    return case.is_game or not RenegadoRules.narrow(case.rulebook.house).contrabola_without_first_five


def two_lines(case: Case) -> list[Line]:
    """The account of ombre for two: the stake in the pool is won, doubled, or paid to the other player."""
    house, outcome = TwoRules.narrow(case.rulebook.house), case.outcome
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
    """The account of ombre for five: the pool is won, paid again, or lost; two thirds of it are the declarer's."""
    outcome = case.outcome
    params = {"contract": case.contract.id, "outcome": outcome}
    if outcome is Outcome.WON:
        return [Line("pool", 0, _("the pool"), {}, Side.PARTNERS, 1)]
    side = Side.PARTNERS if outcome is Outcome.REMISE else Side.OPPONENTS
    return [Line("price", 0, _("{contract}: {outcome}"), params, side, -1)]


def intro_lines(case: Case) -> list[Line]:
    """The account of the first lesson's game: one stake, five for a vole, and five to an opponent who wins."""
    contract, outcome = case.contract, case.outcome
    side = Side.WINNERS if outcome is Outcome.KODILLE else Side.EACH
    lost = IntroRules.narrow(case.rulebook.house).missed_vole_price if case.tout == "failed" else 1
    times = {Outcome.WON: 1, Outcome.VOLE: _FIVEFOLD, Outcome.LOST: -lost, Outcome.KODILLE: -_FIVEFOLD}[
        outcome
    ]
    params = {"contract": contract.id, "outcome": outcome}
    return [Line("price", contract.price * times, _("{contract}: {outcome}"), params, side)]


def declarer_lines(case: Case) -> list[Line]:
    """The lines of the declarer's account, by the family of the rulebook."""
    return _ACCOUNTS[type(case.rulebook.house)](case)


def _lhombre_lines(case: Case) -> list[Line]:
    """The account of l'hombre: the contract's price, kodille, tout and agreed bonuses."""
    result, contract, outcome = case.result, case.contract, case.outcome
    house = LHombreRules.narrow(case.rulebook.house)
    if contract.all_join and not result.foul:
        return [beyond_line(contract, case.tricks[case.declarer])]
    code = "abandoned" if result.abandoned else "foul" if result.foul else "price"
    lines = [game_line(contract, outcome, code)]
    if outcome is Outcome.KODILLE:
        lines.append(kodille_line(contract, case.tricks.get(case.declarer)))
    if house.to_pool:
        lines = [line._replace(side=Side.POOL, capped=True) for line in lines]
    if case.tout and (outcome is Outcome.WON or house.tout_counts_in_defeat):
        lines.append(tout_line(case.tout))
    if result.five_first:
        lines.append(first_five_line(result.five_first))
    if result.exchange_repeated:
        lines.append(repeat_line(contract))
    if result.aces and outcome is Outcome.WON:
        lines.append(aces_line(house.aces_bonus))
    return lines


def lines_of_joined(case: Case, role: Role) -> list[Line]:
    """The account of a player who joined a nolo; lost by the one who fouled the exchange, won by the others."""
    result, contract = case.result, case.contract
    if result.foul is None:
        gave_up = role is Role.IDLE and result.idle_abandoned
        return joined_lines(contract, None if gave_up else case.tricks[role])
    if result.foul is not role:
        return [game_line(contract, Outcome.WON, "foul")]
    outcome = BY_NAME[LHombreRules.narrow(case.rulebook.house).declarer_foul]
    lines = [game_line(contract, outcome, "foul")]
    if outcome is Outcome.KODILLE:
        lines.append(kodille_line(contract, None))
    return lines


def joined_lines(contract: Contract, tricks: int | None) -> list[Line]:
    """The account of a player who joined a nolo and took `tricks`; None gave up the hand, which costs a bete."""
    if tricks is None:
        return [game_line(contract, Outcome.BETE, "idle_abandoned")]
    if contract.all_join:
        return [beyond_line(contract, tricks)]
    outcome = nolo_outcome(tricks)
    lines = [game_line(contract, outcome, "joined")]
    if outcome is Outcome.KODILLE:
        lines.append(kodille_line(contract, tricks))
    return lines


_ACCOUNTS: dict[type[HouseRules], Callable[[Case], list[Line]]] = {
    LHombreRules: _lhombre_lines,
    CrocodileRules: crocodile_lines,
    RenegadoRules: renegado_lines,
    TwoRules: two_lines,
    FiveRules: five_lines,
    IntroRules: intro_lines,
}


_TWO_THIRDS, _THIRDS = 2, 3


class Share(NamedTuple):
    """The part of a line between a declarer (`own`) and `other`: a role, the pool or nobody; positive if `other` pays.

    The amount is `tokens + times * floor((pool + plus) / by)`; if `capped`, `tokens` are at most the pool.
    """

    own: Role
    other: Role | int
    tokens: int = 0
    times: int = 0
    plus: int = 0
    by: int = 1
    capped: bool = False

    def amount(self, pool: int) -> int:
        """The tokens to pay, given the tokens in the pool."""
        tokens = min(self.tokens, pool) if self.capped else self.tokens
        return tokens + self.times * ((pool + self.plus) // self.by)


def divide_line(line: Line, case: Case) -> list[Share]:
    """The shares of a line on a side other than EACH."""
    declarer, partner = case.declarer, case.result.partner
    if line.side is Side.WINNERS:
        return _among_winners(line, case)
    if line.side is Side.TOGETHER:
        return _together(line, case)
    if line.side is Side.OPPONENTS:
        opponents = [role for role in case.defenders if role is not partner]
        owners = [declarer] * len(opponents) if partner is None else [declarer, declarer, partner]
        return [
            Share(own, other, times=line.pool, by=len(opponents))
            for own, other in zip(owners, opponents, strict=True)
        ]
    if partner is not None:
        return [
            Share(declarer, POOL, times=_TWO_THIRDS * line.pool, by=_THIRDS),
            Share(partner, POOL, times=line.pool, by=_THIRDS),
        ]
    other = NOBODY if line.side is Side.NOBODY else POOL
    return [Share(declarer, other, line.each, line.pool, capped=line.capped)]


def _among_winners(line: Line, case: Case) -> list[Share]:
    """Equal shares for the winners of a kodille; odd tokens go to those nearest to the declarer's right."""
    owed, count = -line.each, len(case.winners)
    if count == 1 or not line.pool:
        return [
            Share(case.declarer, winner, -((owed + count - 1 - place) // count), line.pool)
            for place, winner in enumerate(case.winners)
        ]
    return [
        Share(case.declarer, winner, 0, line.pool, owed + count - 1 - place, count)
        for place, winner in enumerate(case.winners)
    ]


def _together(line: Line, case: Case) -> list[Share]:
    """Equal shares of everyone who settles; odd tokens go to those nearest to the declarer's right."""
    settling = settling_roles(case.declarer, case.players, case.rulebook.house, case.contract.by_fourth)
    sign = 1 if line.each > 0 else -1
    whole, odd = divmod(abs(line.each), len(settling))
    dealer_out = case.rulebook.dealer_sits_out
    order = from_the_right_of(case.declarer, case.players, dealer_out=dealer_out)
    others = [role for role in order if role in settling]
    return [Share(case.declarer, role, sign * (whole + (place < odd))) for place, role in enumerate(others)]


def settling_roles(
    owner: Role, players: int, house: HouseRules, fourth_plays: bool, foul: Role | None = None
) -> Sequence[Role]:
    """The role that settles each share of a declarer's account; a role with several shares is repeated.

    Everyone who plays has one share; a player who sits out has one by the option `idle_settles`. A defender who fouled
    the exchange takes over the others' shares, that of a player who sits out only by `defender_foul_covers_idle`.
    """
    shares = _settling(owner, players, fourth_plays or house.idle_settles)
    if foul is None or foul is owner:
        return shares
    covered = shares if fourth_plays or LHombreRules.narrow(house).defender_foul_covers_idle else ACTIVE
    return [foul if role in covered else role for role in shares]


@cache
def _settling(owner: Role, players: int, fourth_settles: bool) -> tuple[Role, ...]:
    return tuple(role for role in (ROLES if fourth_settles else PLAYING)[players] if role is not owner)
