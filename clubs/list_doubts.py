"""Rows of lists that may be about nobody, or about several people: what is likely, and what may be chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.cell_values import people_in, why_no_person

SKIP_ROW, TAKE_ROW, SEVERAL = "skip", "take", "several"

_WHY = {
    "total": gettext_lazy("looks like a sum."),
    "heading": gettext_lazy("looks like a heading."),
    "address": gettext_lazy("looks like an address."),
    "sign": gettext_lazy("contains no letters."),
}


@dataclass(frozen=True)
class RowDoubt:
    """A doubtful row: its position, its text, the reason for the doubt, and the choices offered."""

    key: str
    label: str
    kind: str
    written: str
    why: str
    choices: list[tuple[str, str]] = field(default_factory=list)
    default: str = ""
    choices_for_all: list[tuple[str, str]] = field(default_factory=list)
    """The choices in words that fit all rows of the kind."""
    people: int = 1
    """How many people seem to be in the cell."""


def not_a_person(key: str, label: str, name: str, person: str) -> RowDoubt | None:
    """The doubt about a name that is probably nobody's; `person` is what the row would be else."""
    if not (why := why_no_person(name)):
        return None
    choices = [(SKIP_ROW, _("leave this row out")), (TAKE_ROW, person)]
    for_all = [(SKIP_ROW, _("leave these rows out")), (TAKE_ROW, person)]
    return RowDoubt(key, label, why, name, str(_WHY[why]), choices, SKIP_ROW, for_all)


def several_people(key: str, label: str, cell: str, one: str) -> RowDoubt | None:
    """The doubt about a cell that seems to have the names of several people; `one` is what it would be else."""
    names = people_in(cell)
    if len(names) == 1:
        return None
    why = _("looks like %(people)d people.") % {"people": len(names)}
    choices = [(SEVERAL, _(" and ").join(names)), (TAKE_ROW, one), (SKIP_ROW, _("leave this row out"))]
    for_all = [
        (SEVERAL, _("each name for itself")),
        (TAKE_ROW, one),
        (SKIP_ROW, _("leave these rows out")),
    ]
    return RowDoubt(
        key, label, "several", " / ".join(cell.splitlines()), why, choices, SEVERAL, for_all, len(names)
    )
