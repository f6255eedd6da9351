"""What lists need to know of each language, from `lists.toml` in its folder of `locale/`: headings of columns that are
read, and the letters that names are sorted by."""

from __future__ import annotations

import tomllib
from functools import cache
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
    found: dict[str, str] = {}
    files = sorted(path for folder in settings.LOCALE_PATHS for path in folder.glob(f"*/{FILE}"))
    for known in (english, *(tomllib.loads(path.read_text("utf-8")).get(lists, {}) for path in files)):
        for field, headings in known.items():
            for heading in headings.split():
                found.setdefault(heading, field)
    return found


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
