"""`manage.py restore`: put a backup in the place of what the database holds."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
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

from clubs.club_log import write_down
from clubs.models import Club
from tournaments.models import Report, Tournament
from tournaments.running.backups import (
    BackupProblem,
    Opened,
    back_up,
    backups_folder,
    newest_version,
    opened,
    restore,
    sqlite,
    tell_apart,
)
from tournaments.running.backups.archive import UNPACKING
from tournaments.running.serving import nobody_serves

DAMAGED = "damaged-"


@contextmanager
def _cleared() -> Iterator[None]:
    """Without what a restore that was killed had unpacked: it may be as large as the database."""
    for left in Path(settings.DATA_DIR).glob(f"{UNPACKING}*"):
        shutil.rmtree(left, ignore_errors=True)
    yield


class Command(BaseCommand):
    help = "Restores a backup. What the database holds now is kept aside as one more file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file that `manage.py backup` wrote")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        file = Path(options["file"]).resolve()
        try:
            with nobody_serves(), _cleared(), opened(file) as backup:
                if not options["yes"]:
                    self._ask(backup)
                self._put_in_place(backup)
        except BackupProblem as problem:
            raise CommandError(f"Nothing has been restored. {problem}") from None
        tournaments, reports = Tournament.objects.count(), Report.objects.count()
        self.stdout.write(f"Restored {file.name}: {tournaments} tournament(s), {reports} report(s).")
        call_command("verify", stdout=self.stdout)

    def _ask(self, backup: Opened) -> None:
        self.stdout.write(f"{backup.file.name} is whole: {backup.contents}.")
        self.stdout.write("This puts it in the place of everything in this Spadille.")
        try:
            answer = input("Type yes to go on: ")
        except EOFError:  # nobody is at a terminal
            self.stdout.write("")
            raise CommandError("Nothing has been changed. Without a terminal, say --yes.") from None
        if answer.strip().lower() != "yes":
            raise CommandError("Nothing has been changed.")

    def _put_in_place(self, backup: Opened) -> None:
        aside, seen = None, 0
        if self._holds_something():
            aside, seen = self._keep_aside(), self._newest_version()
            self.stdout.write(f"What was there is kept in {aside}")
        try:
            restore(backup)
        except BackupProblem:
            if aside and aside.name.startswith(DAMAGED):
                sqlite.take_back(connection.settings_dict, aside)
            raise
        call_command("prepare", verbosity=0, without_backup=True)  # the file is one
        tell_apart(seen)
        cache.clear()
        for club in Club.objects.all():
            write_down(
                club,
                None,
                gettext_noop("A backup was put in the place of what was there: {file}"),
                now=timezone.now(),
                file=backup.file.name,
            )

    def _holds_something(self) -> bool:
        """Whether there is a database of ours, or one so damaged that it cannot be told."""
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
        except BackupProblem as problem:
            if connection.vendor != "sqlite":
                raise CommandError(
                    f"What is there cannot be kept aside, so nothing is restored. {problem}"
                ) from None
            self.stderr.write(str(problem))
            connection.close()
            target = folder / f"{DAMAGED}{timezone.now():%Y%m%dT%H%M%S}.sqlite3"
            sqlite.put_away(connection.settings_dict, target)
            return target

    def _newest_version(self) -> int:
        """What phones have seen; 0 where the database is so damaged that it cannot be told."""
        try:
            return newest_version()
        except DatabaseError:
            connection.close()
            return 0
