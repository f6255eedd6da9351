"""Append-only tables: database triggers reject every UPDATE and DELETE of reports and of links of the hash chains.

The triggers are created after every migration, because altering a table on SQLite rebuilds it without its
triggers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connections

from core.journal.models import journal_triggers

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

UPDATED, DELETED, EMPTIED = "report_is_never_updated", "report_is_never_deleted", "reports_are_never_emptied"
REPORTS, CHAIN, REGISTER = "tournaments_report", "tournaments_chainlink", "tournaments_registerlink"


class Trigger(NamedTuple):
    """`refuses` is the statement that it refuses; `what` how what it protects is called."""

    name: str
    table: str
    refuses: str
    what: str

    @property
    def sql(self) -> str:
        """The CREATE TRIGGER statement in the form that SQLite stores in `sqlite_master`."""
        done = {"UPDATE": "updated", "DELETE": "deleted"}[self.refuses]
        return (
            f"CREATE TRIGGER {self.name} BEFORE {self.refuses} ON {self.table} "
            f"BEGIN SELECT RAISE(ABORT, '{self.what} is never {done}'); END"
        )

    @property
    def postgresql(self) -> str:
        each = "STATEMENT" if self.refuses == "TRUNCATE" else "ROW"
        return (
            f"CREATE OR REPLACE TRIGGER {self.name} BEFORE {self.refuses} ON {self.table} "
            f"FOR EACH {each} EXECUTE FUNCTION refuse_report_change()"
        )


TRIGGERS = (
    Trigger(UPDATED, REPORTS, "UPDATE", "a report"),
    Trigger(DELETED, REPORTS, "DELETE", "a report"),
    Trigger(EMPTIED, REPORTS, "TRUNCATE", "a report"),
    Trigger("chain_link_is_never_updated", CHAIN, "UPDATE", "a link of the chain"),
    Trigger("chain_link_is_never_deleted", CHAIN, "DELETE", "a link of the chain"),
    Trigger("chain_is_never_emptied", CHAIN, "TRUNCATE", "a link of the chain"),
    Trigger("register_link_is_never_updated", REGISTER, "UPDATE", "a link of the register"),
    Trigger("register_link_is_never_deleted", REGISTER, "DELETE", "a link of the register"),
    Trigger("register_is_never_emptied", REGISTER, "TRUNCATE", "a link of the register"),
)
REFUSAL = """
    BEGIN RAISE EXCEPTION 'a report or a link of the chain is never updated or deleted'; END """
REFUSE = (
    f"""CREATE OR REPLACE FUNCTION refuse_report_change() RETURNS trigger LANGUAGE plpgsql AS $${REFUSAL}$$"""
)


def triggers(connection: BaseDatabaseWrapper) -> dict[str, Trigger]:
    """The triggers that protect reports and the chain in this kind of database, by name."""
    wanted = [
        trigger for trigger in TRIGGERS if connection.vendor != "sqlite" or trigger.refuses != "TRUNCATE"
    ]
    return {trigger.name: trigger for trigger in wanted}


def protect_reports(using: str = "default", **_signal: Any) -> None:
    """Put the triggers up where they are missing, or not what they should be; a receiver of `post_migrate`."""
    connection = connections[using]
    there = _on_sqlite(connection) if connection.vendor == "sqlite" else {}
    tables = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql" and REPORTS in tables:
            cursor.execute(REFUSE)
        for trigger in triggers(connection).values():
            if trigger.table not in tables:
                continue
            if connection.vendor == "postgresql":
                cursor.execute(trigger.postgresql)
            elif there.get(trigger.name) != _plain(trigger.sql):
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}")
                cursor.execute(trigger.sql)


def unprotected(connection: BaseDatabaseWrapper) -> Iterator[str]:
    """Messages for each trigger that is missing, disabled or different, and for each that is not ours."""
    there = _on_sqlite(connection) if connection.vendor == "sqlite" else _on_postgresql(connection)
    for name, trigger in triggers(connection).items():
        if name not in there:
            yield f"the trigger {name} on {trigger.table} is missing"
        elif there[name] != _plain(trigger.sql if connection.vendor == "sqlite" else trigger.postgresql):
            yield f"the trigger {name} on {trigger.table} is not what it should be, or is switched off"
    following = {name: _plain(sentence) for name, sentence in journal_triggers(connection).items()}
    for name in sorted(there.keys() - triggers(connection).keys()):
        if there[name] != following.get(name):
            yield f"the trigger {name} is not ours"
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'refuse_report_change'")
            if [_plain(body) for (body,) in cursor.fetchall()] != [_plain(REFUSAL)]:
                yield "the function refuse_report_change, which the triggers call, is not what it should be"


def _plain(sql: str) -> str:
    """A statement as it can be compared: its blanks single, without what the database adds or leaves out."""
    return re.sub(r"\s+", " ", sql.replace("public.", "").replace(" OR REPLACE", "")).strip()


def _on_sqlite(connection: BaseDatabaseWrapper) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return {name: _plain(sql) for name, sql in cursor.fetchall()}


def _on_postgresql(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Trigger definitions on the append-only tables; a disabled trigger's definition is marked."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname, tgenabled, pg_get_triggerdef(oid) FROM pg_trigger "
            "WHERE NOT tgisinternal AND tgrelid IN (%s::regclass, %s::regclass, %s::regclass)",
            [REPORTS, CHAIN, REGISTER],
        )
        return {
            name: _plain(sql) if enabled in ("O", "A") else "switched off"
            for name, enabled, sql in cursor.fetchall()
        }
