"""`manage.py import`: take in a tournament that another Spadille wrote."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from tournaments.exports.tournament_file import BadFile, import_tournament, unlike_the_file


class Command(BaseCommand):
    help = "Imports a tournament written by `manage.py export`: all of it or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the file, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("prepare", verbosity=0)
        try:
            data = sys.stdin.buffer.read() if options["file"] == "-" else Path(options["file"]).read_bytes()
            text = data.decode()
            tournament = import_tournament(text)
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise CommandError("This is not a tournament file: it is not text in UTF-8.") from None
        except BadFile as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Imported {tournament.name} ({tournament.code}).")
        for line in unlike_the_file(text, tournament):
            self.stdout.write(line)
