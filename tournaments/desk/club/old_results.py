"""Results from before the program at the club's desk: typed or imported, previewed, removed, restored."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.lists.choice import Choice, ListTable, guess, is_plain, problems_of, unread, unread_columns
from clubs.lists.models import UploadedList, remembered
from clubs.views.columns import Preview, columns_page, day_hint
from clubs.views.guards import MemberRequest, club_view
from core.errors import UserError
from core.forms import NameField, TableForm
from core.http.responses import file_response
from core.http.steps import add_to_form, take_step
from core.tables.file_formats import UnreadableFileError
from core.tables.files import CONTENT_TYPES, Table, table_file
from core.tables.spreadsheet import MOST_BYTES
from core.text import clean_text
from tournaments.domain.terms import signed
from tournaments.models import OldEvent, OldPlace
from tournaments.models.club import FIRST_YEAR, LAST_YEAR
from tournaments.people import old_results
from tournaments.people.old_results import NOBODY, Plan, make_plan, take_in
from tournaments.people.old_rows import (
    FIELDS,
    LONGEST,
    Row,
    Said,
    doubts_of,
    missing,
    read_old_file,
    read_rows,
    sealed,
    typed_to_csv,
    unsealed,
)
from tournaments.web.fields import day_field

if TYPE_CHECKING:
    from decimal import Decimal

    from django.http import HttpResponse, QueryDict

    from clubs.models import Club


# The number of places of an event in the preview.
FIRST_ROWS = 6


class OldResults:
    """The columns page's interface to tables of old results."""

    fields = FIELDS
    title, page = gettext_lazy("Old results"), "club_old"
    styles: tuple[str, ...] = ("css/seasons.css", "css/columns.css")
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
    if not (pk.isascii() and pk.isdecimal() and len(pk) < 10):  # no key is longer
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


# Number of places listed for each event.
FIRSTS = 3


@club_view()
@require_safe
def club_old(request: MemberRequest, club: Club) -> HttpResponse:
    events = OldEvent.objects.filter(host=club).prefetch_related("places")
    removed = OldEvent.with_removed.filter(host=club, removed_at__isnull=False).order_by("-removed_at")
    context = {
        "club": club,
        "events": [(event, list(event.places.all())) for event in events],
        "firsts": f":{FIRSTS}",
        "removed": removed,
    }
    return render(request, "desk/club/old_results.html", context)


@club_view()
def club_old_new(request: MemberRequest, club: Club) -> HttpResponse:
    """Enter one old event by typing it."""
    form = OldEventForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            rows = read_old_file(form.table(), timezone.localdate())
        except UnreadableFileError as problem:
            add_to_form(form, UserError(problem.message), "standings")
        else:
            plan = make_plan(club, request.user, rows)
            return plan_page(request, club, plan, form.cleaned_data["kind"])
    return _form_page(request, club, form, _("Enter an old result"))


@club_view()
def club_old_import(request: MemberRequest, club: Club) -> HttpResponse:
    """Many events, as a table: its columns are looked at next, unless nothing of it is to be chosen."""
    form = OldTableForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        name, data = form.given()
        try:
            return given(request, club, name, data, form.cleaned_data["kind"])
        except UnreadableFileError as problem:
            add_to_form(form, UserError(problem.message), "pasted" if form.cleaned_data["pasted"] else "file")
    return _form_page(request, club, form, _("Import old results"), table=True)


def _form_page(
    request: MemberRequest, club: Club, form: Any, title: str, *, table: bool = False
) -> HttpResponse:
    context = {"club": club, "form": form, "title": title, "of_table": table}
    return render(request, "desk/club/old_results_form.html", context)


@club_view()
@require_POST
def club_old_store(request: MemberRequest, club: Club) -> HttpResponse:
    """Store the previewed results; if they would differ by now, show the preview again."""
    kind, rows = request.POST.get("kind", ""), unsealed(request.POST.get("table", ""))
    if not rows or kind not in OldEvent.Kind.values:
        return redirect("club_old_import", club.slug)
    choices = {name: str(value) for name, value in request.POST.items() if name.startswith("who-")}
    in_part = [name for name in request.POST if name.startswith("part-")]
    plan = make_plan(club, request.user, rows, choices, in_part)
    upload = given_by(request.POST.get("given", ""), club, request)
    if request.POST.get("seen") != plan.mark:
        warning = _("Something has changed in the meantime. Check the rows again.")
        return plan_page(request, club, plan, kind, upload=upload, warning=warning)
    if not plan.accepted_events:
        warning = _("Nothing was saved: tick the events to save without the rows that cannot be read.")
        return plan_page(request, club, plan, kind, upload=upload, warning=warning)

    def success_message(events: int) -> str:
        text = ngettext("%(events)d event has been saved.", "%(events)d events have been saved.", events)
        return text % {"events": events}

    if take_step(request, partial(take_in, club, plan, kind), success_message) and upload is not None:
        upload.delete()
    return redirect("club_old", club.slug)


