"""`manage.py prepare`: bring the data folder up to date with this version of the program."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournaments.people.years import keep_what_is_lacking
from tournaments.running.database import nobody_else_updates, wait_until_it_answers
from tournaments.seasons.counting_anew import count_what_is_lacking

SIGN_INS_KEPT = 90  # days


class Command(BaseCommand):
    help = "Migrates the database, counts what is kept of results, and collects static files, each only where needed."

    def handle(self, *args: Any, **options: Any) -> None:
        wait_until_it_answers()
        try:
            with nobody_else_updates():
                self._bring_up_to_date(options["verbosity"])
        except TimeoutError:
            raise CommandError(
                "Another process is bringing this data up to date, and does not come to an end."
            ) from None

    def _bring_up_to_date(self, verbosity: int) -> None:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=verbosity)
        count_what_is_lacking()
        keep_what_is_lacking()
        # Who was signed in long ago, and from where: nobody needs to know that for ever.
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
            stamp.write_text(fingerprint, "ascii")


def _static_files() -> Iterator[str]:
    """Name, size and time of every static file, so that a start without a change skips compressing them."""
    for finder in get_finders():
        for path, storage in finder.list([]):
            yield f"{path} {storage.size(path)} {storage.get_modified_time(path).timestamp()}"
