"""Ombre for two, with thirty cards: `scoring/rules/ombre_two.md`. The stake in the pool is what is played for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import Kind, Pack, without_suit
from scoring.contracts import Contract, Family, Trumps
from scoring.exchange import ExchangeLimits
from scoring.options import OptionSpec, OptionValue
from scoring.procedure import AuctionRules, Equalling, PlayRules
from scoring.rulebook import PoolRules
from scoring.rulebooks.source import RulebookSource
from scoring.rulebooks.specs import house_rules, literal_matador_privilege, tokens
from scoring.seats import Role
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.rulebook import HouseRules

_HAND = 8
_SUITS = {"hearts": "H", "diamonds": "D"}


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    return (
        Contract(
            id="ombre", rank=1, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=int(options["price_ombre"]),
            kodille_extra=0, exchange=ExchangeLimits(0, _HAND, defenders=True),
        ),
    )  # fmt: skip


OPTIONS: tuple[OptionSpec, ...] = (
    OptionSpec(
        name="suit_out",
        kind="choice",
        default="diamonds",
        values=("diamonds", "hearts"),
        title=_("Suit taken out"),
        explanation=_("The red suit that is taken out of the pack."),
        paragraph="ombre_two §1.4",
    ),
    literal_matador_privilege("ombre_two"),
    tokens("ante", 5, _("Ante"), _("Tokens that the dealer pays into the pool before each deal."), "ombre_two §6.5"),
    tokens(
        "price_ombre",
        0,
        _("Tokens beside the pool"),
        _("Tokens from the other player for a game that is won."),
        "ombre_two §6.2",
    ),
    tokens(
        "price_puesta",
        0,
        _("Price of a remise"),
        _("Tokens for each player that a loser pays on top of what lies in the pool."),
        "ombre_two §6.2",
    ),
    tokens(
        "price_estuche",
        0,
        _("Price of a matador"),
        _("Tokens for each top trump in sequence; with none they are not counted."),
        "ombre_two §6.6",
    ),
)  # fmt: skip


def house(options: Mapping[str, OptionValue]) -> HouseRules:
    return house_rules(
        options,
        family=Family.TWO,
        tricks=_HAND,
        counts_estuches=True,
        estuche_price=options["price_estuche"],
        loss_price=options["price_puesta"],
    )


SOURCE = RulebookSource(
    id="ombre_two",
    name=_("Ombre for two"),
    source=_("The encyclopedia's article on Ombre, two-handed"),
    direction="counter-clockwise",
    players=(2,),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=house,
    auction=AuctionRules(in_duels=False, equalling=Equalling.NEVER),
    play=PlayRules(announces_tout=False),
    seat_names={Role.FH: "A", Role.BH: "B"},
    pool=lambda options: PoolRules(int(options["ante"])),
    pack=lambda options: Pack(cards=without_suit(_SUITS[str(options["suit_out"])]), hand=_HAND, batch=2),
    changes=(),
)
