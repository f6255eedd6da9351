"""Tables that have changed since their sheets were printed."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from core.jobs.kinds import subject_name
from core.jobs.models import Job

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Round

SHEETS = "sheets"
# Kinds of sheets written on at a table; of everything for a round, the first one it has of them.
OF_A_TABLE = frozenset(("blank", "ticked"))


@dataclass(frozen=True, slots=True)
class Changed:
    """The numbers of the tables, and when the first of their sheets was made."""

    tables: list[int]
    since: datetime


def of_round(round_: Round) -> str:
    """The subject of a job of sheets."""
    return subject_name("round", round_.pk)


def seat_marks(round_: Round) -> dict[str, str]:
    """A fingerprint of each table's seats and deals, by its number as JSON has it."""
    seats: dict[int, list[tuple[int, int]]] = {}
    for number, position, entry in round_.seats.order_by("position").values_list(
        "table__number", "position", "entry__number"
    ):
        seats.setdefault(number, []).append((position, entry))
    tables = round_.tables.order_by("number").values_list("number", "empty_chair", "deals")
    hall_at = round_.tournament.hall_at
    return {
        str(number): sha256(f"{seats.get(number)} {empty} {deals}{hall_at(number)}".encode()).hexdigest()[:12]
        for number, empty, deals in tables
    }


def changed_tables(round_: Round) -> Changed | None:
    """Tables whose seats differ from their newest printed sheet; None if there are none."""
    made = Job.objects.filter(kind=SHEETS, thing=of_round(round_), state=Job.State.DONE).order_by("ended_at")
    printed: dict[str, tuple[str, datetime]] = {}
    for job in made:
        if _has_sheets(job):
            only = {str(number) for number in job.about.get("only") or [job.about.get("table")] if number}
            marks: dict[str, str] = job.said.get("seats", {})
            printed |= {
                number: (mark, job.ended_at)
                for number, mark in marks.items()
                if job.ended_at and (not only or number in only)
            }
    if not printed:
        return None
    now = seat_marks(round_)
    changed = {int(number) for number, (mark, _at) in printed.items() if now.get(number, mark) != mark}
    return Changed(sorted(changed), min(printed[str(number)][1] for number in changed)) if changed else None


def _has_sheets(job: Job) -> bool:
    return job.about.get("sheet") in OF_A_TABLE or bool(OF_A_TABLE & set(job.about.get("parts") or ()))
