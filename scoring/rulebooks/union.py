"""The tournament rules of the Danish union: `scoring/rules/union.md`, Table I."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import BASTA, HAND, SPADILLE, Kind
from scoring.family_rules import AuctionRules, LHombreRules, Shown
from scoring.rulebook import NONE_AT_ALL, NONE_BUT_DEFENDERS, Contract, ExchangeLimits, OptionValue, Trumps
from scoring.rulebooks.base import (
    LHOMBRE_EXAMPLE,
    RulebookSource,
    agreements,
    forced_spadille,
    house_rules,
    idle_settles,
    literal_matador_privilege,
    price_options,
    priced,
    simple_nolo_may_be_abandoned,
    tout_counts_in_defeat,
    with_nolo_abandoned,
)
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping

# The declarer must exchange at least one card, in a tourné one besides the turned card.
_BUYS = ExchangeLimits(1, HAND, defenders=True)
_BUYS_TURNED = ExchangeLimits(2, HAND, defenders=True)
_BUYS_ALONE = ExchangeLimits(1, HAND, defenders=False)


def _contract(
    contract: str, rank: int, group: str, kind: Kind, trumps: Trumps, price: int, exchange: ExchangeLimits,
    *may_become: str,
) -> Contract:  # fmt: skip
    """A row of Table I. A kodille costs one token more; contracts with an exchange may be given up."""
    return Contract(
        id=contract,
        rank=rank,
        group=group,
        kind=kind,
        trumps=trumps,
        price=price,
        kodille_extra=1,
        exchange=exchange,
        may_become=may_become,
        may_be_abandoned=exchange.most > 0,
        asks_about_spades=contract == "solo",
        rare=contract == "nolo_ouvert",
        held=((SPADILLE, BASTA),) if contract == "grand_tourne" else (),
        shown=Shown.BEFORE_LEAD if contract == "nolo_ouvert" else Shown.NEVER,
    )


# The winner of the auction may play an equal or higher contract of the same group instead.
# fmt: off
CONTRACTS = (
    _contract("simple_game", 1, "I", Kind.TRUMP, Trumps.CHOSEN, 1, _BUYS,
              "spade_game", "tourne", "simple_nolo", "grand_tourne"),
    _contract("spade_game", 2, "I", Kind.TRUMP, Trumps.SPADES, 1, _BUYS,
              "tourne", "simple_nolo", "grand_tourne"),
    _contract("tourne", 3, "I", Kind.TRUMP, Trumps.TURNED, 2, _BUYS_TURNED, "simple_nolo", "grand_tourne"),
    _contract("simple_nolo", 3, "I", Kind.NOLO, Trumps.NONE, 2, _BUYS_ALONE, "tourne", "grand_tourne"),
    _contract("grand_tourne", 4, "I", Kind.TRUMP, Trumps.TURNED, 3, _BUYS_TURNED),
    _contract("solo", 5, "II", Kind.TRUMP, Trumps.CHOSEN, 3, NONE_BUT_DEFENDERS, "spade_solo"),
    _contract("spade_solo", 6, "II", Kind.TRUMP, Trumps.SPADES, 4, NONE_BUT_DEFENDERS),
    _contract("pure_nolo", 6, "III", Kind.NOLO, Trumps.NONE, 4, NONE_AT_ALL),
    _contract("nolo_ouvert", 7, "IV", Kind.NOLO, Trumps.NONE, 6, NONE_AT_ALL),
)
# fmt: on

OPTIONS = (
    idle_settles("union", default=False),
    forced_spadille("union"),
    tout_counts_in_defeat("union"),
    simple_nolo_may_be_abandoned("union", default=True),
    literal_matador_privilege("union"),
    *price_options("union", CONTRACTS),
    *agreements("union", second_pack="two"),
)


# The union says "kruk" for a kodille, in every text that has the word.
_WORDING = {
    "kodille": _("kruk"),
    "Kodille": _("Kruk"),
    "These tricks do not decide the deal yet: say whether it was won, bête or kodille.": _(
        "These tricks do not decide the deal yet: say whether it was won, bête or kruk."
    ),
    "Say how the deal ended: won, bête or kodille.": _("Say how the deal ended: won, bête or kruk."),
    "Extra for a kodille in {contract}": _("Extra for a kruk in {contract}"),
    "Extra tokens for a kodille; where every trick costs, for each trick after the first.": _(
        "Extra tokens for a kruk."
    ),
    "A contract’s price covers a win and a plain loss; a kodille costs this much more, in"
    " some contracts for every trick.": _(
        "A contract’s price covers a win and a plain loss; a kruk costs this much more."
    ),
    "{name} was kodille in {contract}": _("{name} was kruk in {contract}"),
    "fewest kodilles": _("fewest kruks"),
    "the fewest kodilles as declarer": _("the fewest kruks as declarer"),
}


def contracts(options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    return with_nolo_abandoned(priced(CONTRACTS, options), options)


SOURCE = RulebookSource(
    id="union",
    name=_("Danish union, tournament rules"),
    source="Dansk L'hombre-Union, Regler for turnerings l'hombre, November 2018",
    direction="counter-clockwise",
    players=(3, 4),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=lambda options: house_rules(LHombreRules, options),
    example=LHOMBRE_EXAMPLE,
    wording=_WORDING,
    auction=AuctionRules(equals_swap=True, lowest_of_group=True),
)
