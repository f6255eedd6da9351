"""What tables that play Rasle L'Hombre agree on: its options but for the prices of contracts."""

from __future__ import annotations

from scoring.options import OptionSpec
from scoring.rulebooks.base import (
    declarer_foul,
    defender_foul_covers_idle,
    forced_spadille,
    idle_settles,
    krokodille,
    literal_matador_privilege,
    simple_nolo_may_be_abandoned,
    switch,
    tout_counts_in_defeat,
    turned_card_is_taken,
)
from scoring.words import _

# Where grand and grandissimo rank: like one of these contracts, or between it and the next.
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
        _("After three passes a player may take eight talon cards and keep one of his own, or take nine."),
        "3.5",
    ),
    _switch(
        "mort",
        _("Mort"),
        _("At a table of four, after three passes, the player sitting out takes the talon and plays alone."),
        "3.6",
    ),
    _switch(
        "mort_nolo", _("Mort as a nolo"), _("Where mort is played, it may be played as a nolo too."), "3.6"
    ),
    _switch(
        "grand",
        _("Grand and grandissimo"),
        _("Games in which only the black aces are trumps; they are won with five tricks at least."),
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
            "Tokens that each player pays for a grand or grandissimo won, and receives for a bête."
        ),
        paragraph="rasle §3.7",
    ),
    OptionSpec(
        name="grand_kodille_extra",
        section="prices",
        kind="int",
        default=1,
        title=_("Extra for a kodille in a grand"),
        explanation=_("Tokens that a kodille in a grand or grandissimo costs on top, to each player."),
        paragraph="rasle §3.7",
    ),
    OptionSpec(
        name="grand_tourne_holdings",
        kind="choice",
        default="black_aces",
        values=("black_aces", "two_aces", "two_aces_or_seven"),
        title=_("Grand tourné is bid on"),
        explanation=_("The cards that a player must have been dealt to bid grand tourné."),
        paragraph="rasle §3.8",
    ),
    OptionSpec(
        name="aces_bonus",
        section="prices",
        kind="int",
        default=0,
        title=_("Bonus for three or four aces"),
        explanation=_(
            "Tokens more from each player for a grand tourné won that was bid on three or four aces."
        ),
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
        _("The declarer of a simple nolo may exchange a second time at the price of a bête."),
        "4.6",
    ),
    _switch(
        "joint_simple_nolo",
        _("Others may join a simple nolo"),
        _("Defenders may join a simple nolo as declarers; each declarer settles with all the others."),
        "7.4",
    ),
    _switch(
        "first_five_bonus",
        _("Bonus for the first five tricks"),
        _("A declarer who announces the first five tricks gets or pays a token more for them."),
        "5.7",
    ),
    OptionSpec(
        name="one_four_four",
        kind="choice",
        default="kodille",
        values=("kodille", "bete", "won"),
        title=_("One trick against four and four"),
        explanation=_("What a game is when the declarer takes one trick and each defender four."),
        paragraph="rasle §5.5",
    ),
    declarer_foul("rasle"),
    defender_foul_covers_idle("rasle"),
)
# What came later has its place behind the others.
_LATER = (
    _switch(
        "mort_nolo_must",
        _("Mort is always a nolo"),
        _("Where mort may be a nolo it must be one: there is no mort with trumps."),
        "3.6",
    ),
    _switch(
        "grand_tourne_red_aces",
        _("Grand tourné on the two red aces"),
        _("A grand tourné may be bid on the two red aces too."),
        "3.8",
    ),
    _switch(
        "grand_tourne_mixed_aces",
        _("Grand tourné on a red and a black ace"),
        _("A grand tourné may be bid on one red and one black ace too."),
        "3.8",
    ),
    _switch(
        "grand_tourne_three_aces",
        _("Grand tourné on three aces"),
        _("A grand tourné may be bid on three or four aces too."),
        "3.8",
    ),
    _switch(
        "grand_tourne_seven",
        _("Grand tourné on the seven of diamonds"),
        _("A grand tourné may be bid on the seven of diamonds too."),
        "3.8",
    ),
    OptionSpec(
        name="grand_rank",
        kind="choice",
        default="as_grand_tourne",
        values=RANKS,
        title=_("Rank of a grand"),
        explanation=_(
            "Where a grand stands among the bids; of two alike the one bid first outranks the other."
        ),
        paragraph="rasle §3.7",
    ),
    OptionSpec(
        name="grandissimo_rank",
        kind="choice",
        default="as_solo",
        values=RANKS,
        title=_("Rank of a grandissimo"),
        explanation=_("Where a grandissimo stands among the bids, in the same way."),
        paragraph="rasle §3.7",
    ),
    krokodille("rasle"),
    _switch(
        "nolo_by_exchange",
        _("Simple nolo is outbid by more cards"),
        _("Who bids simple nolo says how many cards he exchanges at least; more outbid fewer."),
        "9.2",
    ),
    _switch(
        "nolo_one_more",
        _("One card more in an open simple nolo"),
        _("The declarer may draw one card more than he discards and lay one off; then his hand is open."),
        "4.3",
    ),
    _switch(
        "nolo_for_all",
        _("All three play simple nolo"),
        _("In a simple nolo all three exchange; each pays every other for each trick beyond three."),
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
        explanation=_("What a grand is with more tricks than each defender, but fewer than five."),
        paragraph="rasle §3.7",
    ),
    tout_counts_in_defeat("rasle"),
    simple_nolo_may_be_abandoned("rasle", default=False),
    literal_matador_privilege("rasle"),
    turned_card_is_taken("rasle"),
    _switch(
        "nine_matadors",
        _("Nine matadors are noted"),
        _("Who holds the nine top trumps is noted on the sheet; what the room gives for it is not counted."),
        "6.6",
    ),
    *_LATER,
)
