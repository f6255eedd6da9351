"""`manage.py prepare`: bring the data folder up to date with this version of the program."""

from __future__ import annotations

import hashlib
import io
import shlex
from argparse import ArgumentParser
from collections.abc import Collection
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from clubs.members import update_sort_keys
from core.backup.archive import holds_data
from core.backup.backups import fit_this_program, keep_as_they_were
from core.database import nobody_else_updates, refuse_newer_data, wait_until_it_answers, whole_or_not_at_all
from core.errors import BackupError
from core.files import flush_to_disk, write_atomically
from core.journal import triggers as journal
from core.text import shell_command
from tournaments.people.club_years import keep_what_is_lacking
from tournaments.seasons.results import count_what_is_lacking

SIGN_INS_KEPT = 90  # days


class Command(BaseCommand):
    help = "Migrates the database, updates stored results and collects static files, where needed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--without-backup",
            action="store_true",
            help="do not back up before data of an earlier version are upgraded",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wait_until_it_answers()
        try:
            with nobody_else_updates():
                self._bring_up_to_date(options["verbosity"], keep=not options["without_backup"])
        except TimeoutError:
            raise CommandError(
                "Another process is still upgrading these data. Try again when it is done."
            ) from None

    def _bring_up_to_date(self, verbosity: int, *, keep: bool) -> None:
        refuse_newer_data()
        executor = MigrationExecutor(connection)
        if plan := executor.migration_plan(executor.loader.graph.leaf_nodes()):
            if keep and holds_data():
                self._keep_as_it_was(
                    executor.loader.applied_migrations, [(step.app_label, step.name) for step, _back in plan]
                )
            if journal.is_there():
                journal.take_down()  # migrations that rebuild tables go into the next journal with their result
            with nullcontext() if executor.loader.applied_migrations else whole_or_not_at_all():
                call_command("migrate", interactive=False, verbosity=verbosity)
        fit_this_program(MigrationRecorder(connection).applied_migrations())
        if not settings.JOURNAL:
            journal.take_down()
        update_sort_keys()
        count_what_is_lacking()
        keep_what_is_lacking()
        # Expired sessions have personal data (who, from where) that is no longer needed.
        call_command("clearsessions")
        with io.StringIO() as unheard:
            call_command("axes_reset_logs", age=SIGN_INS_KEPT, stdout=unheard)
            call_command("axes_reset_failure_logs", age=SIGN_INS_KEPT, stdout=unheard)
        stamp = settings.DATA_DIR / "static-files"
        fingerprint = hashlib.sha256("\n".join(_static_files()).encode()).hexdigest()
        if not stamp.exists() or stamp.read_text("ascii") != fingerprint:
            call_command(
                "collectstatic", interactive=False, clear=True, verbosity=0, ignore_patterns=["*.d.ts"]
            )
            for path in Path(settings.STATIC_ROOT).rglob("*"):
                flush_to_disk(path)  # the stamp must not survive a power cut without the files
            write_atomically(stamp, fingerprint.encode())

    def _keep_as_it_was(
        self, applied: Collection[tuple[str, str]], planned: Collection[tuple[str, str]]
    ) -> None:
        """A backup of data of an earlier version, before anything of them is changed."""
        try:
            kept, is_half_done = keep_as_they_were(applied, planned, now=timezone.now())
        except BackupError as problem:
            raise CommandError(
                f"These data come from an earlier version of Spadille. The backup before the upgrade "
                f"failed: {problem} Nothing has been changed. (If you have your own copy:"
                f" {shell_command('migrate', of_django=True)}, then start again.)"
            ) from None
        self.stdout.write(
            "These data come from an earlier version of Spadille and are being upgraded"
            f"{' (an earlier attempt was interrupted)' if is_half_done else ''}. Backup: {kept}\n"
            "To go back, install the earlier version and run:"
            f" {shell_command(f'restore {shlex.quote(str(kept))}')}"
        )


def _static_files() -> list[str]:
    """Name, size and time of every static file, so that a start without a change skips compressing them.

    Sorted, because file systems list a folder in different orders.
    """
    return sorted(
        f"{path} {storage.size(path)} {storage.get_modified_time(path).timestamp()}"
        for finder in get_finders()
        for path, storage in finder.list([])
    )
