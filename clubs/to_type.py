"""Lines that whoever looks after the machine types, as a shell reads them there."""

import shlex
from pathlib import Path

from django.conf import settings
from django.db import connection


def line_to_type(command: str, *, of_django: bool = False, on_a_page: bool = False) -> str:
    """“verify” as it is typed, on the data that this process works on; `of_django`: not one of Spadille's own.

    It names the data folder where that is enough to find the data, and the command does not know it; but not
    `on_a_page` that all the Internet may ask for.
    """
    is_named = connection.vendor == "sqlite" and not (on_a_page and settings.HTTPS)
    folder, program = Path(settings.DATA_DIR), Path(settings.BASE_DIR)
    near = shlex.quote(str(folder.relative_to(program) if folder.is_relative_to(program) else folder))
    if settings.COMMAND == "manage.py":
        return f"{f'SPADILLE_DATA={near} ' * is_named}.venv/bin/python manage.py {command}"
    is_named = is_named and settings.COMMAND == "spadille"
    return f"{settings.COMMAND}{f' --data {near}' * is_named}{' manage' * of_django} {command}"
