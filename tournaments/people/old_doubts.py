"""Rows of old results that may be about nobody, about several people, or whose rounds do not add up to their sum."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clubs.lists.cells import SKIP_ROW, RowDoubt, not_a_person, person_written, read_decimal, several_people
from core.text import tidy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clubs.lists.choice import Record

# What is chosen where the rounds do not add up to the sum.
ROUNDS, WRITTEN = "rounds", "written"


def doubt_of_person(record: Record) -> RowDoubt | None:
    if not (cells := record.said.get("name")):
        return None
    key, cell = str(record.key), cells[0][1]
    name = person_written(cell).name or tidy(cell)
    return not_a_person(key, record.label, name, _("a player")) or several_people(
        key, record.label, cell, _("one player")
    )


def doubt_of_sum(record: Record) -> RowDoubt | None:
    """Whether the rounds add up to something else than what is written as their sum."""
    rounds = _decimals(record.said.get("round", []))
    total = _decimals(record.said.get("tokens", []))
    if not rounds or None in rounds or not total or total[0] is None:
        return None
    adds_up = sum((one for one in rounds if one is not None), Decimal(0))
    if adds_up == total[0]:
        return None
    name = record.said["name"][0][1] if "name" in record.said else ""
    why = _("the rounds add up to %(rounds)s, but it says %(written)s.")
    why %= {"rounds": f"{adds_up.normalize():f}", "written": f"{total[0].normalize():f}"}
    choices = [
        (ROUNDS, f"{adds_up.normalize():f}"),
        (WRITTEN, f"{total[0].normalize():f}"),
        (SKIP_ROW, _("leave this row out")),
    ]
    for_all = [
        (ROUNDS, _("what the rounds add up to")),
        (WRITTEN, _("what is written")),
        (SKIP_ROW, _("leave these rows out")),
    ]
    return RowDoubt(f"{record.key}-sum", record.label, "sum", name, why, choices, ROUNDS, for_all)


def _decimals(cells: Iterable[tuple[str, str]]) -> list[Decimal | None]:
    found: list[Decimal | None] = []
    for _heading, cell in cells:
        try:
            found.append(read_decimal(cell))
        except ValueError:
            found.append(None)
    return found
