"""Crocodile, by Jakob Sauntved: `scoring/rules/crocodile.md`. Clockwise, no matadors, only the declarer scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.cards import HAND, TALON, Kind, Pack, Ranking
from scoring.family_rules import AuctionRules, CrocodileRules, Equalling, PlayRules, Shown, When
from scoring.rulebook import NONE_BUT_DEFENDERS, Contract, ExchangeLimits, OptionSpec, OptionValue, Trumps
from scoring.rulebooks.base import (
    RulebookSource,
    agreements,
    house_rules,
    price_options,
    priced,
    switch,
    tokens,
)
from scoring.seats import Role
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping


_BUYS = ExchangeLimits(0, HAND, defenders=True)
_BUYS_FOUR = ExchangeLimits(0, 4, defenders=True)
_BUYS_TURNED = ExchangeLimits(1, 1, defenders=True)
# Casco: one card of the hand and the whole talon; five are laid off again, and the others draw from the discards.
_TAKES_TALON = ExchangeLimits(TALON, TALON, defenders=True, lays_off=5, from_discards=True)

_PROMISES = ("cuatro", "primeras", "tout")

# The price is the contract's value in points. A higher rank outbids; a higher value may be played instead of the bid.
# fmt: off
CONTRACTS = (
    Contract(
        id="casco", rank=0, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=1, kodille_extra=0,
        exchange=_TAKES_TALON, may_be_abandoned=True, by_forehand=True, when=When.FORCED, or_sans=True,
        trump_after_exchange=True, bonus_bids=_PROMISES,
    ),
    Contract(
        id="play", rank=1, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=2, kodille_extra=0,
        exchange=_BUYS, may_be_abandoned=True, bonus_bids=_PROMISES,
    ),
    Contract(
        id="grand", rank=2, kind=Kind.GRAND, trumps=Trumps.NONE, price=2, kodille_extra=0,
        exchange=_BUYS, may_be_abandoned=True, bonus_bids=_PROMISES,
    ),
    Contract(
        id="tournee", rank=3, kind=Kind.TRUMP, trumps=Trumps.TURNED, price=3, kodille_extra=0,
        exchange=_BUYS, may_be_abandoned=True, bonus_bids=_PROMISES,
    ),
    Contract(
        id="exchange_nolo", rank=4, kind=Kind.NOLO, trumps=Trumps.NONE, price=3, kodille_extra=0,
        exchange=_BUYS_FOUR,
    ),
    Contract(
        id="solo", rank=5, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=4, kodille_extra=0,
        exchange=NONE_BUT_DEFENDERS, bonus_bids=_PROMISES,
    ),
    Contract(
        id="grandissimo", rank=6, kind=Kind.GRAND, trumps=Trumps.NONE, price=4, kodille_extra=0,
        exchange=NONE_BUT_DEFENDERS, bonus_bids=_PROMISES,
    ),
    Contract(
        id="tournee_respect", rank=7, kind=Kind.TRUMP, trumps=Trumps.TURNED, price=6, kodille_extra=0,
        exchange=_BUYS_TURNED, bonus_bids=_PROMISES,
    ),
    Contract(
        id="nolo", rank=8, kind=Kind.NOLO, trumps=Trumps.NONE, price=6, kodille_extra=0,
        exchange=NONE_BUT_DEFENDERS,
    ),
    Contract(
        id="nolo_ouvert", rank=9, kind=Kind.NOLO, trumps=Trumps.NONE, price=10, kodille_extra=0,
        exchange=NONE_BUT_DEFENDERS, rare=True, shown=Shown.BEFORE_LEAD,
        bonus_bids=("talking_ouvert",),
    ),
)
# fmt: on

OPTIONS: tuple[OptionSpec, ...] = (
    switch(
        "contraprimeras_together",
        _("Both opponents make contraprimeras"),
        _("Contraprimeras means the opponents together win the first five tricks; otherwise one"
" opponent must win them all."),
        "crocodile §5.7",
        default=True,
    ),
    switch(
        "contraprimeras_always",
        _("Contraprimeras before all else"),
        _("A declarer who loses the first five tricks pays for contraprimeras even after a win "
"or a tie; otherwise only after a loss."),
        "crocodile §5.7",
        default=True,
    ),
    switch(
        "silent_bonuses_add",
        _("Silent bonuses add up"),
        _("A declarer who silently wins the first five tricks and then all nine earns both "
"bonuses; otherwise only the larger."),
        "crocodile §5.8",
        default=True,
    ),
    switch(
        "failed_tout_keeps_primeras",
        _("A failed tout keeps the first five"),
        _("A declarer who bid a tout and won the first five tricks, but lost a later one, still"
" earns the silent primeras."),
        "crocodile §5.8",
    ),
    switch(
        "several_bonus_bids",
        _("Several bonus bids"),
        _("A declarer may make more than one bonus bid; each is settled separately."),
        "crocodile §5.8",
    ),
    switch(
        "casco_may_be_conceded",
        _("Casco may be conceded"),
        _("Eldest hand may give up a casco before the first trick for a simple loss."),
        "crocodile §4.5",
        default=True,
    ),
    *price_options("crocodile", CONTRACTS, kodilles=False),
    tokens(
        "price_talking_ouvert",
        10,
        _("Price of talking ouvert"),
        _("Points for a nolo ouvert in which the opponents may talk, on top of the contract."),
        "crocodile §5.8",
    ),
    *agreements("crocodile"),
)  # fmt: skip


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    rows = priced(CONTRACTS, options)
    return tuple(
        replace(
            row,
            # Casco may not be played instead of another bid, whatever its price.
            may_become=tuple(
                other.id
                for other in rows
                if row.when is other.when is When.AUCTION and other.price > row.price
            ),
            may_be_abandoned=row.may_be_abandoned
            and (row.when is When.AUCTION or bool(options["casco_may_be_conceded"])),
        )
        for row in rows
    )


def house(options: Mapping[str, OptionValue]) -> CrocodileRules:
    return house_rules(CrocodileRules, options, talking_price=options["price_talking_ouvert"])


SOURCE = RulebookSource(
    id="crocodile",
    name=_("Crocodile"),
    source=_("Crocodile, contributed by Jakob Sauntved"),
    direction="clockwise",
    players=(3,),
    zero_sum=False,
    options=OPTIONS,
    contracts=contracts,
    house=house,
    example=_("Seat, contract, trump, result: “{one} play h won”, “{other} nolo crocodile lunch”."),
    seat_names={Role.FH: "ELD", Role.MH: "MID", Role.BH: "DLR"},
    # Its losses have names of their own: these are the headings over those that cost once, and more than once.
    wording={"Bête": _("Lost"), "Kodille": _("Lost dearly")},
    pack=lambda _options: Pack(ranking=Ranking.ACE_LOW),
    auction=AuctionRules(in_duels=False, equalling=Equalling.NEVER),
    play=PlayRules(may_offer=True, may_stop=False, announces_tout=False),
)
