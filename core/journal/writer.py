"""Writing the journal: the changes since the last poll, as one step; a new book's beginning where none is open."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from core.data_hooks import data_hooks
from core.journal import triggers
from core.journal.format import (
    CLOSING,
    Chain,
    everything,
    header,
    lines_of,
    migrations_now,
    parts,
    put_pictures,
)
from core.journal.models import ChangedRow, JournalState
from core.journal.places import (
    PICTURES,
    Book,
    JournalError,
    Place,
    PlaceError,
    beginning_of,
    books_in,
    day_of,
    header_of,
    new_name,
    refuse_foreign,
)

logger = logging.getLogger(__name__)

BLOCK = 1 << 20  # bytes of a beginning that are written at once
LAST_LINE, STEP = 200, b'\n{"step": '  # bytes in which a closing line is, and what it begins with
# From this number on, a new book with all rows is smaller.
MOST_NOTED = 100_000
# How long a book is continued before the next begins with all rows.
BOOK = timedelta(days=30)


class Follower:
    """Writes the journal of this database to one place, as its only writer."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.is_open = False
        self.problem: str | None = None  # as last reported
        # What is written already but not yet recorded in the database.
        self._written: tuple[dict[str, Any], Sequence[int]] | None = None

    def look(self, now: datetime) -> bool:
        """Write what changed; returns whether anything was written. Raises `PlaceError` after recording it."""
        try:
            self._say_written()
            wrote = self._look(now)
        except PlaceError as problem:
            self.is_open = False
            self.place.close()
            self._tell(problem.kind, str(problem), now)
            if ChangedRow.objects.order_by("pk")[MOST_NOTED:].exists():
                triggers.take_down()
            raise
        self._tell("", "", now)
        return wrote

    def see_whether_it_is_there(self, now: datetime) -> None:
        """Check the place while nothing is to be written. Raises `PlaceError` after recording it."""
        self.is_open = False
        self.look(now)

    def _look(self, now: datetime) -> bool:
        state = triggers.state()
        if not self.is_open:
            books = books_in(self.place.names())
            refuse_foreign(self.place, books, state.installation)
            if not (state.book and triggers.are_up() and self._goes_on(state)):
                state.book = ""
            self.is_open = True
        if state.book and (state.begun_at is None or now - state.begun_at < BOOK):
            with triggers.as_of_now():
                first = ChangedRow.objects.order_by("pk").values_list("pk", "place", "key")[: MOST_NOTED + 1]
                noted = list(first)
                is_much = len(noted) > MOST_NOTED
                rows, pictures = lines_of(() if is_much else [row[1:] for row in noted])
            if not is_much:
                if noted:
                    put_pictures(self.place, pictures)
                    self._write_step(state, [row[0] for row in noted], rows, now)
                return bool(noted)
        self._begin(state, now)
        return True

    def _goes_on(self, state: JournalState) -> bool:
        """Whether the journal ends where the database expects, in the format of this version.

        An incomplete step at its end is cut off.
        """
        size = self.place.size(state.file)
        if size is None or size < state.size or not self._is_of_this_version(state.book):
            return False
        with self.place.open_file(state.file) as file:
            file.seek(max(state.size - LAST_LINE, 0))
            ending = file.read(min(state.size, LAST_LINE)).splitlines(keepends=True)[-1:]
            rest = file.read() if size > state.size else b""
        closing = CLOSING.fullmatch(ending[0]) if ending else None
        if closing is None or closing[3].decode() != state.head or STEP in rest:
            return False
        later = [name for name in self.place.names() if state.book in name and name > state.file]
        if any(self._has_a_step(name) for name in later):
            return False
        if rest:
            self.place.cut(state.file, state.size)
        for name in later:
            self.place.remove(name)
        return True

    def _is_of_this_version(self, book: str) -> bool:
        try:
            return bool(header_of(self.place, beginning_of(book))["migrations"] == migrations_now())
        except JournalError:
            return False

    def _has_a_step(self, file: str) -> bool:
        with self.place.open_file(file) as opened:
            return STEP in opened.read()

    def _write_step(
        self, state: JournalState, seen: Sequence[int], rows: Iterable[bytes], now: datetime
    ) -> None:
        # A clock that was set back opens no file before the one in use: beginning comes before day.
        file = max(state.file, day_of(state.book, f"{timezone.localdate(now)}"))
        chain, data = Chain(state.head), bytearray()
        if file != state.file:
            data += header(state.installation, state.book, state.step, state.head, now)
        for text in rows:
            data += text
        chain.add(bytes(data))
        data += chain.closing(state.step + 1, now)
        try:
            self.place.append(file, bytes(data))
        except PlaceError:
            with suppress(PlaceError):  # so that there is room again for what comes
                self.place.cut(file, state.size if file == state.file else 0)
            raise
        size = len(data) + (state.size if file == state.file else 0)
        told = {"step": state.step + 1, "head": chain.head, "file": file, "size": size, "written_at": now}
        self._written = (told, seen)
        self._say_written()

    def _begin(self, state: JournalState, now: datetime) -> None:
        """Begin a book with a snapshot of everything; only then delete older ones."""
        triggers.put_up()
        book = new_name(books_in(self.place.names()), now)
        file = beginning_of(book)
        try:
            with triggers.as_of_now():
                seen = list(ChangedRow.objects.values_list("pk", flat=True))
                head, size = self._write_beginning(file, header(state.installation, book, 0, "", now), now)
        except BaseException:
            with suppress(PlaceError):
                self.place.remove(file)
            raise
        told = {"book": book, "begun_at": now, "step": 0, "head": head, "file": file, "size": size}
        self._written = (told | {"forgets": False, "written_at": now}, seen)
        self._say_written()
        logger.warning("The journal in %s starts a new book: %s", self.place.said, book)
        for old in _superfluous(books_in(self.place.names()), book, now, forgets=state.forgets):
            for name in old.files:
                self.place.remove(name)

    def _write_beginning(self, file: str, first: bytes, now: datetime) -> tuple[str, int]:
        """Write the snapshot; returns its hash and size."""
        chain, size, block = Chain(), 0, bytearray(first)
        for text in everything():
            block += text
            if len(block) >= BLOCK:
                self.place.append(file, bytes(block))
                chain.add(bytes(block))
                size += len(block)
                block.clear()
        there, wanted = set(self.place.names(PICTURES)), data_hooks().files()
        put_pictures(self.place, wanted - there)
        chain.add(bytes(block))
        block += chain.closing(0, now)
        self.place.append(file, bytes(block))
        for name in there - wanted:
            self.place.remove(f"{PICTURES}/{name}")
        return chain.head, size + len(block)

    def _say_written(self) -> None:
        """Store the position in the database; if it does not respond, before anything else is written."""
        if self._written is None:
            return
        told, seen = self._written
        with transaction.atomic():
            JournalState.objects.update(**told)
            for some in parts(seen):
                ChangedRow.objects.filter(pk__in=some).delete()
        self._written = None

    def _tell(self, problem: str, said: str, now: datetime) -> None:
        """Record a problem, for pages and the log, once; and once when it is over."""
        if problem == self.problem:
            return
        if problem:
            logger.error("The journal cannot be written: %s", said)
        elif self.problem:
            logger.warning("The journal is being written again, including what was stored in the meantime")
        since = now if problem else None
        JournalState.objects.exclude(problem=problem).update(
            problem=problem, problem_said=said, problem_since=since
        )
        self.problem = problem


def _superfluous(books: Sequence[Book], current: str, now: datetime, *, forgets: bool) -> list[Book]:
    """Books that ended before the oldest daily backup; with `forgets` all but the current one."""
    oldest = now - timedelta(days=settings.BACKUP_DAYS)
    ended = pairwise(books)
    old = {book.name for book, following in ended if following.begun_at < oldest}
    return [book for book in books if book.name != current and (forgets or book.name in old)]
