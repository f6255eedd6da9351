"""The columns of an uploaded table of old results, and the page of what would be stored of it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.lists.choice import Choice, ListTable, guess, is_plain, problems_of, unread, unread_columns
from clubs.lists.models import UploadedList, remembered
from clubs.views.columns import Preview, columns_page, day_hint
from clubs.views.guards import MemberRequest, club_view
from core.tables.file_formats import UnreadableFileError
from core.text import clean_text
from tournaments.domain.terms import signed
from tournaments.models import OldEvent
from tournaments.models.club import FIRST_YEAR, LAST_YEAR
from tournaments.people.old_results import NOBODY, Plan, make_plan
from tournaments.people.old_rows import FIELDS, LONGEST, Row, Said, doubts_of, missing, read_rows, sealed

if TYPE_CHECKING:
    from decimal import Decimal

    from django.http import HttpResponse, QueryDict

    from clubs.models import Club

# The number of places of an event in the preview.
FIRST_ROWS = 6


class OldResults:
    """The columns page's interface to tables of old results."""

    fields = FIELDS
    template = "desk/club/old_results_columns.html"
    asked = "desk/club/_old_results_asked.html"
    steps = [gettext_lazy("Who is who, and what happens"), gettext_lazy("Save them")]

    def hear(self, upload: UploadedList, posted: QueryDict) -> None:
        heard: dict[str, object] = {}
        if "event" in posted:
            heard["event"] = clean_text(posted.get("event", ""))[: LONGEST["event"]]
        if "year" in posted:
            year = posted.get("year", "").strip()
            is_year = year.isascii() and year.isdecimal() and FIRST_YEAR <= int(year[:9]) <= LAST_YEAR
            heard["year"] = int(year) if is_year else None
        if heard:
            upload.about = upload.about | heard
            upload.save(update_fields=["about"])

    def preview(
        self, upload: UploadedList, table: ListTable, choice: Choice, answers: dict[str, str]
    ) -> Preview:
        hints = {
            column.key: hint
            for column in choice.columns(table)
            if choice.fields.get(column.key) == "date" and (hint := day_hint(column, timezone.localdate()))
        }
        asks = _asks(table, choice)
        if problems_of(table, choice) or self.problems(upload, table, choice):
            return Preview(hints=hints, asks=asks)
        doubts = doubts_of(table, choice)
        try:
            rows = read_rows(table, choice, timezone.localdate(), _file_values(upload), answers)
        except UnreadableFileError:
            return Preview(hints=hints, asks=asks)
        if not rows:
            return Preview(hints=hints, doubts=doubts, asks=asks)
        newest = max(rows, key=lambda row: (row.year or 0, str(row.day or "")))
        shown = [row for row in rows if row.key == newest.key]
        return Preview(
            [(str(row.place or ""), row.name, _amounts(row)) for row in shown[:FIRST_ROWS]],
            _summary(rows),
            _title(newest),
            doubts,
            hints,
            asks,
        )

    def problems(self, upload: UploadedList, table: ListTable, choice: Choice) -> list[tuple[str, set[str]]]:
        return missing(table, choice, _file_values(upload))

    def go_on(
        self,
        request: MemberRequest,
        upload: UploadedList,
        table: ListTable,
        choice: Choice,
        answers: dict[str, str],
    ) -> HttpResponse:
        rows = read_rows(table, choice, timezone.localdate(), _file_values(upload), answers)
        plan = make_plan(upload.club, request.user, rows)
        told = [*table.notes, *unread(table, choice)]
        if columns := unread_columns(table, choice):
            told.append(_("Not read: %(parts)s.") % {"parts": ", ".join(columns)})
        return plan_page(request, upload.club, plan, upload.about["kind"], upload=upload, told=told)

    def other_file(self, club: Club) -> str:
        return reverse("club_old_import", args=[club.slug])


def _asks(table: ListTable, choice: Choice) -> frozenset[str]:
    """Values that no column has: names of the events, years."""
    read = choice.read(table)
    return frozenset(
        name for name, columns in (("event", {"event"}), ("year", {"year", "date"})) if not read & columns
    )


