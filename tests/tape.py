"""What many tests begin with, made once by the program's own steps, and then written again as it was written then.

A tape is what a maker has told the database. It is played back only where the database would take it in just as then:
with the same next key in every table, so that all rows get the keys that later rows point to. A tape is kept for as
long as the times on it are of now.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.conf import UserSettingsHolder, settings
from django.db import connection, models, transaction
from django.utils import translation

from tournaments.changes.register import Content, chain
from tournaments.models import RegisterHead, RegisterLink

KEPT = 120  # seconds
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
# Its links have the hashes of what each test wrote before: what they say is chained anew, in one.
REGISTER = "tournaments_register"
TAKEN_BACK = "ROLLBACK TO SAVEPOINT"
LAST_KEYS = {
    "sqlite": "SELECT name, seq FROM sqlite_sequence WHERE name NOT LIKE '%register%' ORDER BY name",
    "postgresql": "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public'"
    " AND sequencename NOT LIKE '%register%' ORDER BY sequencename",
}
# What is each test's own, and nothing that is stored depends on.
OF_EACH_TEST = {"CACHES", "MEDIA_ROOT"}


class Tape(NamedTuple):
    made_at: float
    statements: list[tuple[str, Any, bool]]
    chained: dict[str, Content | None]
    key: int


class Recorder:
    """`is_on`: a test that changes the program itself makes all that it needs anew."""

    def __init__(self) -> None:
        self.tapes: dict[object, Tape] = {}
        self.is_on = True

    def played(self, what: object, rows: Iterable[models.Model], make: Callable[[], int]) -> int:
        """Let `make` write to the database, or write what it wrote before; the key that it gives.

        `what` and all that is in `rows` is what it depends on, with the settings.
        """
        if not self.is_on:
            return make()
        here = (
            repr(what),
            tuple(map(_said, rows)),
            _settings_now(),
            translation.get_language(),
            next_keys(),
        )
        tape = self.tapes.get(here)
        if tape is None or abs(time.time() - tape.made_at) > KEPT:  # a test may have set the clock back
            tape = self._recorded(make)
            if any(sql.startswith(TAKEN_BACK) for sql, *_told in tape.statements):
                self.tapes.pop(here, None)  # which of the writes have stayed it does not tell
            else:
                self.tapes[here] = tape
            return tape.key
        with transaction.atomic():
            # Closed before the rows are chained: what its last statement returns is never read.
            with connection.cursor() as cursor:
                for sql, told, many in tape.statements:
                    (cursor.executemany if many else cursor.execute)(sql, told)
            chain(tape.chained)
        return tape.key

    def _recorded(self, make: Callable[[], int]) -> Tape:
        told: list[tuple[str, Any, bool]] = []

        def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if many:
                params = list(params)
            if sql.lstrip().startswith((*WRITES, TAKEN_BACK)) and REGISTER not in sql:
                told.append((sql, params, many))
            return execute(sql, params, many, context)

        before = RegisterHead.objects.values_list("count", flat=True).first() or 0
        with connection.execute_wrapper(listen):
            key = make()
        chained: dict[str, Content | None] = {}
        for content in (
            RegisterLink.objects.filter(number__gt=before)
            .order_by("number")
            .values_list("content", flat=True)
        ):
            chained |= content
        return Tape(time.time(), told, chained, key)


def _said(row: models.Model) -> tuple[str, ...]:
    """All that a maker may go by: not when a row was written, nor the salt of a password."""
    told = (field for field in row._meta.concrete_fields if not isinstance(field, models.DateTimeField))
    return tuple(str(getattr(row, field.attname)) for field in told if field.name != "password")


def _settings_now() -> tuple[tuple[str, str], ...]:
    """What tests have set otherwise: each does so in a layer of its own, above what the program has."""
    changed: dict[str, str] = {}
    layer = settings._wrapped
    while isinstance(layer, UserSettingsHolder):
        for name, value in vars(layer).items():
            if name not in changed and (name == "_deleted" or name.isupper()) and name not in OF_EACH_TEST:
                changed[name] = repr(value)
        layer = layer.default_settings
    return tuple(sorted(changed.items()))


def next_keys() -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(LAST_KEYS[connection.vendor])
        return tuple(cursor.fetchall())


recorder = Recorder()
