"""`manage.py restore`: put a backup, a journal, or both in the place of what the database holds."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext_noop

from clubs.clubs import log_change
from clubs.models import Club
from core.backup import sqlite
from core.backup.archive import UNPACKING
from core.backup.backups import Opened, back_up, open_backup, restore
from core.backup.folder import backups_folder
from core.errors import BackupError
from core.journal import triggers
from core.journal.location import place_at
from core.journal.places import JournalError, PlaceError
from core.journal.restore import Found, bring_back, found_in, make_room
from core.serving.data_lock import nobody_serves
from tournaments.changes.versions import jump_versions, newest_version
from tournaments.models import JournalState, Report, Tournament

DAMAGED = "damaged-"


@contextmanager
def _cleared() -> Iterator[None]:
    """Delete what an interrupted restore had unpacked: it may be as large as the database."""
    for left in Path(settings.DATA_DIR).glob(f"{UNPACKING}*"):
        shutil.rmtree(left, ignore_errors=True)
    yield


class Command(BaseCommand):
    help = (
        "Restores a backup, a backup brought up to date from the journal, or everything from the journal "
        "alone. The present database is saved to a file first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", help="a file written by `manage.py backup`")
        parser.add_argument(
            "--journal", metavar="PLACE", help="the journal's folder, or sftp://user@host/folder"
        )
        parser.add_argument(
            "--up-to",
            type=int,
            metavar="STEP",
            help="restore the journal up to and including this step",
        )
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["file"] and not options["journal"]:
            raise CommandError("Name a backup, a journal (--journal), or both.")
        try:
            with nobody_serves(), _cleared(), ExitStack() as held:
                journal = (
                    found_in(place_at(options["journal"]), up_to=options["up_to"])
                    if options["journal"]
                    else None
                )
                file = Path(options["file"]).resolve() if options["file"] else None
                backup = held.enter_context(open_backup(file)) if file else None
                self._tell(backup, journal)
                if not options["yes"]:
                    self._ask()
                self._put_in_place(backup, journal)
        except (BackupError, JournalError, PlaceError, OSError) as problem:
            raise CommandError(f"Nothing has been restored. {problem}") from None
        tournaments, reports = Tournament.objects.count(), Report.objects.count()
        what = file.name if file else options["journal"]
        self.stdout.write(f"Restored {what}: {tournaments} tournament(s), {reports} report(s).")
        call_command("verify", stdout=self.stdout)

    def _tell(self, backup: Opened | None, journal: Found | None) -> None:
        if backup:
            self.stdout.write(f"{backup.file.name} is intact: {backup.contents}.")
        if journal:
            self.stdout.write(f"The journal is intact: {journal.checked}.")
            if journal.checked.left:
                self.stdout.write(f"{journal.checked.left} unfinished line(s) at the end are ignored.")
        self.stdout.write("This will replace everything in this Spadille.")

    def _ask(self) -> None:
        try:
            answer = input("Type yes to continue: ")
        except EOFError:  # no terminal input
            self.stdout.write("")
            raise CommandError("Nothing has been changed. Without a terminal, use --yes.") from None
        if answer.strip().lower() != "yes":
            raise CommandError("Nothing has been changed.")

    def _put_in_place(self, backup: Opened | None, journal: Found | None) -> None:
        aside, seen = None, 0
        if self._holds_something():
            aside, seen = self._keep_aside(), self._newest_version()
            self.stdout.write(f"The previous database is saved in {aside}")
        try:
            if backup:
                restore(backup)
        except BackupError:
            if aside and aside.name.startswith(DAMAGED):
                sqlite.take_back(connection.settings_dict, aside)
            raise
        if journal:
            self._bring_forward(journal, aside, onto_backup=backup is not None)
        call_command("prepare", verbosity=0, without_backup=True)  # the file is one
        triggers.begin_anew()
        jump_versions(max(seen, newest_version()))
        cache.clear()
        for club in Club.objects.all():
            log_change(
                club,
                None,
                gettext_noop("The data were replaced by a backup: {file}"),
                now=timezone.now(),
                file=", ".join(
                    [*([backup.file.name] if backup else []), *([journal.place.said] if journal else [])]
                ),
            )

    def _bring_forward(self, journal: Found, aside: Path | None, *, onto_backup: bool) -> None:
        if onto_backup and not (triggers.is_there() and journal.goes_on_from(JournalState.objects.first())):
            self.stdout.write(
                "This backup does not belong to the journal's newest book. That book is complete, so it is "
                "restored on its own."
            )
            onto_backup = False
        try:
            if not onto_backup:
                make_room(journal)
            count = bring_back(journal, onto_backup=onto_backup)
        except (JournalError, PlaceError, OSError) as problem:
            left = "as it was in the backup" if onto_backup else "empty"
            kept = f" The previous database is saved in {aside}" if aside else ""
            raise CommandError(
                f"The journal could not be restored. {problem} The database is now {left}.{kept}"
            ) from None
        self.stdout.write(f"Restored {count} step(s) of the journal, up to {journal.until}.")

    def _holds_something(self) -> bool:
        """Whether there is a database of ours, or one too damaged to query."""
        try:
            return MigrationRecorder(connection).has_table()
        except DatabaseError:
            connection.close()
            return True

    def _keep_aside(self) -> Path:
        """A backup of what is there now, in a folder that no timer clears; a damaged file as it is."""
        folder = backups_folder() / "before-restore"
        try:
            return back_up(folder, now=timezone.now())
        except (BackupError, DatabaseError) as problem:
            if connection.vendor != "sqlite":
                raise CommandError(
                    f"The present database cannot be saved first, so nothing has been restored. {problem}"
                ) from None
            self.stderr.write(str(problem))
            connection.close()
            target = folder / f"{DAMAGED}{timezone.now():%Y%m%dT%H%M%S}.sqlite3"
            sqlite.put_away(connection.settings_dict, target)
            return target

    def _newest_version(self) -> int:
        """The newest version that phones have seen; 0 if the database is too damaged to query."""
        try:
            return newest_version()
        except DatabaseError:
            connection.close()
            return 0
