"""What fills a line of the log: stored as data, said in the reader's language.

Numbers, names and reasons are stored as they are; what the program writes in one way or another by the reader's
language is stored by its kind: `{"day": "2026-11-22"}`, `{"kroner": [195000]}` (in øre), `{"word": "calls the
organiser"}` (the English text).
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django.utils.formats import date_format
from django.utils.translation import gettext, override

from tournaments.values.amounts import to_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.utils.functional import _StrPromise as StrPromise


def kroner(amounts: Iterable[int]) -> dict[str, Any]:
    """Amounts in øre."""
    return {"kroner": list(amounts)}


def word(name: StrPromise) -> dict[str, Any]:
    """What something is called that has a name in every language."""
    with override(None):
        return {"word": str(name)}


def stored(value: object) -> Any:
    """What the database keeps of a value."""
    if isinstance(value, date):
        return {"day": value.isoformat()}
    return value if isinstance(value, (int, dict)) else str(value)


def said(params: Mapping[str, Any]) -> dict[str, Any]:
    """What is stored of each value, in the reader's language."""
    return {name: _said(value) for name, value in params.items()}


def _said(value: Any) -> Any:
    match value:
        case {"day": day}:
            return date_format(date.fromisoformat(day), "DATE_FORMAT")
        case {"kroner": amounts}:
            return " + ".join(map(to_type, amounts))
        case {"word": text}:
            return gettext(text)
    return value
