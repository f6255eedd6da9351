"""A report is never updated and never deleted: the database itself refuses, whoever asks.

The triggers are put up after every migration, because a migration that changes the table on SQLite builds it anew and
leaves its triggers behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connections

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

UPDATED, DELETED, EMPTIED = "report_is_never_updated", "report_is_never_deleted", "reports_are_never_emptied"

SQLITE = {
    UPDATED: f"""CREATE TRIGGER IF NOT EXISTS {UPDATED} BEFORE UPDATE ON tournaments_report
        BEGIN SELECT RAISE(ABORT, 'a report is never updated'); END""",
    DELETED: f"""CREATE TRIGGER IF NOT EXISTS {DELETED} BEFORE DELETE ON tournaments_report
        BEGIN SELECT RAISE(ABORT, 'a report is never deleted'); END""",
}
REFUSE = """CREATE OR REPLACE FUNCTION refuse_report_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'a report is never updated or deleted'; END $$"""
POSTGRESQL = {
    UPDATED: f"""CREATE OR REPLACE TRIGGER {UPDATED} BEFORE UPDATE ON tournaments_report
        FOR EACH ROW EXECUTE FUNCTION refuse_report_change()""",
    DELETED: f"""CREATE OR REPLACE TRIGGER {DELETED} BEFORE DELETE ON tournaments_report
        FOR EACH ROW EXECUTE FUNCTION refuse_report_change()""",
    EMPTIED: f"""CREATE OR REPLACE TRIGGER {EMPTIED} BEFORE TRUNCATE ON tournaments_report
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_report_change()""",
}


def triggers(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """The triggers that protect reports in this kind of database, and how each is put up."""
    return SQLITE if connection.vendor == "sqlite" else POSTGRESQL


def protect_reports(using: str = "default", **_signal: Any) -> None:
    """Put the triggers up where they are missing; a receiver of `post_migrate`."""
    connection = connections[using]
    if "tournaments_report" not in connection.introspection.table_names():
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(REFUSE)
        for statement in triggers(connection).values():
            cursor.execute(statement)


def reports_are_protected(connection: BaseDatabaseWrapper) -> bool:
    """Whether the database refuses to change a report."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name = %s", [UPDATED]
            )
        else:
            # One that was switched off ('D') protects nothing.
            cursor.execute(
                "SELECT count(*) FROM pg_trigger WHERE tgname = %s AND tgenabled <> 'D'", [UPDATED]
            )
        return bool(cursor.fetchone()[0])
