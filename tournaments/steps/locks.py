"""In which order things are held while they change: the tournament first, then its tables.

SQLite has one writer at a time. PostgreSQL has many, and two who hold what the other waits for would never end: so
whoever changes anything of a tournament holds the tournament's row before any other. Reports of two tables have nothing
to do with each other, so they share it: all of them keep the organiser waiting, and not one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from tournaments.models import Table, Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet


def hold(tournament_id: int) -> None:
    """Wait until nobody else changes the tournament, and keep it so until the transaction ends."""
    if connection.features.has_select_for_update:  # else the transaction itself has kept others out
        list(Tournament.objects.select_for_update().filter(pk=tournament_id).values_list("pk"))


def share(tournament_id: int) -> None:
    """Let nobody who must `hold` the tournament change it until the transaction ends; others may share it meanwhile.

    Its version may still be raised, by one after the other.
    """
    if connection.features.has_select_for_update:
        table = connection.ops.quote_name(Tournament._meta.db_table)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT id FROM {table} WHERE id = %s FOR KEY SHARE", [tournament_id])


def held_tables() -> QuerySet[Table]:
    """Tables with their rounds and tournaments, each locked by who gets it, after `hold` or `share`."""
    return Table.objects.select_for_update(of=("self",)).select_related("round__tournament", "match")
