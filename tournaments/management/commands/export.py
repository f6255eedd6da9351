"""`manage.py export`: one tournament as one file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.database import refuse_empty_folder
from core.files import write_atomically
from tournaments.exports.tournament_file import export_tournament
from tournaments.models import Tournament


class Command(BaseCommand):
    help = "Exports a tournament as JSON, with everything that another Spadille needs to import it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the tournament's code, as in its web address")
        parser.add_argument("file", nargs="?", help="file to write to (default: standard output)")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_empty_folder()
        try:
            tournament = Tournament.objects.select_related("host").get(code=options["code"])
        except Tournament.DoesNotExist:
            raise CommandError(f"There is no tournament {options['code']}.") from None
        data = export_tournament(tournament).encode()
        if options["file"]:
            _write(Path(options["file"]), data)
        else:
            sys.stdout.buffer.write(data)


def _write(path: Path, data: bytes) -> None:
    """Write a file atomically; a pipe or device is written directly."""
    if path.exists() and not path.is_file():
        with path.open("wb") as pipe:
            pipe.write(data)
    else:
        write_atomically(path, data)
