"""Member lists as clubs have them."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

from openpyxl import Workbook

from clubs.matching import Known
from clubs.member_file import MemberRow


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
