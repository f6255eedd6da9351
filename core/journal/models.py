"""Models of the journal: triggers record each changed row, by whatever client, and the journal writes it.

Every table is followed, except `DataHooks.not_followed`: a new model is in the journal from its first row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.apps import apps as all_apps
from django.db import models

from core.data_hooks import data_hooks

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.base import BaseDatabaseWrapper

TRIGGER = "journal_"
# Existing tables, migrations and journals name the app that these models were first in, so the label stays.
APP_LABEL = "tournaments"
CHANGED = f"{APP_LABEL}_changedrow"
WHEN = {"insert": "NEW", "update": "NEW", "delete": "OLD"}


class ChangedRow(models.Model):
    """A changed row that the journal has not written yet."""

    place = models.CharField(max_length=80)  # its table
    key = models.CharField(max_length=80)
    at = models.DateTimeField()

    class Meta:
        app_label = APP_LABEL

    def __str__(self) -> str:
        return f"{self.place} {self.key}"


class JournalState(models.Model):
    """The position of the journal, in a single row: its end, to be found again, and its problem, if any."""

    # Whose journal it is: of this database, and of what was restored from it.
    installation = models.CharField(max_length=32)
    # None is begun where it is empty.
    book = models.CharField(max_length=40, blank=True)
    begun_at = models.DateTimeField(null=True)
    step = models.PositiveBigIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True)
    file = models.CharField(max_length=80, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    # Whether the next book is to be the only one.
    forgets = models.BooleanField(default=False)
    written_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=20, blank=True)
    problem_said = models.TextField(blank=True)
    problem_since = models.DateTimeField(null=True)

    class Meta:
        app_label = APP_LABEL

    def __str__(self) -> str:
        return f"{self.book} {self.step}"


def is_followed(model: type[models.Model]) -> bool:
    return not {model._meta.app_label, model._meta.label} & data_hooks().not_followed.keys()


def followed(apps: Apps = all_apps) -> list[type[models.Model]]:
    """The models whose rows are in the journal, of this version or of the state `apps`."""
    found = (
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and is_followed(model)
    )
    return [model for model in found if not model._meta.proxy]


def journal_triggers(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """The triggers that record each change in this kind of database: SQL by name."""
    write = _sqlite if connection.vendor == "sqlite" else _postgresql
    return {name: sentence for model in followed() for name, sentence in write(model)}


def _sqlite(model: type[models.Model]) -> Iterator[tuple[str, str]]:
    table, column = model._meta.db_table, _key(model)
    for what, row in WHEN.items():
        name = f"{TRIGGER}{what}_{table}"
        values = f"'{table}', {row}.{column}, strftime('%Y-%m-%d %H:%M:%f', 'now')"
        note = f"INSERT INTO {CHANGED} (place, key, at) VALUES ({values})"
        yield name, f"CREATE TRIGGER {name} AFTER {what.upper()} ON {table} BEGIN {note}; END"


def _postgresql(model: type[models.Model]) -> Iterator[tuple[str, str]]:
    table, column = model._meta.db_table, _key(model)
    for what in WHEN:
        name = f"{TRIGGER}{what}"
        call = f"FOR EACH ROW EXECUTE FUNCTION journal_{what}_by_{column}()"
        yield f"{name}_{table}", f"CREATE TRIGGER {name}_{table} AFTER {what.upper()} ON {table} {call}"


def journal_functions() -> Iterator[str]:
    """The functions of PostgreSQL's triggers: one for each name of a key column."""
    for column in sorted({_key(model) for model in followed()}):
        for what, row in WHEN.items():
            yield (
                f"CREATE OR REPLACE FUNCTION journal_{what}_by_{column}() RETURNS trigger LANGUAGE plpgsql AS $$"
                f" BEGIN INSERT INTO {CHANGED} (place, key, at)"
                f" VALUES (TG_TABLE_NAME, {row}.{column}, clock_timestamp()); RETURN NULL; END $$"
            )


def _key(model: type[models.Model]) -> str:
    return str(model._meta.pk.column)
