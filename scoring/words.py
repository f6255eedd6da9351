"""The words of the game, once: English source texts that a program around the engine translates.

`_` only marks a text so that gettext's tools find it; whoever shows the text translates it and fills its
`{placeholders}` with `str.format`. Parameters that are ids of these tables are words too; seats are `Role`s.
"""

from __future__ import annotations


def _(text: str) -> str:
    return text


CONTRACT_NAMES = {
    "simple_game": _("Game"),
    "spade_game": _("Spade game"),
    "tourne": _("Tourné"),
    "simple_nolo": _("Simple nolo"),
    "grand_tourne": _("Grand tourné"),
    "solo": _("Solo"),
    "spade_solo": _("Spade solo"),
    "pure_nolo": _("Pure nolo"),
    "nolo_ouvert": _("Nolo ouvert"),
    "kaske": _("Kaske"),
    "mort": _("Mort"),
    "mort_nolo": _("Mort nolo"),
    "grand": _("Grand"),
    "grandissimo": _("Grandissimo"),
}

OUTCOME_NAMES = {
    "won": _("won"),
    "bete": _("bête"),
    "kodille": _("kodille"),
    "washout": _("wash-out"),
}

SUIT_NAMES = {"S": _("spades"), "H": _("hearts"), "D": _("diamonds"), "C": _("clubs")}

ROLE_NAMES = {"FH": _("forehand"), "MH": _("middlehand"), "BH": _("backhand"), "IDLE": _("sits out")}

# Values of options that are a choice of words.
OPTION_VALUE_NAMES = OUTCOME_NAMES | {
    "black_aces": _("both black aces"),
    "two_aces": _("any two aces"),
    "two_aces_or_seven": _("any two aces, or the seven of diamonds"),
}
