"""Rasle L'Hombre as families play it, with its variants as options: `scoring/rules/rasle.md`."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from scoring.cards import BASTA, HAND, SPADILLE, TALON, Kind
from scoring.family_rules import LHombreRules, Shown, When
from scoring.rulebook import (
    NONE_AT_ALL,
    NONE_BUT_DEFENDERS,
    BadOption,
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
    switch,
    tout_counts_in_defeat,
    turned_card_is_taken,
    with_nolo_abandoned,
    with_turned_card,
)
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


# Values of the options for the rank of grand and grandissimo: equal to a contract, or between it and the next.
RANKS = tuple(
    f"{where}_{contract}"
    for contract in ("tourne", "simple_nolo", "grand_tourne", "solo", "spade_solo")
    for where in ("as", "above")
)


def _switch(name: str, title: str, explanation: str, paragraph: str, *, default: bool = False) -> OptionSpec:
    return switch(name, title, explanation, f"rasle §{paragraph}", default=default)


_FIRST = (
    idle_settles("rasle", default=True),
    forced_spadille("rasle"),
    _switch(
        "kaske",
        _("Kaske"),
        _(
            "After three passes a player may take eight talon cards and keep one of their own, or"
            " take all nine."
        ),
        "3.5",
    ),
    _switch(
        "mort",
        _("Mort"),
        _("At a table of four, after three passes, the player sitting out takes the talon and plays alone."),
        "3.6",
    ),
    _switch(
        "mort_nolo", _("Mort as a nolo"), _("Where mort is played, it may also be played as a nolo."), "3.6"
    ),
    _switch(
        "grand",
        _("Grand and grandissimo"),
        _("Games in which only the black aces are trumps; at least five tricks win."),
        "3.7",
    ),
    OptionSpec(
        name="grand_rate",
        section="prices",
        kind="int",
        default=2,
        minimum=1,
        title=_("Price of a grand"),
        explanation=_(
            "Tokens each player pays for a grand or grandissimo that is won, and receives for a bête."
        ),
        paragraph="rasle §3.7",
    ),
    OptionSpec(
        name="grand_kodille_extra",
        section="prices",
        kind="int",
        default=1,
        title=_("Extra for a kodille in a grand"),
        explanation=_("Tokens added for a kodille in a grand or grandissimo, to each player."),
        paragraph="rasle §3.7",
    ),
    OptionSpec(
        name="grand_tourne_holdings",
        kind="choice",
        default="black_aces",
        values=("black_aces", "two_aces", "two_aces_or_seven"),
        title=_("Grand tourné is bid on"),
        explanation=_("The cards a player must have been dealt to bid grand tourné."),
        paragraph="rasle §3.8",
    ),
    OptionSpec(
        name="aces_bonus",
        section="prices",
        kind="int",
        default=0,
        title=_("Bonus for three or four aces"),
        explanation=_("Extra tokens from each player for winning a grand tourné bid on three or four aces."),
        paragraph="rasle §3.8",
    ),
    _switch(
        "nolo_defenders_exchange",
        _("Defenders exchange in simple nolo"),
        _("In a simple nolo the defenders may exchange cards after the declarer."),
        "4.3",
    ),
    _switch(
        "repeat_exchange",
        _("Exchange may be repeated"),
        _("The declarer of a simple nolo may exchange a second time for the price of a bête."),
        "4.6",
    ),
    _switch(
        "joint_simple_nolo",
        _("Others may join a simple nolo"),
        _("Defenders may join a simple nolo as declarers; each declarer settles with all the other players."),
        "7.4",
    ),
    _switch(
        "first_five_bonus",
        _("Bonus for the first five tricks"),
        _("A declarer who announces the first five tricks wins or loses one extra token for them."),
        "5.7",
    ),
    OptionSpec(
        name="one_four_four",
        kind="choice",
        default="kodille",
        values=("kodille", "bete", "won"),
        title=_("One trick against four and four"),
        explanation=_("The outcome when the declarer takes one trick and each defender four."),
        paragraph="rasle §5.5",
    ),
    declarer_foul("rasle"),
    defender_foul_covers_idle("rasle"),
)
# Options added later are listed last.
_LATER = (
    _switch(
        "mort_nolo_must",
        _("Mort is always a nolo"),
        _("Where mort may be a nolo, it must be one: there is no mort with trumps."),
        "3.6",
    ),
    _switch(
        "grand_tourne_red_aces",
        _("Grand tourné on the two red aces"),
        _("A grand tourné may also be bid on the two red aces."),
        "3.8",
    ),
    _switch(
        "grand_tourne_mixed_aces",
        _("Grand tourné on a red and a black ace"),
        _("A grand tourné may also be bid on one red and one black ace."),
        "3.8",
    ),
    _switch(
        "grand_tourne_three_aces",
        _("Grand tourné on three aces"),
        _("A grand tourné may also be bid on three or four aces."),
        "3.8",
    ),
    _switch(
        "grand_tourne_seven",
        _("Grand tourné on the seven of diamonds"),
        _("A grand tourné may also be bid on the seven of diamonds."),
        "3.8",
    ),
    OptionSpec(
        name="grand_rank",
        kind="choice",
        default="as_grand_tourne",
        values=RANKS,
        title=_("Rank of a grand"),
        explanation=_("Where a grand ranks among the bids; of two equal bids the first one wins."),
        paragraph="rasle §3.7",
    ),
    OptionSpec(
        name="grandissimo_rank",
        kind="choice",
        default="as_solo",
        values=RANKS,
        title=_("Rank of a grandissimo"),
        explanation=_("Where a grandissimo ranks among the bids, in the same way."),
        paragraph="rasle §3.7",
    ),
    krokodille("rasle"),
    _switch(
        "nolo_by_exchange",
        _("Simple nolo is outbid by more cards"),
        _(
            "The bidder of a simple nolo says at least how many cards will be exchanged; more "
            "cards outbid fewer."
        ),
        "9.2",
    ),
    _switch(
        "nolo_one_more",
        _("An extra card in an open simple nolo"),
        _(
            "The declarer may draw one card more than discarded and then discard one; the hand is then "
            "played open."
        ),
        "4.3",
    ),
    _switch(
        "nolo_for_all",
        _("All three play simple nolo"),
        _("In a simple nolo all three exchange; each pays every other player for each trick beyond three."),
        "7.5",
    ),
)
RULES: tuple[OptionSpec, ...] = (
    *_FIRST,
    OptionSpec(
        name="grand_short",
        kind="choice",
        default="bete",
        values=("bete", "kodille"),
        title=_("A grand with four tricks"),
        explanation=_("The outcome of a grand with more tricks than each defender, but fewer than five."),
        paragraph="rasle §3.7",
    ),
    tout_counts_in_defeat("rasle"),
    simple_nolo_may_be_abandoned("rasle", default=False),
    literal_matador_privilege("rasle"),
    turned_card_is_taken("rasle"),
    _switch(
        "nine_matadors",
        _("Nine matadors are noted"),
        _("Holding the nine top trumps is recorded on the sheet; any prize from the room is not counted."),
        "6.6",
    ),
    *_LATER,
)


_BUYS = ExchangeLimits(0, HAND, defenders=True)
# Kaske: eight cards and one of the hand, or nine. Grand: at least five. Mort: the whole talon.
_BUYS_KASKE = ExchangeLimits(HAND - 1, HAND, defenders=True, looks=HAND - 1)
_BUYS_GRAND = ExchangeLimits(5, HAND, defenders=True)
_TAKES_TALON = ExchangeLimits(TALON, TALON, defenders=False, lays_off=TALON - HAND)
# Sets of cards that a grand tourné requires, by the option, and further sets by separate options.
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
    """The table of contracts; those with `needs` are in force only if these options are on."""
    rows = with_turned_card(with_nolo_abandoned(priced(_table(options), options), options), options)
    return _ranked(rows, options)


def _required_cards(options: Mapping[str, OptionValue]) -> tuple[tuple[str, ...], ...]:
    """The sets of cards that a grand tourné requires."""
    also = [cards for name, holdings in _HELD_TOO.items() if options[name] for cards in holdings]
    return tuple(dict.fromkeys((*_HOLDINGS[str(options["grand_tourne_holdings"])], *also)))


def _ranked(rows: Iterable[Contract], options: Mapping[str, OptionValue]) -> tuple[Contract, ...]:
    """The contracts in the order of bidding, with grand and grandissimo at the ranks of their options."""
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
    """All contracts with the limits and prices that depend on options, before `priced` and the ranks."""
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
            held=_required_cards(options),
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
    # Prices of grand and grandissimo have options of their own.
    *price_options(
        "rasle",
        [row for row in _table({spec.name: spec.default for spec in RULES}) if row.kind is not Kind.GRAND],
    ),
    *agreements("rasle", first_dealer="by_lot", cutting="left", talon_left="down"),
)


def against(options: Mapping[str, OptionValue]) -> Iterator[BadOption]:
    if options["mort_nolo"] and not options["mort"]:
        yield BadOption("mort_nolo", _("Mort nolo is not possible where mort is not played."))
    if options["mort_nolo_must"] and not options["mort_nolo"]:
        yield BadOption("mort_nolo_must", _("Mort cannot always be a nolo if nolo is not allowed for mort."))


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
