"""The command line: Django's for Spadille, as `manage.py` and the installed command `spadille` ask for it."""

import gc
import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import BaseCommand, CommandError, ManagementUtility
from django.db import OperationalError
from environs import EnvError

from config.version import version_in_words
from core.backup.restore_hint import what_to_do
from core.streams import tolerate_every_encoding

# What shells call a program that Ctrl-C has ended.
STOPPED = 130


class Commands(ManagementUtility):
    """Django's commands and ours; ours run no system checks, since these load every view."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        command = super().fetch_command(subcommand)
        if type(command).__module__.startswith(("core.", "tournaments.")):
            command.requires_system_checks = []  # `check` makes them
        # What has been read is needed until the end: no garbage is looked for in it, nor as the process ends.
        gc.freeze()
        gc.enable()
        return command


def run(arguments: list[str]) -> None:
    """Run a command line, the program's name first; a failure is one printed sentence and exit status 1."""
    tolerate_every_encoding()
    if arguments[1:] == ["--version"]:
        print(version_in_words())  # noqa: T201 - the output of the command
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    gc.disable()  # while the program is read: a third of the time of a short command was spent looking for garbage
    try:
        _do(arguments)
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def _do(arguments: list[str]) -> None:
    try:
        settings.configured or settings.DEBUG  # noqa: B018 - reads them all
    except (EnvError, ImproperlyConfigured, OSError, ValueError, MemoryError) as error:
        sys.exit(what_to_do(error) or f"Spadille cannot start: {error}")
    try:
        Commands(arguments).execute()
    except CommandError as error:
        sys.exit(f"CommandError: {error}")
    except Exception as error:
        if told := what_to_do(error):
            sys.exit(told)
        if not isinstance(error, OperationalError):
            raise
        said = str(error).strip().splitlines()
        sys.exit(f"Spadille's database does not answer: {said[0] if said else 'it says nothing'}")
