"""`manage.py languages`: in which languages is how much of the program?"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import to_language

from tournaments.words.completeness import begun, parts


class Command(BaseCommand):
    help = "Says how much of the program there is in each language; of those that are named also what is missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", nargs="*", help="a language, by its folder in locale/: da, sv")

    def handle(self, *args: Any, **options: Any) -> None:
        known = {to_language(folder): folder for folder in begun()}
        asked = [to_language(code) for code in options["code"]]
        if unknown := [code for code in asked if code not in known]:
            raise CommandError(
                f"There is no folder locale/{unknown[0]}. To begin: mkdir -p locale/{unknown[0]} && make messages"
            )
        for language in asked or known:
            self._tell(language, named=bool(asked))

    def _tell(self, language: str, *, named: bool) -> None:
        offered = dict(settings.LANGUAGES).get(language, "not offered: its catalogue is not compiled")
        found = parts(language)
        self.stdout.write(
            f"{language} ({offered}): " + ", ".join(f"{part.name} {part.done} of {part.of}" for part in found)
        )
        for part in found if named else ():
            for missing in part.missing:
                self.stdout.write(f"  {part.name}: {missing}")
