"""Several pages that are read of one moment: what one of them has found is not looked for again by the next."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

Found = TypeVar("Found")

_found: ContextVar[dict[Hashable, Any] | None] = ContextVar("_found", default=None)


@contextmanager
def one_moment() -> Iterator[None]:
    """What is found inside stays so until its end; outside each page finds for itself."""
    token = _found.set({})
    try:
        yield
    finally:
        _found.reset(token)


def found_once(what: Hashable, find: Callable[[], Found]) -> Found:
    """What was found of it in this moment, or is found now; whatever `find` raises is not kept."""
    known = _found.get()
    if known is None:
        return find()
    if what not in known:
        known[what] = find()
    value: Found = known[what]
    return value
