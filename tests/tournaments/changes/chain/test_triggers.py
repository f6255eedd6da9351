"""What refuses changes in the database: dropped or hollowed out, it shows, and a migration puts it right."""

from __future__ import annotations

import re

import pytest
from django.db import connection

from tests.factories import drop_trigger
from tests.tournaments.changes.chain.test_chain import said
from tournaments.models.append_only import protect_reports, triggers

pytestmark = pytest.mark.databases


def test_a_trigger_that_was_dropped_shows(chained_evening):
    for name in triggers(connection):
        with connection.cursor() as cursor:
            drop_trigger(cursor, name)
        assert f"the trigger {name} on {triggers(connection)[name].table} is missing" in said()
        protect_reports()
    assert said() == ""


def test_a_trigger_that_was_hollowed_out_shows(chained_evening):
    connection.check_constraints()  # PostgreSQL: those that wait for the end of the transaction
    for name, trigger in triggers(connection).items():
        with connection.cursor() as cursor:
            drop_trigger(cursor, name)
            if connection.vendor == "sqlite":
                cursor.execute(re.sub("BEGIN .*", "BEGIN SELECT 1; END", trigger.sql))
            else:
                cursor.execute(trigger.postgresql)
                cursor.execute(f"ALTER TABLE {trigger.table} DISABLE TRIGGER {name}")
        assert f"the trigger {name} on {trigger.table} is not what it should be" in said()
        with connection.cursor() as cursor:
            drop_trigger(cursor, name)
        protect_reports()


@pytest.mark.sqlite  # PostgreSQL is told to replace it
def test_a_trigger_hollowed_out_is_put_right_by_the_next_migration(chained_evening):
    name, trigger = next(iter(triggers(connection).items()))
    with connection.cursor() as cursor:
        drop_trigger(cursor, name)
        cursor.execute(re.sub("BEGIN .*", "BEGIN SELECT 1; END", trigger.sql))
    protect_reports()
    assert said() == ""


@pytest.mark.postgresql  # SQLite's triggers have their body with them
def test_the_function_that_refuses_hollowed_out_shows(chained_evening):
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION refuse_report_change() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RETURN NULL; END $$"
        )
    assert "the function refuse_report_change" in said()
    protect_reports()
    assert said() == ""
