"""Text: quotation marks, shell commands to show, names without invisible characters, random codes."""

from __future__ import annotations

import re
import secrets
import shlex
import unicodedata
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _


def quote(text: object) -> str:
    """The text in quotation marks of the user's language."""
    return _("“%(text)s”") % {"text": text}


def shell_command(command: str, *, of_django: bool = False, on_a_page: bool = False) -> str:
    """A command as the administrator types it in a shell here, with the data folder where it is needed.

    `of_django`: the command is one of Django's. `on_a_page`: leave the data folder out if strangers can read it.
    """
    is_named = connection.vendor == "sqlite" and not (on_a_page and settings.HTTPS)
    folder, program = Path(settings.DATA_DIR), Path(settings.BASE_DIR)
    near = shlex.quote(str(folder.relative_to(program) if folder.is_relative_to(program) else folder))
    if settings.COMMAND == "manage.py":
        return f"{f'SPADILLE_DATA={near} ' * is_named}.venv/bin/python manage.py {command}"
    is_named = is_named and settings.COMMAND == "spadille"
    return f"{settings.COMMAND}{f' --data {near}' * is_named}{' manage' * of_django} {command}"


_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")
# More marks on one letter than any writing has.
_STACKED = re.compile(r"([\u0300-\u036f]{3})[\u0300-\u036f]+")
# A remark behind or in a person's name: a place, a maiden name.
_REMARK = re.compile(r"\([^()]*\)?")


def strip_remark(name: str) -> str:
    """The name without remarks in brackets: “Gudrun Holm (Marstal)” becomes Gudrun Holm; never empty."""
    return " ".join(_REMARK.sub(" ", name).split()) or name


def clean_text(text: str) -> str:
    """The text with single blanks, without control characters, bidirectional overrides (U+202E) and stacked accents."""
    if text.isprintable():
        plain = " ".join(text.split())
        return plain if text.isascii() else _STACKED.sub(r"\1", plain)
    seen = "".join(letter for letter in text.translate(_CONTROLS) if unicodedata.category(letter) != "Cf")
    return " ".join(_STACKED.sub(r"\1", seen).split())


# No 0/O, 1/I/L: codes are read off paper and typed on phones.
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def make_code(length: int = 6) -> str:
    """A short code that people type: not guessable by chance, not a secret by itself."""
    return "".join(secrets.choice(CODE_LETTERS) for _unused in range(length))