def _file_values(upload: UploadedList) -> Said:
    return Said(upload.about.get("event", ""), upload.about.get("year"))


def _amounts(row: Row) -> str:
    """The tokens of the rounds and their sum, in a line."""
    amounts: list[Decimal] = [*row.rounds, *([] if row.tokens is None else [row.tokens])]
    if len(row.rounds) == 1:
        amounts = amounts[1:]
    return " · ".join(_signed(amount) for amount in amounts)


def _signed(amount: Decimal) -> str:
    return signed(int(amount) if amount == int(amount) else Fraction(amount))


def _title(row: Row) -> str:
    when = date_format(row.day, "DATE_FORMAT") if row.day else str(row.year or "")
    return _("How “%(event)s” is read, %(when)s") % {"event": row.event, "when": when}


def _summary(rows: list[Row]) -> str:
    """The numbers of events, results and names, and of rows that cannot be parsed."""
    events = len({row.key for row in rows if not row.problems})
    names = len({row.name for row in rows})
    wrong = sum(bool(row.problems) for row in rows)
    told = [
        ngettext("%(count)d event", "%(count)d events", events) % {"count": events},
        ngettext("%(count)d result", "%(count)d results", len(rows)) % {"count": len(rows)},
        ngettext("%(count)d name", "%(count)d names", names) % {"count": names},
    ]
    if wrong:
        told.append(
            ngettext("%(count)d row cannot be read", "%(count)d rows cannot be read", wrong)
            % {"count": wrong}
        )
    return ", ".join(told)


def given(request: MemberRequest, club: Club, name: str, data: bytes, kind: str) -> HttpResponse:
    """Redirect to the columns page of a table, or to the preview where there is nothing to choose.

    Raises UnreadableFileError.
    """
    table, now = ListTable.read(data, FIELDS), timezone.now()
    known = remembered(club, FIELDS.code)
    choice = guess(table, known)
    asks = not is_plain(table, choice, known) or missing(table, choice, Said()) or doubts_of(table, choice)
    rows = [] if asks else read_rows(table, choice, timezone.localdate())
    upload = UploadedList.put_by(table, name, now=now, about={"kind": kind}, club=club, account=request.user)
    if asks:
        return redirect("club_old_columns", club.slug, upload.pk)
    plan = make_plan(club, request.user, rows)
    return plan_page(request, club, plan, kind, upload=upload, told=unread(table, choice))


def given_by(pk: str, club: Club, request: MemberRequest) -> UploadedList | None:
    """The uploaded table that the page's rows are from, if it belongs to the user."""
    if not (pk.isascii() and pk.isdecimal() and len(pk) < 10):  # noqa: PLR2004 - no key is longer
        return None
    return UploadedList.objects.filter(pk=pk, club=club, account=request.user, kind=FIELDS.code).first()


def plan_page(
    request: MemberRequest,
    club: Club,
    plan: Plan,
    kind: str,
    *,
    upload: UploadedList | None = None,
    told: list[str] | None = None,
    warning: str = "",
) -> HttpResponse:
    """The plan of the import, row by row, with choices."""
    asked: dict[str, Any] = {}
    for line in plan.accepted_lines:
        if line.doubts:
            asked.setdefault(line.key, line)
    context = {
        "club": club,
        "plan": plan,
        "asked": list(asked.values()),
        "kind": kind,
        "kind_said": dict(OldEvent.Kind.choices)[kind],
        "table": sealed([line.row for line in plan.accepted_lines]),
        "nobody": NOBODY,
        "upload": upload,
        "told": told or [],
        "warning": warning,
    }
    return render(request, "desk/club/old_results_plan.html", context)


@club_view()
def club_old_columns(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    return columns_page(request, club, pk, OldResults())


urlpatterns = [
    path("clubs/<slug:slug>/old-results/columns/<int:pk>/", club_old_columns, name="club_old_columns")
]
