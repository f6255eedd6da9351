"""Ombre for two players with thirty cards and a stake in the pool: `scoring/rules/ombre_two.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.cards import Kind, Pack, without_suit
from scoring.family_rules import AuctionRules, Equalling, PlayRules, RenegadoRules, Surrender, TwoRules
from scoring.rulebook import BadOption, Contract, ExchangeLimits, OptionSpec, OptionValue, PoolRules, Trumps
from scoring.rulebooks.base import (
    OMBRE_EXAMPLE,
    RulebookSource,
    agreements,
    house_rules,
    literal_matador_privilege,
    price_options,
    priced,
    switch,
    tokens,
)
from scoring.seats import Role
from scoring.versions import ESTUCHES_BY_SUIT, FIRST_FIVE_BY_TRICKS
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


_HAND = 8
_SUITS = {"hearts": "H", "diamonds": "D"}


_BUYS = ExchangeLimits(0, _HAND, defenders=True)
_BUYS_NOTHING = ExchangeLimits(0, 0, defenders=True)
# By an option, the bids and prices of renegado replace the single bid.
_LIKE_THREE = (
    Contract(
        id="entrada", rank=1, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=5, kodille_extra=0, exchange=_BUYS,
        may_be_abandoned=True, surrender=Surrender.TAKE_OVER, needs=("as_for_three",),
    ),
    Contract(
        id="vuelta", rank=2, kind=Kind.TRUMP, trumps=Trumps.TURNED, price=7, kodille_extra=0, exchange=_BUYS,
        may_be_abandoned=True, surrender=Surrender.ACCEPTED, needs=("as_for_three",),
    ),
    Contract(
        id="solo", rank=3, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=15, kodille_extra=0, exchange=_BUYS_NOTHING,
        needs=("as_for_three",),
    ),
)  # fmt: skip


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    ombre = Contract(
        id="ombre", rank=1, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=int(options["price_ombre"]),
        kodille_extra=0, exchange=_BUYS, unless=("as_for_three",),
    )  # fmt: skip
    return (ombre, *priced(_LIKE_THREE, options))


OPTIONS: tuple[OptionSpec, ...] = (
    OptionSpec(
        name="suit_out",
        kind="choice",
        default="diamonds",
        values=("diamonds", "hearts"),
        title=_("Suit taken out"),
        explanation=_("The red suit removed from the pack."),
        paragraph="ombre_two §1.4",
    ),
    literal_matador_privilege("ombre_two"),
    tokens("ante", 5, _("Ante"), _("Tokens the dealer pays into the pool before each deal."), "ombre_two §6.5"),
    tokens(
        "price_ombre",
        0,
        _("Tokens in addition to the pool"),
        _("Tokens from the other player for winning a game."),
        "ombre_two §6.2",
    ),
    tokens(
        "price_puesta",
        0,
        _("Price of a remise"),
        _("Tokens per player that a loser pays on top of what is in the pool."),
        "ombre_two §6.2",
    ),
    tokens(
        "price_estuche",
        0,
        _("Price of a matador"),
        _("Tokens for each top trump in sequence; 0 means they are not counted."),
        "ombre_two §6.6",
    ),
    switch(
        "as_for_three",
        _("Played as with three"),
        _("Entrada, vuelta and solo are bid, surrendered and paid for as in renegado, and so "
"are the vole and primeras."),
        "ombre_two §3.1",
    ),
    *price_options("ombre_two", _LIKE_THREE, kodilles=False),
    tokens("price_vole", 10, _("Price of the vole"), _("Tokens from the other player for the vole."), "ombre_two §6.4"),
    tokens(
        "price_primeras",
        3,
        _("Price of primeras"),
        _("Tokens from the other player for the first five tricks, or to the other player for "
"losing them."),
        "ombre_two §6.4",
    ),
    tokens(
        "price_missed_vole",
        35,
        _("Price of a missed vole"),
        _("Tokens to the other player, less the contract’s price and the estuches."),
        "ombre_two §6.4",
    ),
    *agreements("ombre_two", first_dealer="highest_card"),
)  # fmt: skip


def house(options: Mapping[str, OptionValue]) -> RenegadoRules | TwoRules:
    common: dict[str, Any] = {
        "tricks": _HAND,
        "estuche_price": options["price_estuche"],
        "loss_price": options["price_puesta"],
        "counts_estuches": True,
    }
    if not options["as_for_three"]:
        return house_rules(TwoRules, options, **common)
    return house_rules(
        RenegadoRules,
        options,
        tie="remise",
        vole_price=options["price_vole"],
        primeras_price=options["price_primeras"],
        missed_vole_price=options["price_missed_vole"],
        **common,
    )


def _example(options: Mapping[str, OptionValue]) -> str:
    if options["as_for_three"]:
        return _("Seat, contract, trump, result: “{one} entrada h won”, “{one} solo s kodille”.")
    return OMBRE_EXAMPLE


def against(options: Mapping[str, OptionValue]) -> Iterator[BadOption]:
    if int(options["price_missed_vole"]) < int(options["price_solo"]):
        yield BadOption("price_missed_vole", _("A missed vole must not cost less than a solo."))


def _auction(options: Mapping[str, OptionValue]) -> AuctionRules:
    equalling = Equalling.EARLIER_BID if options["as_for_three"] else Equalling.NEVER
    return AuctionRules(in_duels=False, equalling=equalling)


SOURCE = RulebookSource(
    id="ombre_two",
    name=_("Ombre for two"),
    source=_("The encyclopedia’s article on Ombre, two-handed"),
    direction="counter-clockwise",
    players=(2,),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=house,
    example=_example,
    against=against,
    auction=_auction,
    play=PlayRules(announces_tout=False, give_up_before=4),
    seat_names={Role.FH: "A", Role.BH: "B"},
    pool=lambda options: PoolRules(int(options["ante"])),
    pack=lambda options: Pack(cards=without_suit(_SUITS[str(options["suit_out"])]), hand=_HAND, batch=2),
    changes=(ESTUCHES_BY_SUIT, FIRST_FIVE_BY_TRICKS),
)
