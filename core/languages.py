"""The languages on offer, and the headings and alphabet from `lists.toml` in a language's folder of `locale/`.

On offer are English and every language with a compiled catalogue. Django knows the names of about a hundred languages;
the name of any other is read from the header `X-Name` of its catalogue.
"""

from __future__ import annotations

import tomllib
from functools import cache
from gettext import GNUTranslations
from itertools import chain
from typing import TYPE_CHECKING

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.utils.translation import to_language, to_locale

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


FILE = "lists.toml"


def ranked_headings(lists: str, english: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """Map each heading to its field and its rank among the headings of that field: rank 0 is the clearest.

    Headings are case-folded and without blanks. The first field that claims one has it: English first, then the
    languages by code.
    """
    found: dict[str, tuple[str, int]] = {}
    for known in (english, *_sections(lists)):
        for field, headings in known.items():
            for rank, heading in enumerate(headings.split()):
                found.setdefault(heading, (field, rank))
    return found


def words_of_lists(kind: str, english: str) -> frozenset[str]:
    """The words of a kind ("total") in English and all languages, case-folded."""
    return frozenset(chain(english.split(), *(words.get(kind, "").split() for words in _sections("words"))))


def _sections(name: str) -> list[dict[str, str]]:
    files = sorted(path for folder in settings.LOCALE_PATHS for path in folder.glob(f"*/{FILE}"))
    return [tomllib.loads(path.read_text("utf-8")).get(name, {}) for path in files]


@cache
def letters_after_z(language: str) -> tuple[tuple[str, str], ...]:
    """The letters that a language sorts after z, each with its sort key; some are equal."""
    for folder in settings.LOCALE_PATHS:
        if (path := folder / to_locale(language) / FILE).exists():
            letters = tomllib.loads(path.read_text("utf-8")).get("names", {}).get("after_z", ())
            return tuple(
                (letter, f"zz{place:02}") for place, same in enumerate(letters) for letter in same.split()
            )
    return ()


CATALOGUE = "LC_MESSAGES/django.mo"
# Languages whose readers understand Danish better than English: the fallback while they have no catalogue.
READ_AS = dict.fromkeys(("nb", "nn", "no"), "da")


def languages(folder: Path) -> list[tuple[str, str]]:
    """(code, own name) of each language on offer, sorted by name."""
    found = {to_language(path.parents[1].name): path for path in folder.glob(f"*/{CATALOGUE}")}
    names = {code: _name(code, path) for code, path in found.items()}
    for code, neighbour in READ_AS.items():
        if code not in found and neighbour in found:
            LANG_INFO[code] = {**LANG_INFO[code], "fallback": [neighbour]}
    return sorted({**names, "en": "English"}.items(), key=lambda one: one[1].casefold())


def _name(code: str, catalogue: Path) -> str:
    if code not in LANG_INFO:
        with catalogue.open("rb") as file:
            name = GNUTranslations(file).info().get("x-name", code)
        LANG_INFO[code] = {"bidi": False, "code": code, "name": name, "name_local": name}
    told = LANG_INFO[code]
    own: str = LANG_INFO[told["fallback"][0]]["name_local"] if "fallback" in told else told["name_local"]
    return own[:1].upper() + own[1:]
