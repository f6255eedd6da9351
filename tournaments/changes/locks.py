"""Lock order: the tournament first, then its tables, the register last.

SQLite has one writer at a time. PostgreSQL has many, and two transactions that wait for each other's locks would
deadlock: so a transaction that changes anything of a tournament locks the tournament's row before any other, and
one that changes several tournaments locks all of them first. The register comes last (`changes.register`): many
steps write it, and no report does. Reports of two tables are independent, so they take a shared lock: together
they keep the organiser waiting, but not one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from core.sql import Statement, execute_batch, prepared_query, rows_to_models
from tournaments.models import Round, Table, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet


SHARED = """
    SELECT id FROM tournaments_tournament WHERE id = (
        SELECT tournament_id FROM tournaments_round WHERE id = (
            SELECT round_id FROM tournaments_table WHERE id = %s)) FOR KEY SHARE"""
OF_TABLE = ", ".join(str(field.column) for field in Table._meta.concrete_fields)
TABLE = f"SELECT {OF_TABLE} FROM tournaments_table WHERE id = %s"
OF_TOURNAMENT = ", ".join(
    f"tournaments_tournament.{field.column}" for field in Tournament._meta.concrete_fields
)
OF_ROUND = ("id", "tournament_id", "number", "state")
TOURNAMENT = f"""
    SELECT {OF_TOURNAMENT}, {", ".join(f"r.{column} AS round_{column}" for column in OF_ROUND)}
    FROM tournaments_tournament JOIN tournaments_round r ON r.tournament_id = tournaments_tournament.id
    WHERE r.id = (SELECT round_id FROM tournaments_table WHERE id = %s)"""


def hold(tournament_id: int) -> None:
    """Lock the tournament's row exclusively until the transaction ends."""
    if connection.features.has_select_for_update:  # else the transaction itself is the only writer
        list(Tournament.objects.select_for_update().filter(pk=tournament_id).values_list("pk"))


def hold_each(tournaments: Iterable[int]) -> None:
    """Lock several tournaments, in the order of their keys, before any of them is changed."""
    for pk in sorted(tournaments):
        hold(pk)


def held_tables() -> QuerySet[Table]:
    """Tables with their rounds and tournaments, each locked by who gets it, after `hold`."""
    return Table.objects.select_for_update(of=("self",)).select_related("round__tournament", "match")


def share(table_id: int) -> Table:
    """Take a shared lock on a table's tournament until the transaction ends, and lock the table itself.

    Others may share the lock, and the tournament's version can still be raised; `hold` waits. Returns the table
    with its round and tournament; an unknown one raises `Table.DoesNotExist`. Runs with each report, so in SQL:
    building the query with the ORM takes longer than all the rest of a report.
    """
    locks = connection.features.has_select_for_update
    held = [SHARED] * locks + [TABLE + " FOR UPDATE" * locks]
    *_locked_row, found, of_table = execute_batch(
        *(Statement(sql, [table_id]) for sql in (*held, TOURNAMENT))
    )
    for table in rows_to_models(Table, found):
        (tournament,) = rows_to_models(Tournament, of_table)
        known = [getattr(tournament, f"round_{column}") for column in OF_ROUND]
        table.round = Round.from_db(connection.alias, OF_ROUND, known)
        table.round.tournament = tournament
        return table
    raise Table.DoesNotExist


def locked(tournament: Tournament) -> Tournament:
    """Refresh and lock the tournament until the transaction ends, so that two organisers take turns."""
    (held,) = _locked_row(tournament.pk)
    return held


@prepared_query
def _locked_row(key: int) -> QuerySet[Tournament]:
    return Tournament.objects.select_for_update(of=("self",)).select_related("host").filter(pk=key)
