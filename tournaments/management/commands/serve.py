"""`manage.py serve`: everything a hall needs in one command."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from clubs.accounts import create_first_organiser, first_account, first_club
from clubs.models import Account
from tournaments.serving import desk_address, hall_address, print_qr, refuse_taken_port, serve

Answer = TypeVar("Answer")


class Command(BaseCommand):
    help = (
        "Brings the database up to date, asks for the first organiser if there is none, and serves the club."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host",
            default="127.0.0.1" if settings.HTTPS else "0.0.0.0",  # noqa: S104
            help="address to listen on (all of this machine's; with an https PUBLIC_URL only the proxy's side)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_taken_port(options["host"])
        call_command("prepare", verbosity=0)
        if not Account.objects.exists():
            if not sys.stdin.isatty():
                raise CommandError(
                    "There is no organiser's account yet. Run this once at a terminal, or create one with"
                    " `manage.py first_organiser --club NAME --username NAME` and the password in SPADILLE_PASSWORD."
                )
            self.ask_first_organiser()
        self.stdout.write("")
        self.stdout.write(f"The desk:  {desk_address()}")
        self.stdout.write(f"The hall:  {hall_address()}/  (phones on this network scan this)")
        print_qr(f"{hall_address()}/")
        self.stdout.write("Stop with Ctrl-C.")
        self.stdout.flush()
        serve(options["host"])

    def ask_first_organiser(self) -> None:
        """Ask at the terminal for the account that everything else is set up with."""
        self.stdout.write("Welcome to Spadille. Who organises?")
        try:
            club = self._ask("Name of the club: ", first_club).name
            account = self._ask("Your user name, without spaces: ", first_account)
            password = self._ask_password(account)
        except (EOFError, KeyboardInterrupt):
            raise CommandError("Stopped. Nothing has been stored; start again to answer.") from None
        create_first_organiser(username=account.username, password=password, club_name=club)

    def _ask(self, question: str, checked: Callable[[str], Answer]) -> Answer:
        """Ask until the answer is one, and say each time what is wrong with it."""
        while True:
            try:
                return checked(input(question))
            except ValidationError as error:
                self._say_wrong(error)

    def _ask_password(self, account: Account) -> str:
        """Nothing shows while it is typed, so it is asked for twice."""
        while True:
            password = getpass.getpass("A password (10 letters or more; nothing shows while you type): ")
            try:
                validate_password(password, account)
            except ValidationError as error:
                self._say_wrong(error)
                continue
            if getpass.getpass("The same password again: ") == password:
                return password
            self.stdout.write("The two are not the same.")

    def _say_wrong(self, error: ValidationError) -> None:
        self.stdout.write("\n".join(error.messages))
