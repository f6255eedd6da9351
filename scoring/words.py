"""English names of the game's terms by their ids, to be translated by the program that shows them.

`_` only marks a text for gettext's extraction. A caller that shows a text translates it and fills in its `{params}`
with `str.format`. Parameters that are ids of these tables are translated too; seats are `Role`s.
"""

from __future__ import annotations


def _(text: str) -> str:
    """Mark a text for translation and return it unchanged."""
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
    "mort_spadille": _("Mort with spadille"),
    "grand": _("Grand"),
    "grandissimo": _("Grandissimo"),
    "casco": _("Casco"),
    "play": _("Play"),
    "tournee": _("Tournée"),
    "exchange_nolo": _("Exchange nolo"),
    "tournee_respect": _("Tournée respect"),
    "nolo": _("Nolo"),
    "entrada": _("Entrada"),
    "vuelta": _("Vuelta"),
    "voltereta": _("Voltereta"),
    "gascarola": _("Gascarola"),
    "contrabola": _("Contrabola"),
    "spadille_force": _("Spadille forcé"),
    "ombre": _("Ombre"),
    "five_tricks": _("Five tricks"),
    "six_tricks": _("Six tricks"),
    "seven_tricks": _("Seven tricks"),
    "eight_tricks": _("Eight tricks"),
    "nine_tricks": _("Nine tricks"),
    "ask_leave": _("Ask leave"),
}

OUTCOME_NAMES = {
    "won": _("won"),
    "bete": _("bête"),
    "kodille": _("kodille"),
    "washout": _("wash-out"),
    "simple_loss": _("simple loss"),
    "simple_remis": _("simple remis"),
    "piccolo_remis": _("piccolo remis"),
    "crocodile_lunch": _("crocodile lunch"),
    "contraprimeras": _("contraprimeras"),
    "contranolo": _("contranolo"),
    "vole_failed": _("vole failed"),
    "vole": _("vole"),
    "remise": _("remise"),
    "lost": _("lost"),
}

# What a declarer may promise to win by.
BONUS_NAMES = {
    "cuatro": _("cuatro"),
    "primeras": _("primeras"),
    "tout": _("tout"),
    "talking_ouvert": _("talking ouvert"),
}

SUIT_NAMES = {"S": _("spades"), "H": _("hearts"), "D": _("diamonds"), "C": _("clubs")}

ROLE_NAMES = {
    "FH": _("forehand"),
    "MH": _("middlehand"),
    "BH": _("backhand"),
    "IDLE": _("sits out"),
    "H3": _("third hand"),
    "H4": _("fourth hand"),
    "ELD": _("eldest"),
    "MID": _("middle"),
    "DLR": _("dealer"),
}

# Values of options of the kind "choice", and other ids that are parameters of texts.
OPTION_VALUE_NAMES = {
    **OUTCOME_NAMES,
    **BONUS_NAMES,
    "free": _("as the table likes"),
    "by_lot": _("by lot"),
    "highest_card": _("whoever draws the highest card"),
    "left": _("the player on the dealer’s left"),
    "right": _("the player on the dealer’s right"),
    "nobody": _("nobody"),
    "one": _("one pack"),
    "two": _("two packs alternately"),
    "down": _("face down"),
    "up": _("face up"),
    "opposite": _("the player opposite the dealer"),
    "dealer": _("the dealer"),
    "hearts": SUIT_NAMES["H"],
    "diamonds": SUIT_NAMES["D"],
    "black_aces": _("both black aces"),
    "two_aces": _("any two aces"),
    "two_aces_or_seven": _("any two aces, or the seven of diamonds"),
    "as_tourne": _("like tourné"),
    "above_tourne": _("above tourné"),
    "as_simple_nolo": _("like simple nolo"),
    "above_simple_nolo": _("above simple nolo"),
    "as_grand_tourne": _("like grand tourné"),
    "above_grand_tourne": _("above grand tourné"),
    "as_solo": _("like solo"),
    "above_solo": _("above solo"),
    "as_spade_solo": _("like spade solo"),
    "above_spade_solo": _("above spade solo"),
}
