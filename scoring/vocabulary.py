"""The words that slips are written in: what people type for contracts, suits and results, and what is written
back.

The first phrase of each row is the one that is written; accents, case and the Danish letters do not matter. A
contract without a row is written by its name. Its further phrases may be another contract's too: then the rulebook
decides.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from scoring.words import CONTRACT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

CONTRACTS = {contract: (name.casefold(),) for contract, name in CONTRACT_NAMES.items()} | {
    "simple_game": ("game", "simple game", "spil", "spel"),
    "spade_game": ("spade game", "bedre spil", "bedre", "bs", "bättre spel"),
    "tourne": ("tourné", "turné", "t"),
    "simple_nolo": ("nolo", "simple nolo", "købe nolo", "købenolo", "kn", "köpnolla"),
    "grand_tourne": ("grand tourné", "tourné respekt", "turné respekt", "respekt", "tr", "gt"),
    "spade_solo": ("spade solo", "solo spar", "solo spader", "ss"),
    "pure_nolo": ("pure nolo", "ren nolo", "ren nolla", "rn"),
    "nolo_ouvert": ("nolo ouvert", "noll ouvert", "ouvert", "no"),
    "tournee": ("tournée", "tourné", "t"),
    "exchange_nolo": ("exchange nolo", "en", "købe nolo"),
    "tournee_respect": ("tournée respect", "tr", "respect"),
    "nolo": ("hand nolo", "nolo"),
    "entrada": ("entrada", "e"),
    "vuelta": ("vuelta", "vu"),
    "gascarola": ("gascarola", "casca", "gascarille"),
    "spadille_force": ("spadille forcé", "forced spadille"),
    "ask_leave": ("ask leave", "al"),
}

SUITS = {
    "S": ("s", "spades", "spar", "spader", "♠"),
    "H": ("h", "hearts", "hjerter", "hjärter", "♥"),
    "D": ("d", "diamonds", "ruder", "r", "♦"),
    "C": ("c", "clubs", "klør", "kl", "klöver", "♣"),
}

# Fields of a result by phrase; the field's value follows the phrase or is the one given.
OUTCOMES = {
    "won": ("won", "vundet", "v", "hjem", "sacada"),
    "bete": ("bête", "bet", "b", "puesta"),
    "kodille": ("kodille", "kruk", "k", "kodilj", "codille", "codillo"),
    "simple_loss": ("simple loss",),
    "simple_remis": ("simple remis", "remis"),
    "piccolo_remis": ("piccolo remis", "piccolo"),
    "crocodile_lunch": ("crocodile lunch", "lunch"),
    "contraprimeras": ("contraprimeras",),
    "contranolo": ("contranolo",),
    "vole_failed": ("missed vole",),
    "vole": ("all nine",),
    "remise": ("remise",),
    "lost": ("lost", "tabt"),
}
FLAGS: dict[tuple[str, object], tuple[str, ...]] = {
    ("tout", "won"): ("tout", "tout won", "tout vundet", "vole", "vole won"),
    ("tout", "failed"): ("tout failed", "tout lost", "tout tabt", "vole failed", "vole lost"),
    ("five_first", "won"): ("first five", "fem første"),
    ("five_first", "failed"): ("first five failed", "first five lost", "fem første tabt"),
    ("led_sixth", True): ("led sixth",),
    ("abandoned", True): ("gave up", "given up", "opgivet", "conceded", "surrendered"),
    ("declarer_has_played", True): ("had played",),
    ("idle_abandoned", True): ("fourth gave up",),
    ("exchange_repeated", True): ("exchanged twice",),
    ("aces", True): ("aces", "esser"),
    ("first_five_by", "OPP"): ("first five against",),
    ("played_out", True): ("played out",),
    ("played_out", False): ("stopped",),
}
SEATS = {
    "foul": ("foul", "fejl"),
    "first_five_by": ("first five by",),
    "takeover": ("taken over by",),
    "partner": ("partner", "makker"),
    "nine_matadors": ("nine matadors", "ni matadorer"),
}
# Followed by the letters of one seat or more in one word.
SEAT_LISTS = {"won_by": ("won by",), "accepted_by": ("accepted by",)}
COUNTS = {
    "claimed_after": ("after", "efter"),
    "pool": ("pool", "pulje"),
    "estuches": ("estuches",),
    "before_trick": ("before trick",),
}
TURNED = ("turned",)
BIDS = {
    "cuatro": ("bid cuatro",),
    "primeras": ("bid primeras",),
    "tout": ("bid tout",),
    "talking_ouvert": ("bid talking", "talking ouvert"),
}
JOINED = ("join", "joined", "med")
# What is written in Danish instead of a row's first phrase, and read as it is.
DANISH = {
    "game": "spil",
    "spade game": "bedre spil",
    "nolo": "købe nolo",
    "grand tourné": "tourné-respekt",
    "spade solo": "solo spar",
    "pure nolo": "ren nolo",
    "d": "r",
    "c": "kl",
    "won": "vundet",
    "bête": "bet",
    "lost": "tabt",
    "tout failed": "tout tabt",
    "first five": "fem første",
    "first five failed": "fem første tabt",
    "gave up": "opgivet",
    "aces": "esser",
    "foul": "fejl",
    "partner": "makker",
    "nine matadors": "ni matadorer",
    "after": "efter",
    "pool": "pulje",
    "join": "med",
    "pass": "pas",
}
GAVE_UP = FLAGS["abandoned", True]
PASSED = ("pass", "pas", "passed", "p", "rundpas")

_PLAIN = str.maketrans({"ø": "o", "æ": "ae", "_": " ", "-": " "})


def fold(phrase: str) -> str:
    """A phrase as it is compared: small letters without accents."""
    decomposed = unicodedata.normalize("NFKD", phrase.casefold().translate(_PLAIN))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _table(*rows: tuple[object, Iterable[str]]) -> dict[str, Any]:
    return {fold(phrase): meant for meant, phrases in rows for phrase in phrases}


def _contracts() -> dict[str, tuple[str, ...]]:
    """The contracts that a phrase may mean, the one that is written so first, then those whose id it is."""
    rows = [(contract, phrases[:1]) for contract, phrases in CONTRACTS.items()]
    rows += [(contract, phrases[1:]) for contract, phrases in CONTRACTS.items()]
    rows += [(contract, (contract,)) for contract in CONTRACTS]
    meant: dict[str, tuple[str, ...]] = {}
    for contract, phrases in rows:
        for phrase in phrases:
            known = meant.get(fold(phrase), ())
            meant[fold(phrase)] = known if contract in known else (*known, contract)
    return meant


# What folded phrases mean.
CONTRACTS_MEANT = _contracts()
PASSED_MEANT = _table((True, PASSED))
POOL_MEANT = _table((True, COUNTS["pool"]))
GAVE_UP_MEANT = _table((True, GAVE_UP))
ITEMS_MEANT = _table(
    *((("trump", suit), phrases) for suit, phrases in SUITS.items()),
    *((("outcome", outcome), phrases) for outcome, phrases in OUTCOMES.items()),
    *FLAGS.items(),
    *(((field, None), phrases) for table in (SEATS, COUNTS, SEAT_LISTS) for field, phrases in table.items()),
    *((("bonus_bid", bid), phrases) for bid, phrases in BIDS.items()),
    (("turned", None), TURNED),
    (("joined", None), JOINED),
)
