"""Pot L'Hombre with Icelandic prices, paid out of a pot and into it: `scoring/rules/pot.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import BASTA, HAND, SPADILLE, TALON, Kind
from scoring.family_rules import LHombreRules, Shown
from scoring.rulebook import (
    NONE_AT_ALL,
    NONE_BUT_DEFENDERS,
    Contract,
    ExchangeLimits,
    OptionSpec,
    OptionValue,
    PoolRules,
    Trumps,
)
from scoring.rulebooks.base import (
    LHOMBRE_EXAMPLE,
    RulebookSource,
    agreements,
    forced_spadille,
    house_rules,
    literal_matador_privilege,
    price_options,
    priced,
    switch,
    tokens,
    tout_counts_in_defeat,
)
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping

_BUYS = ExchangeLimits(0, HAND, defenders=True)
_BUYS_ALONE = ExchangeLimits(0, HAND, defenders=False)
_TAKES_TALON = ExchangeLimits(TALON, TALON, defenders=False, lays_off=TALON - HAND)
_NEEDS_MORT, _NEEDS_GRANDISSIMO = ("mort",), ("grandissimo",)

# A kodille costs one token more in every contract.
# fmt: off
CONTRACTS = (
    Contract(
        id="mort", rank=0, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=1, kodille_extra=1, exchange=_TAKES_TALON,
        needs=_NEEDS_MORT, by_fourth=True, trump_after_exchange=True, wins_from=5, lacks=(SPADILLE,),
        may_become=("mort_spadille",),
    ),
    Contract(
        id="mort_spadille", rank=0, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=1, kodille_extra=1,
        exchange=_TAKES_TALON, needs=_NEEDS_MORT, by_fourth=True, trump_after_exchange=True, wins_from=6,
        held=((SPADILLE,),),
    ),
    Contract(
        id="simple_game", rank=1, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=1, kodille_extra=1,
        exchange=_BUYS, may_be_abandoned=True, may_become=("spade_game", "tourne", "simple_nolo"),
    ),
    Contract(
        id="spade_game", rank=2, kind=Kind.TRUMP, trumps=Trumps.SPADES, price=1, kodille_extra=1,
        exchange=_BUYS, may_be_abandoned=True,
    ),
    Contract(
        id="tourne", rank=3, kind=Kind.TRUMP, trumps=Trumps.TURNED, price=1, kodille_extra=1,
        exchange=_BUYS, may_be_abandoned=True,
    ),
    Contract(
        id="simple_nolo", rank=4, kind=Kind.NOLO, trumps=Trumps.NONE, price=2, kodille_extra=1,
        exchange=_BUYS_ALONE,
    ),
    Contract(
        id="grand_tourne", rank=5, kind=Kind.TRUMP, trumps=Trumps.TURNED, price=2, kodille_extra=1,
        exchange=_BUYS, may_be_abandoned=True, held=((SPADILLE, BASTA),),
    ),
    Contract(
        id="solo", rank=6, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=2, kodille_extra=1,
        exchange=NONE_BUT_DEFENDERS, may_become=("spade_solo",), asks_about_spades=True,
    ),
    Contract(
        id="grandissimo", rank=6, kind=Kind.GRAND, trumps=Trumps.NONE, price=2, kodille_extra=1,
        exchange=NONE_BUT_DEFENDERS, wins_from=5, needs=_NEEDS_GRANDISSIMO,
    ),
    Contract(
        id="pure_nolo", rank=7, kind=Kind.NOLO, trumps=Trumps.NONE, price=3, kodille_extra=1,
        exchange=NONE_AT_ALL,
    ),
    Contract(
        id="spade_solo", rank=7, kind=Kind.TRUMP, trumps=Trumps.SPADES, price=3, kodille_extra=1,
        exchange=NONE_BUT_DEFENDERS,
    ),
    Contract(
        id="nolo_ouvert", rank=8, kind=Kind.NOLO, trumps=Trumps.NONE, price=6, kodille_extra=1,
        exchange=NONE_AT_ALL, rare=True, shown=Shown.FIRST_CARD,
    ),
)
# fmt: on

OPTIONS: tuple[OptionSpec, ...] = (
    forced_spadille("pot"),
    switch(
        "mort",
        _("Mort"),
        _(
            "At a table of four, after three passes, the player sitting out takes the talon: five"
            " tricks win, or six if spadille was in it."
        ),
        "pot §3.6",
    ),
    switch(
        "grandissimo",
        _("Grandissimo"),
        _("A game without an exchange in which only the black aces are trumps; five tricks win."),
        "pot §3.7",
    ),
    tout_counts_in_defeat("pot"),
    literal_matador_privilege("pot"),
    tokens("ante", 1, _("Stake"), _("Tokens each player pays into the pot before a deal."), "pot §6.5"),
    *price_options("pot", CONTRACTS),
    *agreements("pot"),
)


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    return priced(CONTRACTS, options)


SOURCE = RulebookSource(
    id="pot",
    name=_("Pot L'Hombre (Iceland)"),
    source=_("Múlaþing 1985, pages 198–201: the numbers are Icelandic"),
    direction="counter-clockwise",
    players=(3, 4),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=lambda options: house_rules(LHombreRules, options, to_pool=True),
    example=LHOMBRE_EXAMPLE,
    pool=lambda options: PoolRules(int(options["ante"]), by_all=True),
)
