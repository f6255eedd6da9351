"""Ombre as a first lesson, for single stakes: `scoring/rules/ombre_intro.md`. Not the game that clubs play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import HAND, Kind
from scoring.contracts import Contract, Family, Trumps
from scoring.exchange import ExchangeLimits
from scoring.options import OptionSpec, OptionValue
from scoring.procedure import AuctionRules, Equalling, PlayRules, Surrender
from scoring.rulebooks.source import RulebookSource
from scoring.rulebooks.specs import (
    house_rules,
    literal_matador_privilege,
    price_options,
    priced,
    switch,
    tokens,
)
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.rulebook import HouseRules

CONTRACTS = (
    Contract(
        id="ombre", rank=1, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=1, kodille_extra=0,
        exchange=ExchangeLimits(0, HAND, defenders=True), may_be_abandoned=True, surrender=Surrender.TAKE_OVER,
    ),
)  # fmt: skip

OPTIONS: tuple[OptionSpec, ...] = (
    switch(
        "codille_shared",
        _("A codille is shared"),
        _(
            "Opponents who won a codille with as many tricks share it; else it goes to who is nearer on the right."
        ),
        "ombre_intro §6.3",
        default=True,
    ),
    literal_matador_privilege("ombre_intro"),
    *price_options("ombre_intro", CONTRACTS, kodilles=False),
    tokens(
        "price_missed_vole",
        1,
        _("Price of a missed vole"),
        _("Stakes to each opponent for leading to the sixth trick and not winning all nine."),
        "ombre_intro §6.2",
    ),
)


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    return priced(CONTRACTS, options)


def house(options: Mapping[str, OptionValue]) -> HouseRules:
    return house_rules(options, family=Family.INTRO, missed_vole_price=options["price_missed_vole"])


SOURCE = RulebookSource(
    id="ombre_intro",
    name=_("Ombre, a first lesson"),
    source=_("The encyclopedia's article on Ombre, introduction"),
    direction="counter-clockwise",
    players=(3,),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=house,
    auction=AuctionRules(in_duels=False, equalling=Equalling.NEVER),
    play=PlayRules(declarer_leads=True, announces_tout=False, give_up_before=4),
)
