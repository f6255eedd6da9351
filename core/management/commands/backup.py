"""`manage.py backup`: back up the database and the photographs to one file, while in use."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import close_old_connections
from django.utils import timezone

from core import platform
from core.backup.backups import back_up
from core.backup.folder import MEGABYTE, backups_folder, backups_in, room_for
from core.backup.schedule import back_up_what_changed, last
from core.database import refuse_empty_folder
from core.errors import BackupError

NICE = 10  # reports come first


class Command(BaseCommand):
    help = (
        "Backs up the database and the photographs of slips to one file, named by the time. Spadille can "
        "be in use meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", help="the folder to write to (default: backups in the data folder)")
        parser.add_argument("--keep", type=int, help="keep only this many backups; the oldest are deleted")
        parser.add_argument("--list", action="store_true", help="list the existing backups instead")
        parser.add_argument(
            "--every",
            type=int,
            metavar="MINUTES",
            help="keep running, and back up the database this often if anything has changed",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        keep = options["keep"]
        if (1 if keep is None else keep) < 1 or (options["every"] or 1) < 1:
            raise CommandError("--keep and --every must be at least 1.")
        folder = Path(options["to"]).resolve() if options["to"] else backups_folder()
        if options["list"]:
            self._list(folder)
            return
        refuse_empty_folder()
        if options["every"]:
            self._go_on(folder, options["every"], keep)
        try:
            self.stdout.write(str(back_up(folder, now=timezone.now(), keep=keep)))
        except BackupError as problem:
            raise CommandError(f"No backup was made. {problem}") from None

    def _go_on(self, folder: Path, minutes: int, keep: int | None) -> None:
        """Run until stopped; a failed backup is reported, and the next is tried at its time."""
        platform.end_if_held()
        platform.step_back(NICE)
        while True:
            try:
                back_up_what_changed(now=timezone.now(), keep=keep, folder=folder)
            except BackupError as problem:
                self.stderr.write(f"No backup was made. {problem}")
            close_old_connections()
            time.sleep(minutes * 60)

    def _list(self, folder: Path) -> None:
        """The oldest first, and what room there is."""
        backups = backups_in(folder)
        for backup in backups:
            made = "by hand" if backup.by_hand else ""
            at = timezone.localtime(backup.at)
            self.stdout.write(
                f"{at:%Y-%m-%d %H:%M}  {backup.size / MEGABYTE:10.1f} MB  {backup.path}  {made}".rstrip()
            )
        room = room_for(folder, last().size)
        taken = sum(backup.size for backup in backups) // MEGABYTE
        self.stdout.write(
            f"{len(backups)} backup(s), {taken} MB; {room.free // MEGABYTE} MB free on the disk."
        )
