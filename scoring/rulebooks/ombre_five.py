"""Ombre for five players; the holder of a called king is the partner: `scoring/rules/ombre_five.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import Kind, Pack
from scoring.family_rules import AuctionRules, Equalling, FiveRules, PlayRules, When
from scoring.rulebook import NONE_AT_ALL, Contract, OptionSpec, OptionValue, PoolRules, Trumps
from scoring.rulebooks.base import RulebookSource, agreements, house_rules, literal_matador_privilege, tokens
from scoring.versions import SOLO_BY_THE_LAST
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping

_HAND = 8

# fmt: off
CONTRACTS = (
    Contract(
        id="ask_leave", rank=1, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=0, kodille_extra=0,
        exchange=NONE_AT_ALL, with_partner=True,
    ),
    Contract(
        id="solo", rank=2, kind=Kind.TRUMP, trumps=Trumps.CHOSEN, price=0, kodille_extra=0,
        exchange=NONE_AT_ALL, when=When.LAST, by_last=True,
    ),
)
# fmt: on

OPTIONS: tuple[OptionSpec, ...] = (
    OptionSpec(
        name="remise_at",
        kind="int",
        default=4,
        minimum=1,
        maximum=4,
        title=_("Remise from"),
        explanation=_("The fewest tricks of declarer and partner that count as a remise; fewer are a "
"kodille."),
        paragraph="ombre_five §5.3",
    ),
    literal_matador_privilege("ombre_five"),
    tokens("ante", 3, _("Stake"), _("Tokens each player pays into the pool before a deal."), "ombre_five §6.5"),
    *agreements("ombre_five", first_dealer="highest_card", talon_left=None),
)  # fmt: skip


def contracts(_options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    return CONTRACTS


SOURCE = RulebookSource(
    id="ombre_five",
    name=_("Ombre for five"),
    source=_("The encyclopedia’s article on Ombre, five-handed"),
    direction="counter-clockwise",
    players=(5,),
    zero_sum=True,
    options=OPTIONS,
    contracts=contracts,
    house=lambda options: house_rules(FiveRules, options, tricks=_HAND),
    example=_("Seat, contract, trump, result, partner: “{one} ask leave h won partner {other}”."),
    pool=lambda options: PoolRules(int(options["ante"]), by_all=True),
    pack=lambda _options: Pack(hand=_HAND, batch=2),
    auction=AuctionRules(in_duels=False, equalling=Equalling.NEVER),
    play=PlayRules(announces_tout=False),
    changes=(SOLO_BY_THE_LAST,),
)
