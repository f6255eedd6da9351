"""Questions to the database that are asked again and again with other keys: Django thinks about each sentence once.

    @asked
    def titles(player: int) -> QuerySet[Award]:
        return Award.objects.filter(player=player).order_by("pk")

    titles(player.pk)  # a list
    titles.first(player.pk)  # the first of them, or None; `or_404` for who is shown a page of it

To build a question and to turn it into SQL takes Django ten times as long as the database takes to answer it: of one
page that is little, of a site of forty thousand it is half of the time. What is asked may hang on nothing but the
keys, and it is the same in all languages. The keys are sent as they are, not made what their columns hold, and are
compared with `=`. What is read behind the rows (`prefetch_related`) is no part of a sentence: TypeError.
"""

from __future__ import annotations

import threading
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from django.db import connections
from django.db.transaction import TransactionManagementError
from django.http import Http404

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.db.models import QuerySet

Keys = ParamSpec("Keys")
Row = TypeVar("Row")

# Stands for the first key while a sentence is thought about, the next one for the next: nothing that a sentence says
# besides, and no more than the smallest column of a number holds: of more Django knows that no row has it.
MARK = 31_618
MOST = 2**63 - 1


class asked(Generic[Keys, Row]):  # noqa: N801 - used as a decorator
    """A function that builds a question from keys becomes one that answers it; each thread has sentences of its own."""

    def __init__(self, build: Callable[Keys, QuerySet[Any, Row]]) -> None:
        self.build = build
        self.known = threading.local()
        update_wrapper(self, build)

    def __call__(self, *keys: Keys.args, **_none: Keys.kwargs) -> list[Row]:
        sentence = getattr(self.known, "sentence", None)
        if sentence is None or not sentence.is_for(connections):
            sentence = self.known.sentence = _Sentence(self.build, len(keys))
        return sentence.answer(keys)

    def first(self, *keys: Keys.args, **none: Keys.kwargs) -> Row | None:
        """The first of its rows; None where there is none."""
        return next(iter(self(*keys, **none)), None)

    def or_404(self, *keys: Keys.args, **none: Keys.kwargs) -> Row:
        """The first of its rows; raises Http404 where there is none."""
        for row in self(*keys, **none):
            return row
        raise Http404


class _Sentence:
    """A question as SQL, with the places of its keys, and how its rows are read."""

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], keys: int) -> None:
        marks = [str(MARK + number) for number in range(keys)]
        self.asked: Any = build(*map(int, marks))
        if self.asked._prefetch_related_lookups:  # type: ignore[attr-defined]
            raise TypeError(f"{build.__qualname__} asks for more than one sentence does (prefetch_related).")
        self.compiler: Any = self.asked.query.get_compiler(self.asked.db)
        self.sql, params = self.compiler.as_sql()
        self.params = list(params)
        self.places = [
            (place, marks.index(str(value))) for place, value in enumerate(self.params) if str(value) in marks
        ]
        if {key for _place, key in self.places} != set(range(keys)):
            raise TypeError(f"{build.__qualname__} does not ask for each of its keys.")
        self.given: Sequence[object] = ()
        # The rows are read as of any other question; only what is asked is known already.
        self.compiler.as_sql = lambda *_how, **_more: (self.sql, self.given)
        self.asked.query.get_compiler = lambda *_how, **_more: self.compiler  # type: ignore[method-assign]

    def is_for(self, now: Any) -> bool:
        return now[self.compiler.using] is self.compiler.connection

    def answer(self, keys: Sequence[object]) -> list[Any]:
        """Its rows. Raises TransactionManagementError where they are to be held and nothing holds them."""
        if self.asked.query.select_for_update and not self.compiler.connection.in_atomic_block:
            raise TransactionManagementError("select_for_update cannot be used outside of a transaction.")
        if any(isinstance(key, int) and abs(key) > MOST for key in keys):
            return []  # no row has a number that no column can hold
        given = self.params[:]
        for place, key in self.places:
            given[place] = keys[key]
        self.given = tuple(given)
        again = type(self.asked)(self.asked.model, self.asked.query, self.asked._db, self.asked._hints)
        again._fields, again._iterable_class = self.asked._fields, self.asked._iterable_class
        return list(again)
