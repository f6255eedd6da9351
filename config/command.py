"""The command line: Django's for Spadille, as `manage.py` and the installed command `spadille` ask for it."""

from __future__ import annotations

import gc
import os
import shlex
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import BaseCommand, CommandError, ManagementUtility
from django.db import OperationalError
from environs import EnvError

from config.version import version_in_words
from core.database_errors import has_no_memory, is_damaged
from core.platform import tolerate_every_encoding

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


def what_to_do(error: BaseException) -> str:
    """Instructions for the terminal, in English; "" where the error is neither of these."""
    if is_damaged(error):
        return _restore(str(error).strip().partition("\n")[0])
    if has_no_memory(error):
        return (
            "There is too little memory: Spadille takes 200 MB, and 400 MB while it brings data up to date. Close other"
            " programs, or give the machine or its container more; then start again. Nothing is changed by halves."
        )
    return ""


def _restore(said: str) -> str:
    # Imported only where there is a hint: each start would import it.
    from core.backup.folder import newest  # noqa: PLC0415
    from core.text import shell_command  # noqa: PLC0415

    try:
        backup = newest()
    except OSError:
        backup = None
    file = shlex.quote(str(backup.path)) if backup else "FILE"
    return (
        f"The database is damaged ({said}). Stop Spadille, copy the data folder somewhere else, then put the newest"
        f" backup in its place:\n    {shell_command(f'restore {file}')}\n"
        "What the database holds now is kept beside it. With a journal, add --journal PLACE: it brings back what came"
        " after the backup."
        + ("" if backup else "\nThere is no backup in the data folder: name one that lies elsewhere.")
    )
