"""`manage.py first_organiser`: the first account, without a dialogue."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from clubs.accounts import create_first_organiser
from clubs.models import Account


class Command(BaseCommand):
    help = "Creates the first organiser and their club; the password is read from SPADILLE_PASSWORD."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", required=True, help="the club's name")
        parser.add_argument("--username", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("prepare", verbosity=0)
        if Account.objects.exists():
            raise CommandError("There is already an account. Add others at the desk.")
        password = os.environ.get("SPADILLE_PASSWORD", "")
        try:
            create_first_organiser(username=options["username"], password=password, club_name=options["club"])
        except ValidationError as error:
            raise CommandError("\n".join(error.messages)) from None
        self.stdout.write(f"{options['username']} organises {options['club']}.")
