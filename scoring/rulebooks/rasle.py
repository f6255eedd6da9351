"""Rasle L'Hombre as families play it: `scoring/rules/rasle.md`, with the variants that tables agree on."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from scoring.cards import BASTA, HAND, SPADILLE, TALON, Kind
from scoring.contracts import Contract, Trumps
from scoring.exchange import NONE_AT_ALL, NONE_BUT_DEFENDERS, ExchangeLimits
from scoring.family_rules import LHombreRules
from scoring.options import BadOption, OptionValue
from scoring.procedure import Shown, When
from scoring.rulebooks.base import (
    LHOMBRE_EXAMPLE,
    agreements,
    house_rules,
    pack_of,
    price_options,
    priced,
    with_nolo_abandoned,
    with_turned_card,
)
from scoring.rulebooks.rasle_options import RULES
from scoring.rulebooks.source import RulebookSource
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_BUYS = ExchangeLimits(0, HAND, defenders=True)
# Kaske: eight cards and one's own ninth, or nine. Grand: five at least. Mort: the whole talon.
_BUYS_KASKE = ExchangeLimits(HAND - 1, HAND, defenders=True, looks=HAND - 1)
_BUYS_GRAND = ExchangeLimits(5, HAND, defenders=True)
_TAKES_TALON = ExchangeLimits(TALON, TALON, defenders=False, lays_off=TALON - HAND)
# What a grand tourné is bid on, by the option; and what it is bid on too, by options of their own.
_ACES = ("SA", "HA", "DA", "CA")
_TWO_ACES = tuple(combinations(_ACES, 2))
_HOLDINGS = {
    "black_aces": ((SPADILLE, BASTA),),
    "two_aces": _TWO_ACES,
    "two_aces_or_seven": (*_TWO_ACES, ("D7",)),
}
_HELD_TOO = {
    "grand_tourne_red_aces": (("HA", "DA"),),
    "grand_tourne_mixed_aces": (("SA", "HA"), ("SA", "DA"), ("HA", "CA"), ("DA", "CA")),
    "grand_tourne_three_aces": tuple(combinations(_ACES, 3)),
    "grand_tourne_seven": (("D7",),),
}


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    """The table of contracts; those that `need` options are played where these are on."""
    rows = with_turned_card(with_nolo_abandoned(priced(_table(options), options), options), options)
    return _ranked(rows, options)


def _held(options: Mapping[str, OptionValue]) -> tuple[tuple[str, ...], ...]:
    """What a grand tourné is bid on."""
    also = [cards for name, holdings in _HELD_TOO.items() if options[name] for cards in holdings]
    return tuple(dict.fromkeys((*_HOLDINGS[str(options["grand_tourne_holdings"])], *also)))


def _ranked(rows: Iterable[Contract], options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    """The contracts in the order of bidding, grand and grandissimo where the options put them."""
    rows = tuple(rows)
    places = {row.id: 2 * row.rank for row in rows}
    for name in ("grand", "grandissimo"):
        where, _underscore, like = str(options[f"{name}_rank"]).partition("_")
        places[name] = places[like] + (where == "above")
    ranks = {place: rank for rank, place in enumerate(sorted(set(places.values())))}
    return tuple(
        replace(row, rank=ranks[places[row.id]]) for row in sorted(rows, key=lambda row: places[row.id])
    )


def _table(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    """The rulebook's own prices, in tokens."""
    for_all = bool(options["nolo_for_all"])
    least = 1 if options["nolo_by_exchange"] else 0
    buys_nolo = ExchangeLimits(least, HAND, defenders=for_all or bool(options["nolo_defenders_exchange"]))
    grand_price, grand_extra = int(options["grand_rate"]), int(options["grand_kodille_extra"])
    return (
        Contract(
            id="kaske", rank=0, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=1, kodille_extra=1,
            exchange=_BUYS_KASKE, may_be_abandoned=True, needs=("kaske",), when=When.ALL_PASSED,
            trump_after_exchange=True,
        ),
        Contract(
            id="mort", rank=0, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=1, kodille_extra=1,
            exchange=_TAKES_TALON, may_be_abandoned=True, needs=("mort",), by_fourth=True,
            trump_after_exchange=True, may_become=("mort_nolo",),
            unless=("mort_nolo_must",),
        ),
        Contract(
            id="mort_nolo", rank=0, kind=Kind.NOLO, trumps=Trumps.NONE, price=2, kodille_extra=1,
            extra_per_trick=True, exchange=_TAKES_TALON, needs=("mort", "mort_nolo"), by_fourth=True,
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
            extra_per_trick=True, exchange=buys_nolo, fourth_joins=not for_all,
            others_may_join=bool(options["joint_simple_nolo"]) and not for_all, may_repeat_exchange=not for_all,
            all_join=for_all, free_tricks=3 if for_all else 0,
            pledges=bool(options["nolo_by_exchange"]), may_take_more=bool(options["nolo_one_more"]),
        ),
        Contract(
            id="grand_tourne", rank=5, kind=Kind.TRUMP, trumps=Trumps.TURNED, price=2, kodille_extra=1,
            exchange=_BUYS, may_be_abandoned=True, may_have_aces=True,
            held=_held(options),
        ),
        Contract(
            id="grand", rank=5, kind=Kind.GRAND, trumps=Trumps.NONE, price=grand_price,
            kodille_extra=grand_extra, exchange=_BUYS_GRAND, may_be_abandoned=True, wins_from=5,
            needs=("grand",),
        ),
        Contract(
            id="solo", rank=6, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=2, kodille_extra=1,
            exchange=NONE_BUT_DEFENDERS, may_become=("spade_solo",), asks_about_spades=True,
        ),
        Contract(
            id="grandissimo", rank=6, kind=Kind.GRAND, trumps=Trumps.NONE, price=grand_price,
            kodille_extra=grand_extra, exchange=NONE_BUT_DEFENDERS, wins_from=5, needs=("grand",),
        ),
        Contract(
            id="pure_nolo", rank=7, kind=Kind.NOLO, trumps=Trumps.NONE, price=3, kodille_extra=2,
            exchange=NONE_AT_ALL,
        ),
        Contract(
            id="spade_solo", rank=7, kind=Kind.TRUMP, trumps=Trumps.SPADES, price=3, kodille_extra=2,
            exchange=NONE_BUT_DEFENDERS,
        ),
        Contract(
            id="nolo_ouvert", rank=8, kind=Kind.NOLO, trumps=Trumps.NONE, price=5, kodille_extra=3,
            exchange=NONE_AT_ALL, rare=True, shown=Shown.FIRST_CARD,
        ),
    )  # fmt: skip


OPTIONS = (
    *RULES,
    # Grand and grandissimo have their own options.
    *price_options(
        "rasle",
        [row for row in _table({spec.name: spec.default for spec in RULES}) if row.kind is not Kind.GRAND],
    ),
    *agreements("rasle", first_dealer="by_lot", cutting="left", talon_left="down"),
)


def against(options: Mapping[str, OptionValue]) -> Iterator[BadOption]:
    if options["mort_nolo"] and not options["mort"]:
        yield BadOption("mort_nolo", _("There is no mort nolo where mort is not played."))
    if options["mort_nolo_must"] and not options["mort_nolo"]:
        yield BadOption("mort_nolo_must", _("Mort cannot have to be a nolo where it may not be one."))


SOURCE = RulebookSource(
    id="rasle",
    name=_("Rasle L'Hombre"),
    source=_("pagat.com, L'Hombre, described by Jens Brix Christiansen"),
    direction="counter-clockwise",
    players=(3, 4),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=lambda options: house_rules(LHombreRules, options, fouls=True),
    example=LHOMBRE_EXAMPLE,
    pack=pack_of,
    against=against,
)
