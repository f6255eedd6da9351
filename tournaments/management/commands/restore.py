"""`manage.py restore`: put a backup in the place of what the database holds."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext_noop

from clubs.club_log import write_down
from clubs.models import Club
from tournaments.backups import (
    BackupProblem,
    back_up,
    backups_folder,
    newest_version,
    restore,
    sqlite,
    tell_apart,
)
from tournaments.models import Report, Tournament
from tournaments.serving import nobody_serves


class Command(BaseCommand):
    help = "Restores a backup. What the database holds now is kept aside as one more file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file that `manage.py backup` wrote")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        file = Path(options["file"]).resolve()
        with nobody_serves():
            if not options["yes"]:
                self._ask(file)
            aside, seen = None, 0
            if MigrationRecorder(connection).has_table():
                aside, seen = self._keep_aside(), self._newest_version()
            if aside:
                self.stdout.write(f"What was there is kept in {aside}")
            try:
                restore(file)
            except BackupProblem as problem:
                raise CommandError(f"Nothing has been restored. {problem}") from None
            self._refuse_newer(aside)
            call_command("prepare", verbosity=0)
            tell_apart(seen)
            cache.clear()
            for club in Club.objects.all():
                write_down(
                    club,
                    None,
                    gettext_noop("A backup was put in the place of what was there: {file}"),
                    file=file.name,
                )
        tournaments, reports = Tournament.objects.count(), Report.objects.count()
        self.stdout.write(f"Restored {file.name}: {tournaments} tournament(s), {reports} report(s).")
        call_command("verify", stdout=self.stdout)

    def _ask(self, file: Path) -> None:
        self.stdout.write(f"This puts {file.name} in the place of everything in this Spadille.")
        if input("Type yes to go on: ").strip().lower() != "yes":
            raise CommandError("Nothing has been changed.")

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
            target = folder / f"damaged-{timezone.now():%Y%m%dT%H%M%S}.sqlite3"
            sqlite.put_away(connection.settings_dict, target)
            return target

    def _newest_version(self) -> int:
        """What phones have seen; 0 where the database is so damaged that it cannot be told."""
        try:
            return newest_version()
        except DatabaseError:
            connection.close()
            return 0

    def _refuse_newer(self, aside: Path | None) -> None:
        """A newer Spadille's data may be more than this one can read."""
        loader = MigrationLoader(connection)
        ours = {app for app, _name in loader.disk_migrations or {}}
        unknown = [
            key
            for key in loader.applied_migrations
            if key[0] in ours and key not in (loader.disk_migrations or {})
        ]
        if unknown:
            raise CommandError(
                f"This backup was made by a newer Spadille ({unknown[0][1]}). Start that one"
                + (f", or restore {aside}." if aside else ".")
            )
