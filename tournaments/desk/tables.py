"""The players of a tournament as a table to sort, search and take away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
import tablib
from django.utils.translation import gettext_lazy as _

from clubs.names import danish_order, matches_search
from clubs.spreadsheet import guarded
from tournaments.models import Entry, Tournament

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
        entries = entries.alias(sorted_as=danish_order("player__name"))
        return entries.order_by("-sorted_as" if is_descending else "sorted_as"), True

    def render_fee_paid(self, value: bool) -> str:
        return str(_("paid") if value else _("not paid"))

    def value_name(self, value: str) -> str:
        return guarded(value)

    def value_club(self, value: str) -> str:
        return guarded(value)


def entries_found(tournament: Tournament, query: str) -> QuerySet[Entry]:
    """The entries whose name, club or number a search finds; case and accents do not matter."""
    entries = tournament.entries.select_related("player", "club", "tournament")
    if not query.strip():
        return entries
    found = [
        entry.pk
        for entry in entries
        if query.strip() == str(entry.number)
        or matches_search(query, f"{entry.player.name} {entry.club.name if entry.club else ''}")
    ]
    return entries.filter(pk__in=found)


def as_file(table: tables.Table, kind: str) -> bytes:
    """All rows as "csv" or "xlsx"; the CSV as Danish spreadsheets like it: semicolons, UTF-8 marked."""
    headers, *rows = table.as_values()
    empty = [column.default for column in table.columns]
    sheet = tablib.Dataset(headers=[str(header) for header in headers])
    for row in rows:
        cells = (default if cell is None else cell for cell, default in zip(row, empty, strict=True))
        sheet.append([cell if isinstance(cell, int) else str(cell) for cell in cells])
    if kind == "csv":
        return str(sheet.export("csv", delimiter=";")).encode("utf-8-sig")
    return bytes(sheet.export("xlsx"))
