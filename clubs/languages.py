"""What lists need to know of each language, from `lists.toml` in its folder of `locale/`: headings of columns that are
read, and the letters that names are sorted by."""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import to_locale

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "lists.toml"


def fields_by_heading(lists: str, english: Mapping[str, str]) -> dict[str, str]:
    """Which field of these `lists` (a part of the files) each heading is of; headings are folded, without blanks.

    A heading that is one field's already is no other's: English comes first, then the languages by their codes.
    """
    return {heading: field for heading, (field, _rank) in ranked_headings(lists, english).items()}


def ranked_headings(lists: str, english: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """The same with the place of each heading among those of its field in its language: the first is the clearest."""
    found: dict[str, tuple[str, int]] = {}
    for known in (english, *_sections(lists)):
        for field, headings in known.items():
            for rank, heading in enumerate(headings.split()):
                found.setdefault(heading, (field, rank))
    return found


def words_of_lists(kind: str, english: str) -> frozenset[str]:
    """The words of a kind ("total") in English and in all languages, folded."""
    return frozenset(chain(english.split(), *(words.get(kind, "").split() for words in _sections("words"))))


def _sections(name: str) -> list[dict[str, str]]:
    files = sorted(path for folder in settings.LOCALE_PATHS for path in folder.glob(f"*/{FILE}"))
    return [tomllib.loads(path.read_text("utf-8")).get(name, {}) for path in files]


@cache
def letters_after_z(language: str) -> tuple[tuple[str, str], ...]:
    """Letters with what they are sorted as; some count as one."""
    for folder in settings.LOCALE_PATHS:
        if (path := folder / to_locale(language) / FILE).exists():
            letters = tomllib.loads(path.read_text("utf-8")).get("names", {}).get("after_z", ())
            return tuple(
                (letter, f"zz{place:02}") for place, same in enumerate(letters) for letter in same.split()
            )
    return ()
