"""The columns of an uploaded member list: what of it is read, shown before anything is done."""

from __future__ import annotations

from datetime import date
from itertools import islice
from typing import TYPE_CHECKING

from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.imports import put_by_members
from clubs.list_choice import problems_of
from clubs.member_fields import FIELDS
from clubs.member_file import as_members
from clubs.member_rows import MemberRow
from clubs.views.columns import Preview, columns_page, day_hint
from clubs.views.guards import MemberRequest, club_view
from core.tables.file_formats import UnreadableFileError

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from clubs.list_choice import Choice, ListTable
    from clubs.list_models import UploadedList
    from clubs.models import Club

FIRST_ROWS = 5


class MemberLists:
    """What the page of columns asks of member lists."""

    fields = FIELDS
    template = "clubs/import_columns.html"
    steps = [gettext_lazy("See what happens"), gettext_lazy("Import")]

    def hear(self, upload: UploadedList, posted: QueryDict) -> None:
        """Nothing is asked of the file as a whole."""

    def preview(
        self, upload: UploadedList, table: ListTable, choice: Choice, answers: dict[str, str]
    ) -> Preview:
        del upload
        today = timezone.localdate()
        hints = _hints(table, choice, today)
        if problems_of(table, choice):
            return Preview(hints=hints)
        try:
            file = as_members(table, choice, answers)
        except UnreadableFileError:
            return Preview(hints=hints)
        doubts = file.doubts
        people = file.count_people(doubts)
        said = ngettext("%(rows)d person", "%(rows)d people", people) % {"rows": people}
        first = [
            (str(row.number or ""), row.name, _more(row))
            for row in islice(file.iterate_rows(today), FIRST_ROWS)
        ]
        return Preview(first, said, doubts=doubts, hints=hints)

    def problems(self, upload: UploadedList, table: ListTable, choice: Choice) -> list[tuple[str, set[str]]]:
        del upload, table, choice
        return []

    def go_on(
        self,
        request: MemberRequest,
        upload: UploadedList,
        table: ListTable,
        choice: Choice,
        answers: dict[str, str],
    ) -> HttpResponse:
        kept = put_by_members(
            upload.club,
            request.user,
            upload.file_name,
            as_members(table, choice, answers),
            joined=date.fromisoformat(upload.about["joined"]),
            now=timezone.now(),
            given=upload,
        )
        return redirect("import_dry_run", upload.club.slug, kept.pk)

    def other_file(self, club: Club) -> str:
        return reverse("import_upload", args=[club.slug])


def _more(row: MemberRow) -> str:
    """What is known of a person besides name and number, in a line."""
    since = _("since %(day)s") % {"day": date_format(row.joined, "SHORT_DATE_FORMAT")} if row.joined else ""
    until = _("left %(day)s") % {"day": date_format(row.left, "SHORT_DATE_FORMAT")} if row.left else ""
    return " · ".join(filter(None, (row.phone, row.email, since, until)))


def _hints(table: ListTable, choice: Choice, today: date) -> dict[str, str]:
    """What is worth a look at a column, by its key."""
    hints: dict[str, str] = {}
    firsts: dict[str, str] = {}
    for column in choice.columns(table):
        name = choice.fields.get(column.key, "")
        if name in {"joined", "left"} and (hint := day_hint(column, today)):
            hints[column.key] = hint
        if name in FIELDS.several:
            if name in firsts:
                hints[column.key] = _("Used where “%(column)s” is blank") % {"column": firsts[name]}
            firsts.setdefault(name, column.label)
    return hints


@club_view()
def import_columns(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    return columns_page(request, club, pk, MemberLists())


urlpatterns = [path("<slug:slug>/import/columns/<int:pk>/", import_columns, name="import_columns")]
