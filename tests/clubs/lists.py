"""Member lists as clubs have them."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

from openpyxl import Workbook

from clubs.matching import Known
from clubs.member_rows import MemberRow


def xlsx(*rows: list[Any]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def row(place: int, name: str, number: int | None = None, **said: Any) -> MemberRow:
    return MemberRow(row=place, name=name, number=number, **said)


def known(pk: int, name: str, number: int | None = None, **fields: Any) -> Known:
    return Known(
        membership=pk,
        player=fields.pop("player", pk),
        name=name,
        number=number,
        **{"joined": date(2020, 1, 1)} | fields,
    )


def columns_said(page: Any, **chosen: Any) -> dict[str, Any]:
    """What the form of a page of columns says as it stands, but for what is chosen."""
    shown = page.context
    said: dict[str, Any] = {
        "shown": list(shown["shown"]),
        "part": [part.place for part, is_read in shown["parts"] if is_read],
        **{one["name"]: one["field"] for one in shown["columns"]},
        **{one.name: one.chosen for one in shown["questions"]},
    }
    if shown["asks_headings"]:
        said["headings"] = said["headings_shown"] = "yes" if shown["has_headings"] else "no"
    return said | chosen
