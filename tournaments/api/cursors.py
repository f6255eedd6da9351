"""Pages by cursor: a page begins behind the last row of the one before, whatever has come or gone meanwhile."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from tournaments.api.shapes import LARGEST

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

T = TypeVar("T")
Key = tuple[int | str, ...]


class BadCursor(Exception):  # noqa: N818 - says what it is
    """A cursor that no page has given out."""

    def __init__(self) -> None:
        super().__init__(_("This cursor does not belong to this list. Start without one."))


def cursor_of(key: Key) -> str:
    return urlsafe_b64encode(json.dumps(key, separators=(",", ":")).encode()).decode().rstrip("=")


def read_cursor(text: str, *kinds: type) -> Key | None:
    """The key of the last row of the page before; None for the first page. Raises BadCursor.

    A day is written as such (`date` in kinds).
    """
    if not text:
        return None
    try:
        said = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if not isinstance(said, list) or len(said) != len(kinds):
            raise BadCursor
        return tuple(_read(value, kind) for value, kind in zip(said, kinds, strict=True))
    except (ValueError, RecursionError):
        raise BadCursor from None


def _read(value: object, kind: type) -> int | str:
    if kind is date and isinstance(value, str):
        return date.fromisoformat(value).isoformat()
    if kind is int and type(value) is int and 0 <= value <= LARGEST:
        return value
    raise BadCursor


def page_by(
    request: HttpRequest, found: QuerySet[Any, T], order: str, limit: int, cursor: str
) -> tuple[Sequence[T], str | None]:
    """A page of rows in the order of a number that each has for itself (`-pk`: the greatest first)."""
    field = order.lstrip("-")
    if after := read_cursor(cursor, int):
        found = found.filter(**{f"{field}__{'lt' if order != field else 'gt'}": after[0]})
    there = list(found.order_by(order)[: limit + 1])
    return page_of(request, there, limit, lambda one: (getattr(one, field),))


def page_of(
    request: HttpRequest, rows: Sequence[T], limit: int, key: Callable[[T], Key]
) -> tuple[Sequence[T], str | None]:
    """These rows but the one too many, and the address of the page behind them; None where they are the last."""
    if len(rows) <= limit:
        return rows, None
    here = rows[:limit]
    asked = {name: value for name, value in request.GET.items() if name != "cursor"}
    return here, f"{request.path}?{urlencode(asked | {'cursor': cursor_of(key(here[-1]))})}"
