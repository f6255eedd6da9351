"""The phrases of the notation of slips: those read for contracts, suits and results, and those written.

The first phrase of each row is written, all are read; accents, case and Nordic letters are folded. Rows are English;
`slips/<code>.toml` adds the phrases of a language by the first phrase of the row: the one written in this language,
then others that are read. A contract without a row is written by its name. If two contracts have a phrase in common,
the rulebook decides.
"""

from __future__ import annotations

import tomllib
import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scoring.words import CONTRACT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Key = TypeVar("Key")

_SLIPS = Path(__file__).parent / "slips"
# Language -> first phrase of a row -> the phrase written in that language, then further ones that are read.
IN_LANGUAGE: dict[str, dict[str, tuple[str, ...]]] = {
    path.stem: {phrase: tuple(phrases) for phrase, phrases in tomllib.loads(path.read_text("utf-8")).items()}
    for path in sorted(_SLIPS.glob("*.toml"))
}
# Language -> first phrase of a row -> the phrase written instead.
WRITTEN: dict[str, dict[str, str]] = {
    language: {phrase: phrases[0] for phrase, phrases in rows.items()}
    for language, rows in IN_LANGUAGE.items()
}


# First phrase of a row -> phrases read in every language.
_EVERYWHERE: dict[str, tuple[str, ...]] = {}


def _row(*phrases: str) -> tuple[str, ...]:
    """A row: its phrases, and those that the languages add to it."""
    _EVERYWHERE[phrases[0]] = phrases
    others = (phrase for rows in IN_LANGUAGE.values() for phrase in rows.get(phrases[0], ()))
    return tuple(dict.fromkeys((*phrases, *others)))


def _rows(table: Mapping[Key, tuple[str, ...]]) -> dict[Key, tuple[str, ...]]:
    return {meant: _row(*phrases) for meant, phrases in table.items()}


CONTRACTS = _rows(
    {contract: (name.casefold(),) for contract, name in CONTRACT_NAMES.items()}
    | {
        "simple_game": ("game", "simple game"),
        "spade_game": ("spade game",),
        "tourne": ("tourné", "t"),
        "simple_nolo": ("nolo", "simple nolo"),
        "grand_tourne": ("grand tourné", "tourné respekt", "tr", "gt"),
        "spade_solo": ("spade solo", "ss"),
        "pure_nolo": ("pure nolo",),
        "nolo_ouvert": ("nolo ouvert", "ouvert", "no"),
        "tournee": ("tournée", "tourné", "t"),
        "exchange_nolo": ("exchange nolo", "en"),
        "tournee_respect": ("tournée respect", "tr", "respect"),
        "nolo": ("hand nolo", "nolo"),
        "entrada": ("entrada", "e"),
        "vuelta": ("vuelta", "vu"),
        "gascarola": ("gascarola", "casca", "gascarille"),
        "spadille_force": ("spadille forcé", "forced spadille"),
        "ask_leave": ("ask leave", "al"),
    }
)

SUITS = _rows(
    {
        "S": ("s", "spades", "♠"),
        "H": ("h", "hearts", "♥"),
        "D": ("d", "diamonds", "♦"),
        "C": ("c", "clubs", "♣"),
    }
)

