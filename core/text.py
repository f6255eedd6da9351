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


def quoted(text: object) -> str:
    return _("“%(text)s”") % {"text": text}


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


_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")
# More marks on one letter than any writing has.
_STACKED = re.compile(r"([\u0300-\u036f]{3})[\u0300-\u036f]+")
# What is said of a person behind or in the name: a place, a maiden name.
_REMARK = re.compile(r"\([^()]*\)?")


def without_remark(name: str) -> str:
    """A name without what stands in brackets: “Gudrun Holm (Marstal)” is Gudrun Holm. Empty only where `name` is."""
    return " ".join(_REMARK.sub(" ", name).split()) or name


def tidy(text: str) -> str:
    """The text without control characters, its blanks single; nothing in it is invisible, turns the writing round
    (U+202E would turn what stands beside it too), or stacks accents over other lines."""
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
