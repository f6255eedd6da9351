"""`manage.py journal`: write the second copy of all rows, show its state, verify it."""

from __future__ import annotations

import signal
import time
from argparse import SUPPRESS, ArgumentParser
from contextlib import suppress
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, close_old_connections, connection
from django.utils import timezone

from core import platform
from core.database import refuse_empty_folder
from core.files import exclusive_lock
from core.journal import triggers
from core.journal.location import place_at
from core.journal.places import FULL, JournalError, PlaceError, books_in
from core.journal.restore import checked, count_missing, found_in
from core.journal.status import journal_status
from core.journal.writer import Follower

# Seconds between two looks for what was noted; for the place, when nothing is; after a problem, and after a full disk.
LOOK_AGAIN, SEE_AGAIN, TRY_AGAIN, ROOM_AGAIN = 0.25, 5.0, 5.0, 60.0
FOR_EVER = 1e9
LOCK = 0x53504A4E  # any number that no other program locks in this database


class Command(BaseCommand):
    help = "Shows the state of the journal (JOURNAL=…), which `serve` writes by itself; checks it, or "
    "starts a new one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            nargs="?",
            const="",
            metavar="PLACE",
            help="check a journal; exit with 1 if it is broken",
        )
        parser.add_argument(
            "--anew",
            action="store_true",
            help="start a new book and delete the earlier ones, so that nobody who was erased is left in it",
        )
        parser.add_argument(
            "--missing",
            action="store_true",
            help="print how many of its steps are missing from the database, after the disk lost data",
        )
        parser.add_argument("--follow", action="store_true", help=SUPPRESS)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"] is not None:
            self._check(options["check"] or settings.JOURNAL)
            return
        if not settings.JOURNAL:
            raise CommandError(
                "There is no journal. Name a folder on another disk, such as JOURNAL=/media/stick/spadille"
            )
        refuse_empty_folder()
        if options["missing"]:
            try:
                self.stdout.write(str(count_missing(found_in(place_at(settings.JOURNAL), up_to=None))))
            except (PlaceError, JournalError) as problem:
                raise CommandError(str(problem)) from None
            return
        if options["follow"]:
            self._follow()
            return
        if options["anew"]:
            triggers.state()
            triggers.begin_anew(forgets=True)
            self.stdout.write("A new book starts as soon as Spadille is running.")
            return
        state = journal_status(timezone.now())
        self.stdout.write(f"{state.words}\n{state.notice}".strip() if state else "")

    def _check(self, where: str) -> None:
        if not where:
            raise CommandError("Name the journal's folder.")
        broken = ""
        try:
            place = place_at(where)
            for book in books_in(place.names()):
                found = checked(place, book)
                self.stdout.write(
                    str(found)
                    + (f"; {found.left} unfinished line(s) at the end are ignored" * bool(found.left))
                )
                broken = broken or found.broken
        except (PlaceError, JournalError) as problem:
            raise CommandError(str(problem)) from None
        if broken:
            raise CommandError(broken)

    def _follow(self) -> None:
        """Write the journal until stopped, and then once more for the last changes."""
        platform.end_if_held()
        stops = (signal.SIGTERM, signal.SIGINT)
        with exclusive_lock("journal", settings.DATA_DIR, FOR_EVER):
            for stop in stops:
                signal.signal(stop, self._end)
            follower, seen = Follower(place_at(settings.JOURNAL)), 0.0
            while not self._ends:
                pause = LOOK_AGAIN
                try:
                    self._alone()
                    if time.monotonic() - seen < SEE_AGAIN:
                        follower.look(timezone.now())
                    else:
                        seen = time.monotonic()
                        follower.see_whether_it_is_there(timezone.now())
                except PlaceError as problem:
                    pause = ROOM_AGAIN if problem.kind == FULL else TRY_AGAIN
                except (OperationalError, InterfaceError):
                    pause = TRY_AGAIN  # the database is away for a moment: what it has is noted in it
                    connection.close()
                close_old_connections()
                until = time.monotonic() + pause
                while not self._ends and time.monotonic() < until:
                    time.sleep(LOOK_AGAIN)
            with suppress(PlaceError, OperationalError, InterfaceError):
                follower.look(timezone.now())

    _ends = False

    def _end(self, _signal: int, _frame: FrameType | None) -> None:
        self._ends = True

    _locked: object = None

    def _alone(self) -> None:
        """Wait until no other machine writes the journal of this database; one whose connection ends lets go of it."""
        if connection.vendor == "sqlite" or (self._locked and self._locked is connection.connection):
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        self._locked = connection.connection
