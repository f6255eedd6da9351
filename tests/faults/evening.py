"""An evening whose every write is recorded, step by step, each step one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from tests.factories import first_round, report, tables_of
from tests.faults.torn import Recorder, Said
from tournaments.lifecycle.playing import close_round

HELD = (
    "group_concat(hash) FROM tournaments_report",
    "group_concat(tokens || coalesce(agreed_at, '')) FROM tournaments_seat",
    "group_concat(chain_head || version || state) FROM tournaments_tournament",
    "group_concat(hash) FROM tournaments_chainlink",
    "group_concat(last_hash || version) FROM tournaments_table",
    "group_concat(current_id) FROM tournaments_deal",
    "count(*) FROM tournaments_logentry",
)
ASK = "SELECT " + " || ' ' || ".join(f"coalesce((SELECT {what}), '')" for what in HELD)


@contextmanager
def on_disk(init_command: str) -> Iterator[None]:
    """Our connection opened anew, as careful as the program's own is."""
    told = connection.settings_dict["OPTIONS"]
    connection.close()
    connection.settings_dict["OPTIONS"] = told | {"init_command": init_command}
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["OPTIONS"] = told


def recorded(init_command: str, evening) -> tuple[dict[str, bytes], list, list[Said]]:
    """What was there, every event since, and what was answered when; `evening` yields at each answer."""
    said = []
    with on_disk(init_command), connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    name = Path(str(connection.settings_dict["NAME"]))
    base = {name.name: name.read_bytes()}
    with Recorder().between() as events, on_disk(init_command + "PRAGMA wal_autocheckpoint=40;"):
        for _answer in evening:
            with connection.cursor() as cursor:
                cursor.execute(ASK)
                said.append(Said(len(events), cursor.fetchone()[0]))
        connection.close()
    return base, list(events), said


def an_evening(tournament, account, now) -> Iterator[None]:
    """Each step one transaction: what it decided is there, or nothing of it."""
    (table,) = tables_of(tournament)
    yield
    for deal in range(1, tournament.deals_per_round + 1):
        assert report(table, deal, now=now).status == "accepted"
        yield
    table.seats.update(agreed_at=now)
    yield
    close_round(first_round(tournament), account=account, now=now)
    yield
