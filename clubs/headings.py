"""What the columns of lists are headed, in English and in every language whose folder in `locale/` says so."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "headings.toml"


def fields_by_heading(lists: str, english: Mapping[str, str]) -> dict[str, str]:
    """Which field of these `lists` (a part of the files) each heading is of; headings are folded, without blanks.

    A heading that is one field's already is no other's: English comes first, then the languages by their codes.
    """
    found: dict[str, str] = {}
    for known in (english, *_in_other_languages(lists)):
        for field, headings in known.items():
            for heading in headings.split():
                found.setdefault(heading, field)
    return found


def _in_other_languages(lists: str) -> list[Mapping[str, str]]:
    files = sorted(path for folder in settings.LOCALE_PATHS for path in folder.glob(f"*/{FILE}"))
    return [tomllib.loads(path.read_text("utf-8")).get(lists, {}) for path in files]