@club_view()
@require_POST
def club_old_delete(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    if event := OldEvent.objects.filter(host=club, pk=pk).first():
        said = _("“%(name)s” has been removed. You can restore it below.") % {"name": event}
        take_step(request, partial(old_results.remove, event), said)
    return redirect("club_old", club.slug)


@club_view()
@require_POST
def club_old_put_back(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    event = get_object_or_404(OldEvent.with_removed, host=club, pk=pk)
    if event.is_removed:
        take_step(
            request,
            partial(old_results.put_back, event),
            _("“%(name)s” has been restored.") % {"name": event},
        )
    return redirect("club_old", club.slug)


@club_view()
@require_safe
def club_old_file(_request: MemberRequest, club: Club, kind: str) -> HttpResponse:
    """Download all old results as a table that can be imported again."""
    if kind not in CONTENT_TYPES:
        raise Http404
    places = OldPlace.objects.filter(event__host=club, event__removed_at=None).select_related("event")
    rows = [
        (one.event.year, one.event.date, one.event.name, one.place, one.name, one.amount)
        for one in places.order_by("event__year", "event__date", "event", "place", "pk")
    ]
    heads = [_("Year"), _("Date"), _("Event"), _("Place"), _("Name"), _("Tokens")]
    data = table_file(kind, Table(heads, rows, _("Old results")))
    return file_response(data, CONTENT_TYPES[kind], club, _("Old results"), kind=kind, attached=True)


_AT = "clubs/<slug:slug>/old-results"


# Old results as they are given: typed for one event, or as a table of many.


def _kind() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("What was it?"),
        choices=OldEvent.Kind.choices,
        initial=OldEvent.Kind.TITLE,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Whoever came first in a season or championship is listed among the champions."
        ),
    )


class OldEventForm(forms.Form):
    """One event with its final standings."""

    name = NameField(label=gettext_lazy("Name of the event"), max_length=120)
    year = forms.IntegerField(label=gettext_lazy("Year"), min_value=FIRST_YEAR)
    date = day_field(gettext_lazy("Date, if known"), required=False)
    standings = forms.CharField(
        label=gettext_lazy("Final standings, first place first"),
        help_text=gettext_lazy(
            "One player per line, with tokens after the name if known: “Anna Holm 212”. For a "
            "shared place, put them on one line, “Anna Holm / Bo Krogh”, or give them the same "
            "number: “2. Anna Holm”, “2. Bo Krogh”."
        ),
        max_length=MOST_BYTES // 4,
        widget=forms.Textarea(attrs={"rows": 10, "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.fields = {"kind": _kind(), **self.fields}

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        year, day, today = data.get("year"), data.get("date"), timezone.localdate()
        if year and year > today.year:
            self.add_error("year", _("Check the year again."))
        if year and day and day.year != year:
            self.add_error("date", _("The date is in a different year."))
        return data

    def table(self) -> bytes:
        data = self.cleaned_data
        return typed_to_csv(data["name"], data["year"], data["date"], data["standings"])


class OldTableForm(TableForm):
    """Many events as a table."""

    file_label = gettext_lazy("The table, as Excel (.xlsx), OpenDocument (.ods) or CSV")
    pasted_label = gettext_lazy("Or paste rows here, with their headings")
    nothing_given = gettext_lazy("Choose a file, or paste rows below.")

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.fields = {"kind": _kind(), **self.fields}

    def given(self) -> tuple[str, bytes]:
        """The name and the contents of the table."""
        file = self.cleaned_data["file"]
        if file:
            return file.name, file.read()
        return _("Pasted rows"), self.cleaned_data["pasted"].encode()


urlpatterns = [
    path(f"{_AT}/", club_old, name="club_old"),
    path(f"{_AT}/new/", club_old_new, name="club_old_new"),
    path(f"{_AT}/import/", club_old_import, name="club_old_import"),
    path(f"{_AT}/store/", club_old_store, name="club_old_store"),
    path(f"{_AT}/<int:pk>/delete/", club_old_delete, name="club_old_delete"),
    path(f"{_AT}/<int:pk>/put-back/", club_old_put_back, name="club_old_put_back"),
    path(f"{_AT}/results.<slug:kind>", club_old_file, name="club_old_file"),
    path("clubs/<slug:slug>/old-results/columns/<int:pk>/", club_old_columns, name="club_old_columns"),
]
