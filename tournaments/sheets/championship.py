"""A championship on paper: its stages one after the other, the last one first."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from tournaments.sheets.jobs import NO_PANGO, CannotMake
from tournaments.sheets.pages import Page, chunks
from tournaments.sheets.text import plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.models import Championship

ROWS_A_PAGE = 36


def championship_pdf(
    championship: Championship,
    stages: Sequence[tuple[Any, Sequence[tuple[Any, Sequence[Any]]]]],
    *,
    printed_at: datetime,
) -> bytes:
    """The file, of stages as the hall shows them. Raises CannotMake."""
    try:
        from tournaments.sheets import pdf  # noqa: PLC0415 - loads the system's libraries, which may be missing
    except OSError as problem:
        raise CannotMake(NO_PANGO) from problem
    occasion = {
        "tournament": plain(championship.name),
        "host": plain(championship.host.name),
        "date": championship.date,
        "printed_at": printed_at,
    }
    pages = [
        Page(
            "sheets/_championship.html",
            name=table.stage.name,
            css="ranking season championship",
            context={
                "occasion": occasion,
                "table": table,
                "group": group,
                "group_name": plain(group.tournament.name) if group else "",
                "lines": [_line(line) for line in part],
            },
        )
        for table, groups in reversed(stages)
        for group, lines in groups
        for part in chunks(lines, ROWS_A_PAGE) or [[]]
    ]
    if not pages:
        pages = [
            Page(
                "sheets/_championship.html",
                name=_("Championship"),
                css="ranking season championship",
                context={"occasion": occasion, "table": None, "group": None, "lines": []},
            )
        ]
    with TemporaryDirectory() as folder:
        target = Path(folder, "championship.pdf")
        pdf.write(pages, championship.name, target)
        return target.read_bytes()


def _line(line: Any) -> dict[str, Any]:
    return {
        "rank": f"{line.party.rank}=" if line.party.shared else str(line.party.rank),
        "name": plain(line.party.name),
        "club": plain(line.party.club),
        "amounts": line.amounts,
        "way": line.way,
        "goes_on": line.goes_on,
        "line_below": line.line_below,
    }
