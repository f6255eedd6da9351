"""`manage.py serve`: everything a hall needs in one command."""

from __future__ import annotations

import getpass
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from clubs import first_page
from clubs.accounts import (
    NotTheFirstError,
    create_first_organiser,
    first_account,
    first_club,
    full_name,
    user_name_of,
)
from clubs.models import Account
from core.serving.addresses import desk_address, hall_address, qr_code, refuse_taken_port
from core.serving.server import prepare, serve

Answer = TypeVar("Answer")
# What is listened on where no other machine shall come.
ONLY_HERE = ("127.0.0.1", "::1", "localhost")


def terminal_language() -> str:
    """The language that the terminal is set to, where Spadille speaks it."""
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    try:
        return translation.get_supported_language_variant(translation.to_language(locale.partition(".")[0]))
    except LookupError:
        return settings.LANGUAGE_CODE


def _as_text(answer: str) -> str:
    """An answer as it is; raises ValidationError where it was typed in another encoding than Python reads."""
    try:
        answer.encode()
    except UnicodeEncodeError:
        message = _("These letters cannot be read: Python thinks this terminal uses %(encoding)s.")
        raise ValidationError(message % {"encoding": sys.stdin.encoding}) from None
    return answer


class Command(BaseCommand):
    help = (
        "Upgrades the database if needed, asks for the first organiser if there is none (in the terminal, "
        "or on a web page with a code shown here), and starts the server."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host",
            default="127.0.0.1" if settings.HTTPS else "0.0.0.0",  # noqa: S104
            help="address to listen on (default: all interfaces, or only this machine if PUBLIC_URL is https)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_taken_port(options["host"])
        prepare()
        if not Account.objects.exists() and sys.stdin.isatty():
            with translation.override(terminal_language()):
                self.ask_first_organiser()
        # Do not inherit it from another start.
        os.environ.pop(first_page.ENVIRONMENT, None)
        code = "" if Account.objects.exists() else first_page.new_code()
        if code:
            os.environ[first_page.ENVIRONMENT] = code
        settings.FIRST_PAGE_SECRET = code  # forked processes do not read the settings again
        alone = options["host"] in ONLY_HERE and not settings.PUBLIC_URL
        with translation.override(terminal_language()):
            said = self.addresses(alone=alone, code=code)
        serve(options["host"], said)

    def addresses(self, *, alone: bool, code: str = "") -> str:
        """The server's URLs; `alone`: from this machine only; `code`: of the first page."""
        said = ["", *(self.ways_to_first_page(code, alone=alone) if code else ())]
        said.append(_("The desk:  %(address)s") % {"address": desk_address()})
        if alone:
            said.append(_("Only this computer can reach it. Start without --host to let phones in too."))
        else:
            hall = f"{hall_address()}/"
            if code := qr_code(hall):
                said.append(
                    _("The hall:  %(address)s  (scan this with a phone on this network)") % {"address": hall}
                )
                said.append(code)
            else:
                said.append(_("The hall:  %(address)s  (for phones on this network)") % {"address": hall})
        said.append(_("Stop with Ctrl-C."))
        return "".join(f"{line.removesuffix(chr(10))}\n" for line in said)

    def ways_to_first_page(self, code: str, *, alone: bool) -> list[str]:
        """Lines for the terminal with the URLs of the first page, which creates the first organiser."""
        said = [_("There is no organiser yet. Open this page and enter your details:")]
        here = f"http://localhost:{settings.PORT}/"
        if first_page.needs_no_code_here():
            said.append(_("On this computer:  %(address)s") % {"address": here})
            if alone:
                return [*said, ""]
        told = {"code": code, "address": here if alone else f"{hall_address()}/"}
        said.append(_("With the code %(code)s:  %(address)s") % told)
        return [*said, ""]

    def ask_first_organiser(self) -> None:
        """Ask at the terminal for the account that everything else is set up with."""
        self.stdout.write(_("Welcome to Spadille. Who is the organiser?"))
        try:
            club = self._ask(_("Name of the club:"), first_club).name
            name = self._ask(_("Your name, such as Anna Holm:"), full_name)
            account = self._ask(_("Your user name, without spaces:"), first_account, usual=user_name_of(name))
            password = self._ask_password(account)
        except (EOFError, KeyboardInterrupt):
            raise CommandError(_("Stopped. Nothing has been saved; start again to answer.")) from None
        try:
            create_first_organiser(account.username, password, club, name)
        except NotTheFirstError as error:  # at a page of another server on the same data
            self._say_wrong(error)

    def _ask(self, question: str, checked: Callable[[str], Answer], usual: str = "") -> Answer:
        """Ask until the answer is one, and say each time what is wrong with it; nothing typed means the `usual`."""
        shown = f"{question} [{usual}] " if usual else f"{question} "
        while True:
            try:
                return checked(_as_text(input(shown)) or usual)
            except ValidationError as error:
                self._say_wrong(error)

    def _ask_password(self, account: Account) -> str:
        """Ask for the password twice, since it is not echoed."""
        while True:
            question = _("A password (10 letters or more; nothing is shown while you type):")
            password = getpass.getpass(f"{question} ")
            try:
                validate_password(password, account)
            except ValidationError as error:
                self._say_wrong(error)
                continue
            question = _("The same password again:")
            if getpass.getpass(f"{question} ") == password:
                return password
            self.stdout.write(_("The two are not the same."))

    def _say_wrong(self, error: ValidationError) -> None:
        self.stdout.write("\n".join(error.messages))
