"""Results from before the program at the club's desk: typed or imported, looked at first, removed, put back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.views.guards import MemberRequest, club_view
from core.errors import UserError
from core.forms import NameField, TableForm
from core.http.responses import file_response
from core.http.steps import add_to_form, take_step
from core.tables.file_formats import UnreadableFileError
from core.tables.files import CONTENT_TYPES, Table, table_file
from core.tables.spreadsheet import MOST_BYTES
from tournaments.desk.club.old_results_columns import given, given_by, plan_page
from tournaments.models import OldEvent, OldPlace
from tournaments.models.club import FIRST_YEAR
from tournaments.people import old_results
from tournaments.people.old_results import make_plan, take_in
from tournaments.people.old_rows import read_old_file, typed_to_csv, unsealed
from tournaments.web.fields import day_field

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Club


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
urlpatterns = [
    path(f"{_AT}/", club_old, name="club_old"),
    path(f"{_AT}/new/", club_old_new, name="club_old_new"),
    path(f"{_AT}/import/", club_old_import, name="club_old_import"),
    path(f"{_AT}/store/", club_old_store, name="club_old_store"),
    path(f"{_AT}/<int:pk>/delete/", club_old_delete, name="club_old_delete"),
    path(f"{_AT}/<int:pk>/put-back/", club_old_put_back, name="club_old_put_back"),
    path(f"{_AT}/results.<slug:kind>", club_old_file, name="club_old_file"),
]


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
