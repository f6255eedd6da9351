"""`manage.py fit_reading`: fit the reader's weights on this installation's imported sheets."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.database import refuse_empty_folder
from tournaments.reporting.reader.layout import UnknownLayout
from tournaments.reporting.reader.reader import is_available
from tournaments.reporting.scans.fitting import FEWEST, FILE, Known, Measured, answered, export, fit


class Command(BaseCommand):
    help = (
        f"Trains the reader of photographed sheets on the sheets accepted here. The result is saved as "
        f"{FILE} in the data folder if it makes no more mistakes and is certain as often; delete the file "
        f"to go back."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--export",
            type=Path,
            metavar="FOLDER",
            help="only write the pictures and their contents to a folder (they show names and handwriting)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        refuse_empty_folder()
        if not is_available():
            raise CommandError("This installation cannot read photographs: install “spadille[reading]”.")
        sheets = _known()
        if options["export"]:
            export(sheets, options["export"])
            self.stdout.write(f"{len(sheets)} sheets are in {options['export']}.")
            return
        if len(sheets) < FEWEST:
            raise CommandError(
                f"Only {len(sheets)} sheets with pictures have been accepted; at least {FEWEST} are needed."
            )
        found = fit(sheets)
        self.stdout.write(f"{found.sheets} sheets. Test sheets before: {_figures_text(found.before)}")
        self.stdout.write(f"after: {_figures_text(found.after)}")
        self.stdout.write(
            "The new version is saved." if found.kept else "It is no better, so nothing has changed."
        )


def _known() -> list[Known]:
    """Every sheet that was taken in and can be understood, with its picture here."""
    found = []
    for picture in answered():
        try:
            if picture.is_there:
                found.append(Known(picture))
        except UnknownLayout:
            continue
    return found


def _figures_text(measured: Measured) -> str:
    return f"{measured.certain} of {measured.lines} lines certain, {measured.wrong} of them wrong"
