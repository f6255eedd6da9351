"""L'Hombre by the La Bete page, which is Rasle's game without variants: `scoring/rules/la_bete.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import BASTA, HAND, SPADILLE, Kind
from scoring.family_rules import LHombreRules, Shown
from scoring.rulebook import (
    NONE_AT_ALL,
    NONE_BUT_DEFENDERS,
    Contract,
    ExchangeLimits,
    OptionSpec,
    OptionValue,
    Trumps,
)
from scoring.rulebooks.base import (
    LHOMBRE_EXAMPLE,
    RulebookSource,
    agreements,
    declarer_foul,
    defender_foul_covers_idle,
    forced_spadille,
    house_rules,
    idle_settles,
    krokodille,
    literal_matador_privilege,
    pack_of,
    price_options,
    priced,
    simple_nolo_may_be_abandoned,
    tout_counts_in_defeat,
    turned_card_is_taken,
    with_nolo_abandoned,
    with_turned_card,
)
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping

_BUYS = ExchangeLimits(0, HAND, defenders=True)
_BUYS_ALONE = ExchangeLimits(0, HAND, defenders=False)

# fmt: off
CONTRACTS = (
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
        extra_per_trick=True, exchange=_BUYS_ALONE,
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
)
# fmt: on

OPTIONS: tuple[OptionSpec, ...] = (
    idle_settles("la_bete", default=True),
    forced_spadille("la_bete"),
    declarer_foul("la_bete"),
    defender_foul_covers_idle("la_bete"),
    tout_counts_in_defeat("la_bete"),
    simple_nolo_may_be_abandoned("la_bete", default=False),
    literal_matador_privilege("la_bete"),
    turned_card_is_taken("la_bete"),
    krokodille("la_bete"),
    *price_options("la_bete", CONTRACTS),
    *agreements("la_bete", first_dealer="by_lot", cutting="left", talon_left="down"),
)


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    return with_turned_card(with_nolo_abandoned(priced(CONTRACTS, options), options), options)


SOURCE = RulebookSource(
    id="la_bete",
    name=_("L'Hombre, La Bete"),
    source=_("the page “La Bete” on L'Hombre"),
    direction="counter-clockwise",
    players=(3, 4),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=lambda options: house_rules(LHombreRules, options, fouls=True),
    example=LHOMBRE_EXAMPLE,
    pack=pack_of,
)
