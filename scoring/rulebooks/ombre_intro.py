"""Ombre as a first lesson with single stakes, not played by clubs: `scoring/rules/ombre_intro.md`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.cards import HAND, Kind
from scoring.family_rules import AuctionRules, Equalling, IntroRules, PlayRules, Surrender
from scoring.rulebook import Contract, ExchangeLimits, OptionSpec, OptionValue, Trumps
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
from scoring.versions import FIRST_FIVE_BY_TRICKS
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping


_BUYS = ExchangeLimits(0, HAND, defenders=True)
# The option to bid a number of tricks, from five up.
_BIDS = {"five_tricks": 5, "six_tricks": 6, "seven_tricks": 7, "eight_tricks": 8, "nine_tricks": 9}


def _bid(name: str, rank: int, wins_from: int, needs: tuple[str, ...], unless: tuple[str, ...]) -> Contract:
    return Contract(
        id=name, rank=rank, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=1, kodille_extra=0, exchange=_BUYS,
        may_be_abandoned=True, surrender=Surrender.TAKE_OVER, wins_from=wins_from, needs=needs, unless=unless,
    )  # fmt: skip


_OMBRE = _bid("ombre", 1, 0, (), ("bids_tricks",))
CONTRACTS = (_OMBRE, *(_bid(name, number, number, ("bids_tricks",), ()) for name, number in _BIDS.items()))

OPTIONS: tuple[OptionSpec, ...] = (
    switch(
        "codille_shared",
        _("A codille is shared"),
        _(
            "Opponents who win a codille with equal tricks share it; otherwise it goes to the one"
            " nearer on the right."
        ),
        "ombre_intro §6.3",
        default=True,
    ),
    literal_matador_privilege("ombre_intro"),
    switch(
        "bids_tricks",
        _("The number of tricks is bid"),
        _(
            "Players bid how many tricks they will win, from five to nine; the highest bidder "
            "plays and must win that many."
        ),
        "ombre_intro §3.1",
    ),
    *price_options("ombre_intro", [_OMBRE], kodilles=False),
    tokens(
        "price_missed_vole",
        1,
        _("Price of a missed vole"),
        _("Stakes paid to each opponent for leading to the sixth trick and not winning all nine."),
        "ombre_intro §6.2",
    ),
    *agreements("ombre_intro"),
)


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    """The contracts at the price of the single one, by the option to bid a number of tricks."""
    (ombre,) = priced([_OMBRE], options)
    return tuple(replace(row, price=ombre.price) for row in CONTRACTS)


def house(options: Mapping[str, OptionValue]) -> IntroRules:
    return house_rules(IntroRules, options, missed_vole_price=options["price_missed_vole"])


SOURCE = RulebookSource(
    id="ombre_intro",
    name=_("Ombre, a first lesson"),
    source=_("The encyclopedia’s article on Ombre, introduction"),
    direction="counter-clockwise",
    players=(3,),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=house,
    example=OMBRE_EXAMPLE,
    auction=AuctionRules(in_duels=False, equalling=Equalling.NEVER),
    play=PlayRules(declarer_leads=True, announces_tout=False, give_up_before=4),
    changes=(FIRST_FIVE_BY_TRICKS,),
)
