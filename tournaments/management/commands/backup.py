"""`manage.py backup`: the whole database and the photographs as one file, while it is in use."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import close_old_connections
from django.utils import timezone

from tournaments.running.backups import BackupProblem, back_up, backups_folder
from tournaments.running.serving import refuse_empty_folder

KEPT = 96  # a day of them, at one every quarter of an hour


class Command(BaseCommand):
    help = (
        "Writes a backup of the whole database with the photographs of slips as one file, named by its time; "
        "it may be in use meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", help="the folder to write to (backups in the data folder)")
        parser.add_argument("--keep", type=int, help="drop the oldest beyond so many")
        parser.add_argument(
            "--every",
            type=int,
            metavar="MINUTES",
            help="go on, one of the database alone every so many minutes",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["keep"] or 1) < 1 or (options["every"] or 1) < 1:
            raise CommandError("--keep and --every need a number from 1.")
        folder = Path(options["to"]).resolve() if options["to"] else backups_folder()
        refuse_empty_folder()
        if options["every"]:
            self._go_on(folder, options["every"], options["keep"] or KEPT)
        try:
            self.stdout.write(str(back_up(folder, now=timezone.now(), keep=options["keep"])))
        except BackupProblem as problem:
            raise CommandError(f"There is no backup. {problem}") from None

    def _go_on(self, folder: Path, minutes: int, keep: int) -> None:
        """Until it is stopped; one that fails is told, and the next is tried at its time."""
        while True:
            try:
                back_up(folder, now=timezone.now(), keep=keep, photographs=False)
            except BackupProblem as problem:
                self.stderr.write(f"There is no backup. {problem}")
            close_old_connections()
            time.sleep(minutes * 60)
