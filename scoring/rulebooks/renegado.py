"""Ombre renegado, the game of the seventeenth century, with a pool: `scoring/rules/renegado.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import HAND, TALON, Kind
from scoring.family_rules import AuctionRules, Equalling, FallsTo, PlayRules, RenegadoRules, Surrender, When
from scoring.rulebook import (
    NONE_AT_ALL,
    BadOption,
    Contract,
    ExchangeLimits,
    OptionSpec,
    OptionValue,
    PoolRules,
    Trumps,
)
from scoring.rulebooks.base import (
    RENEGADO_EXAMPLE,
    RulebookSource,
    agreements,
    house_rules,
    idle_settles,
    literal_matador_privilege,
    price_options,
    sits_out,
    switch,
    tokens,
)
from scoring.versions import (
    CONTRABOLA_WITHOUT_FIRST_FIVE,
    ESTUCHES_BY_SUIT,
    FIRST_FIVE_BY_TRICKS,
    STOPPED_WHEN_CLEAR,
)
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


# The first opponent to exchange takes at most eight cards.
_FIRST = HAND - 1
_BUYS = ExchangeLimits(0, HAND, defenders=True, first_defender=_FIRST)
_BUYS_FIVE = ExchangeLimits(0, 5, defenders=True, first_defender=_FIRST)
_BUYS_EIGHT = ExchangeLimits(0, 8, defenders=True, first_defender=_FIRST)
_BUYS_CASCA = ExchangeLimits(HAND - 1, HAND, defenders=True, looks=HAND - 1, first_defender=_FIRST)
_BUYS_NOTHING = ExchangeLimits(0, 0, defenders=True, first_defender=_FIRST)
_TAKES_TALON = ExchangeLimits(TALON, TALON, defenders=False, lays_off=TALON - HAND)


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    """The table of contracts: three bids, and contracts after all have passed, which count as entrada."""
    entrada, vuelta, solo = (int(options[f"price_{bid}"]) for bid in ("entrada", "vuelta", "solo"))
    return (
        Contract(
            id="spadille_force", rank=0, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=entrada, kodille_extra=0,
            exchange=_BUYS_EIGHT, may_be_abandoned=True, surrender=Surrender.TAKE_OVER,
            when=When.FORCED, trump_after_exchange=True, needs=("forced_spadille",),
        ),
        Contract(
            id="voltereta", rank=0, kind=Kind.TRUMP, trumps=Trumps.TURNED, price=entrada, kodille_extra=0,
            exchange=_BUYS_FIVE, may_be_abandoned=True, surrender=Surrender.TAKE_OVER, counts_as="vuelta",
            when=When.ALL_PASSED, needs=("voltereta",),
        ),
        Contract(
            id="gascarola", rank=0, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=entrada, kodille_extra=0,
            exchange=_BUYS_CASCA, may_be_abandoned=True, surrender=Surrender.TAKE_OVER,
            when=When.ALL_PASSED, trump_after_exchange=True, needs=("gascarola",),
        ),
        Contract(
            id="contrabola", rank=0, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=entrada, kodille_extra=0,
            exchange=NONE_AT_ALL, avoids_tricks=True, when=When.ALL_PASSED, needs=("contrabola",),
        ),
        Contract(
            id="mort", rank=0, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=entrada, kodille_extra=0,
            exchange=_TAKES_TALON, may_be_abandoned=True, surrender=Surrender.TAKE_OVER, by_fourth=True,
            trump_after_exchange=True, needs=("mort",),
        ),
        Contract(
            id="entrada", rank=1, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=entrada, kodille_extra=0,
            exchange=_BUYS, may_be_abandoned=True, surrender=Surrender.TAKE_OVER,
        ),
        Contract(
            id="vuelta", rank=2, kind=Kind.TRUMP, trumps=Trumps.TURNED, price=vuelta, kodille_extra=0,
            exchange=_BUYS, may_be_abandoned=True, surrender=Surrender.ACCEPTED,
        ),
        Contract(
            id="solo", rank=3, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=solo, kodille_extra=0,
            exchange=_BUYS_NOTHING,
        ),
    )  # fmt: skip


# The prices of the three bids in the source.
_PRICES = {"price_entrada": 5, "price_vuelta": 7, "price_solo": 15}
_BIDS = [row for row in contracts(_PRICES) if f"price_{row.id}" in _PRICES]

OPTIONS: tuple[OptionSpec, ...] = (
    idle_settles("renegado", default=True),
    sits_out("renegado"),
    switch(
        "forced_spadille",
        _("Spadille forcé"),
        _("When all pass, the holder of spadille must play, or else the holder of basta, or "
"else forehand."),
        "renegado §4.1",
    ),
    switch(
        "voltereta",
        _("Voltereta"),
        _("When all pass, a player may turn up a card for trumps and take up to five cards."),
        "renegado §3.5",
        default=True,
    ),
    switch(
        "gascarola",
        _("Gascarola"),
        _("When all pass, a player may take eight talon cards and keep one of their own, or "
"take all nine."),
        "renegado §3.5",
        default=True,
    ),
    switch(
        "contrabola",
        _("Contrabola"),
        _("When all pass, a player may name trumps, exchange nothing and try to lose all the tricks."),
        "renegado §3.5",
        default=True,
    ),
    switch(
        "mort",
        _("Mort"),
        _("At a table of four, after three passes, the player sitting out takes the talon and plays alone."),
        "renegado §3.6",
        default=True,
    ),
    switch(
        "count_estuches",
        _("Estuches are counted"),
        _("Top trumps in sequence that the declarer held or lacked are paid for one by one."),
        "renegado §6.6",
        default=True,
    ),
    switch(
        "codille_shared",
        _("A codille is shared"),
        _("Opponents who win a codille with equal tricks share it; otherwise it goes to the one"
" nearer on the right."),
        "renegado §6.3",
        default=True,
    ),
    switch(
        "puesta_to_players",
        _("A loser’s tokens go to the players"),
        _("A loser pays each opponent directly, instead of the pool or the winner of a codille."),
        "renegado §6.2",
    ),
    switch(
        "bonuses_once",
        _("Vole and primeras are paid once"),
        _("The opponents share the price of the vole or of primeras; otherwise each of them "
"pays it in full."),
        "renegado §6.4",
    ),
    switch(
        "missed_vole_takes_pool",
        _("A missed vole takes the pool"),
        _("A player who misses the vole has still won the game and takes what is in the pool."),
        "renegado §6.4",
    ),
    literal_matador_privilege("renegado"),
    *price_options("renegado", _BIDS, kodilles=False),
    tokens(
        "ante", 5, _("Ante"), _("Tokens the dealer pays into the pool before each deal."), "renegado §6.5"
    ),
    tokens("price_vole", 10, _("Price of the vole"), _("Tokens from each player for the vole."), "renegado §6.4"),
    tokens(
        "price_primeras",
        3,
        _("Price of primeras"),
        _("Tokens from each player for the first five tricks, or to each for losing them."),
        "renegado §6.4",
    ),
    tokens("price_estuche", 1, _("Price of an estuche"), _("Tokens for each estuche."), "renegado §6.6"),
    tokens(
        "price_puesta",
        5,
        _("Price of a puesta"),
        _("Tokens per player in the game that a loser pays on top of what is in the pool."),
        "renegado §6.2",
    ),
    tokens(
        "price_missed_vole",
        35,
        _("Price of a missed vole"),
        _("Tokens to each opponent, less the contract’s price and the estuches."),
        "renegado §6.4",
    ),
    *agreements("renegado", first_dealer="highest_card"),
)  # fmt: skip


def house(options: Mapping[str, OptionValue]) -> RenegadoRules:
    counts = options["count_estuches"]
    return house_rules(
        RenegadoRules,
        options,
        forced_spadille=False,  # nobody must bid: when all have passed, spadille plays a contract of its own
        counts_estuches=counts,
        estuche_price=options["price_estuche"] if counts else 0,
        vole_price=options["price_vole"],
        primeras_price=options["price_primeras"],
        loss_price=options["price_puesta"],
        missed_vole_price=options["price_missed_vole"],
    )


def against(options: Mapping[str, OptionValue]) -> Iterator[BadOption]:
    if int(options["price_missed_vole"]) < int(options["price_solo"]):
        yield BadOption("price_missed_vole", _("A missed vole must not cost less than a solo."))


SOURCE = RulebookSource(
    id="renegado",
    name=_("Ombre renegado"),
    source=_("The encyclopedia’s article on Ombre, renegado"),
    direction="counter-clockwise",
    players=(3, 4),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=house,
    example=RENEGADO_EXAMPLE,
    pool=lambda options: PoolRules(int(options["ante"])),
    against=against,
    auction=AuctionRules(in_duels=False, equalling=Equalling.EARLIER_BID, falls_to=FallsTo.SPADILLE),
    play=PlayRules(may_offer=True, announces_tout=False, give_up_before=4),
    changes=(STOPPED_WHEN_CLEAR, ESTUCHES_BY_SUIT, FIRST_FIVE_BY_TRICKS, CONTRABOLA_WITHOUT_FIRST_FIVE),
)