# (field, value) of a report -> phrases; without a value, it follows the phrase on the slip.
OUTCOMES = _rows(
    {
        "won": ("won", "sacada"),
        "bete": ("bête", "b", "puesta"),
        "kodille": ("kodille", "kruk", "k", "codille", "codillo"),
        "simple_loss": ("simple loss",),
        "simple_remis": ("simple remis", "remis"),
        "piccolo_remis": ("piccolo remis", "piccolo"),
        "crocodile_lunch": ("crocodile lunch", "lunch"),
        "contraprimeras": ("contraprimeras",),
        "contranolo": ("contranolo",),
        "vole_failed": ("missed vole",),
        "vole": ("all nine",),
        "remise": ("remise",),
        "lost": ("lost",),
    }
)
_FLAGS: dict[tuple[str, object], tuple[str, ...]] = {
    ("tout", "won"): ("tout", "tout won", "vole", "vole won"),
    ("tout", "failed"): ("tout failed", "tout lost", "vole failed", "vole lost"),
    ("five_first", "won"): ("first five",),
    ("five_first", "failed"): ("first five failed", "first five lost"),
    ("led_sixth", True): ("led sixth",),
    ("abandoned", True): ("gave up", "given up", "conceded", "surrendered"),
    ("declarer_has_played", True): ("had played",),
    ("idle_abandoned", True): ("fourth gave up",),
    ("exchange_repeated", True): ("exchanged twice",),
    ("aces", True): ("aces",),
    ("first_five_by", "OPP"): ("first five against",),
    ("played_out", True): ("played out",),
    ("played_out", False): ("stopped",),
}
FLAGS = _rows(_FLAGS)
SEATS = _rows(
    {
        "foul": ("foul",),
        "first_five_by": ("first five by",),
        "takeover": ("taken over by",),
        "partner": ("partner",),
        "nine_matadors": ("nine matadors",),
    }
)
# Followed by the letters of one seat or more in one word.
SEAT_LISTS = _rows({"won_by": ("won by",), "accepted_by": ("accepted by",)})
COUNTS = _rows(
    {
        "claimed_after": ("after",),
        "pool": ("pool",),
        "estuches": ("estuches",),
        "before_trick": ("before trick",),
    }
)
TURNED = _row("turned")
BIDS = _rows(
    {
        "cuatro": ("bid cuatro",),
        "primeras": ("bid primeras",),
        "tout": ("bid tout",),
        "talking_ouvert": ("bid talking", "talking ouvert"),
    }
)
JOINED = _row("join", "joined")
GAVE_UP = FLAGS["abandoned", True]
PASSED = _row("pass", "passed", "p")

_PLAIN = str.maketrans({"ø": "o", "æ": "ae", "_": " ", "-": " "})


def fold(phrase: str) -> str:
    """Normalise a phrase for comparison: case-folded, without accents, Nordic letters as plain ones."""
    decomposed = unicodedata.normalize("NFKD", phrase.casefold().translate(_PLAIN))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def first_phrases() -> list[str]:
    """The first phrases of all rows, which are the keys of `slips/<code>.toml`."""
    return list(_EVERYWHERE)


@cache
def words() -> frozenset[str]:
    """All single words of all phrases that a line may have, normalised by `fold`."""
    tables = (CONTRACTS_MEANT, PASSED_MEANT, POOL_MEANT, GAVE_UP_MEANT, ITEMS_MEANT)
    return frozenset(word for table in tables for phrase in table for word in phrase.split())


def row_in(language: str, first: str) -> tuple[str, ...]:
    """The phrases of a row in a language: the one written, further ones, and those of every language."""
    return tuple(dict.fromkeys((*IN_LANGUAGE.get(language, {}).get(first, ()), *_EVERYWHERE[first])))


def _table(*rows: tuple[object, Iterable[str]]) -> dict[str, Any]:
    return {fold(phrase): meant for meant, phrases in rows for phrase in phrases}


def _contracts() -> dict[str, tuple[str, ...]]:
    """Phrase -> contracts that it may mean: first the one written so, then others with the phrase, then by id."""
    rows = [(contract, phrases[:1]) for contract, phrases in CONTRACTS.items()]
    rows += [(contract, phrases[1:]) for contract, phrases in CONTRACTS.items()]
    rows += [(contract, (contract,)) for contract in CONTRACTS]
    meant: dict[str, tuple[str, ...]] = {}
    for contract, phrases in rows:
        for phrase in phrases:
            known = meant.get(fold(phrase), ())
            meant[fold(phrase)] = known if contract in known else (*known, contract)
    return meant


# Normalised phrase -> meaning.
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
