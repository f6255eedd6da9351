"""`manage.py notices`: the licences of the libraries that are installed with the program."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from core.notices import in_words


class Command(BaseCommand):
    help = "Prints the libraries that are installed with the program, their authors and licences."

    def handle(self, *args: Any, **options: Any) -> None:
        for line in in_words():
            self.stdout.write(line)
