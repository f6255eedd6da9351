"""The players of a tournament as a table to sort, search and take away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from core.tables.files import Table, table_file
from tournaments.models import Entry

if TYPE_CHECKING:
    from django.db.models import QuerySet


class EntryTable(tables.Table):
    number = tables.Column(
        verbose_name=_("No."), attrs={"td": {"class": "number"}, "th": {"class": "number"}}
    )
    name = tables.Column(
        accessor="player__name",
        verbose_name=_("Name"),
        linkify=("desk_entry", {"code": tables.A("tournament__code"), "number": tables.A("number")}),
        attrs={"td": {"class": "name"}},
    )
    club = tables.Column(
        accessor="club__name",
        verbose_name=_("Club"),
        default=_("guest"),
        attrs={"td": {"class": "club"}, "th": {"class": "club"}},
    )
    status = tables.Column(verbose_name=_("Status"))
    fee_paid = tables.BooleanColumn(verbose_name=_("Fee"), yesno=(_("paid"), _("not paid")))

    class Meta:
        model = Entry
        fields = ("number", "name", "club", "status", "fee_paid")
        order_by = "number"
        empty_text = _("Nobody is entered yet.")

    def __init__(self, *args: Any, with_fee: bool, **options: Any) -> None:
        super().__init__(*args, exclude=() if with_fee else ("fee_paid",), **options)

    def order_name(self, entries: QuerySet[Entry], is_descending: bool) -> tuple[QuerySet[Entry], bool]:
        return entries.order_by("-player__sorted_as" if is_descending else "player__sorted_as"), True

    def render_fee_paid(self, value: bool) -> str:
        return str(_("paid") if value else _("not paid"))


def as_file(table: tables.Table, kind: str) -> bytes:
    """All rows as "csv" or "xlsx"."""
    headings, *rows = table.as_values()
    empty = [column.default for column in table.columns]
    filled = [
        [default if cell is None else cell for cell, default in zip(row, empty, strict=True)] for row in rows
    ]
    return table_file(kind, Table([str(heading) for heading in headings], filled))
