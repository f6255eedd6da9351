"""The year of a club or union at the desk: its dates with what clashes; the page for the next organiser."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.views.guards import MemberRequest, club_view
from core.forms import SeenForm
from core.http.steps import handle_form
from core.journal import status
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.models import HandOver
from tournaments.models.club import MOST_NOTE_LINES, NOTES
from tournaments.paper.year import hand_over_pdf, year_pdf
from tournaments.seasons.year import (
    clashes_in,
    dates_of,
    due_in,
    neighbour_clashes,
    notes_of,
    officials_of,
    people_twice,
    public_holidays,
    store_notes,
)
from tournaments.web.guards import number_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from django.http import HttpResponse

    from clubs.models import Club
    from tournaments.seasons.year import YearDate


YEARS = range(2000, 2100)
# So many clashes are listed.
MOST_CLASHES = 200


class YearFilter(NamedTuple):
    """The filter of the year's page: the year, and whether with the evenings of a union's clubs."""

    year: int
    with_clubs: bool

    def chosen(self, dates: Sequence[YearDate]) -> list[YearDate]:
        return [one for one in dates if self.with_clubs or not one.is_of_club]


def _parse_filter(request: MemberRequest) -> YearFilter:
    year = number_in(request.GET.get("year", "")) or 0
    return YearFilter(year if year in YEARS else timezone.localdate().year, "clubs" in request.GET)


@club_view(helper=True)
@require_safe
def club_year(request: MemberRequest, club: Club) -> HttpResponse:
    asked = _parse_filter(request)
    dates = dates_of(club, asked.year)
    near = neighbour_clashes(club, asked.year, dates)
    clashes = sorted([*clashes_in(dates), *near, *people_twice(dates)])
    context = {
        "club": club,
        "asked": asked,
        "months": list(_months(asked.chosen(dates))),
        "holidays": public_holidays(asked.year),
        "has_clubs": any(one.is_of_club for one in dates),
        "clashes": clashes[:MOST_CLASHES],
        "more": len(clashes[MOST_CLASHES:]),
        "before": asked.year - 1,
        "after": asked.year + 1,
    }
    return render(request, "desk/club/year.html", context)


def _months(dates: Sequence[YearDate]) -> Iterator[tuple[date, list[YearDate]]]:
    """The dates of each month, with its first one's day."""
    for _month, some in groupby(dates, key=lambda one: one.day.month):
        there = list(some)
        yield there[0].day, there


@a_pdf
@club_view(helper=True)
@require_safe
def club_year_pdf(request: MemberRequest, club: Club) -> HttpResponse:
    asked = _parse_filter(request)
    dates = asked.chosen(dates_of(club, asked.year))
    return pdf_answer(
        request,
        lambda: year_pdf(club, asked.year, dates, public_holidays(asked.year), **for_visitor(request)),
        club,
        _("The year %(year)s") % {"year": asked.year},
        instead=reverse("club_year", args=[club.slug]),
    )


# The page at the desk lists no more of what is due.
MOST_DUE = 25


class NotesForm(SeenForm, forms.ModelForm):
    """The form of notes for the next organiser."""

    class Meta:
        model = HandOver
        fields = NOTES
        widgets = {name: forms.Textarea({"rows": 3}) for name in NOTES}

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        for name, text in list(data.items()):
            if len(text.splitlines()) > MOST_NOTE_LINES:
                self.add_error(name, _("At most %(lines)d lines.") % {"lines": MOST_NOTE_LINES})
        return data


@club_view()
def club_hand_over(request: MemberRequest, club: Club) -> HttpResponse:
    form = NotesForm(request.POST or None, initial=notes_of(club))
    step = partial(store_notes, club)
    done = handle_form(
        request, form, step, _("Saved."), "club_hand_over", club.slug,
        arguments=lambda: {"notes": {name: form.cleaned_data[name] for name in NOTES}},
    )  # fmt: skip
    due = due_in(club, timezone.now())
    context = {"club": club, "form": form, "due": due[:MOST_DUE], "more_due": len(due[MOST_DUE:])}
    return done or render(request, "desk/club/hand_over.html", context)


@a_pdf
@club_view()
def club_hand_over_pdf(request: MemberRequest, club: Club) -> HttpResponse:
    titles = {name: str(capfirst(field.label)) for name, field in NotesForm().fields.items()}
    notes = [(titles[name], text) for name, text in notes_of(club).items()]
    roles = club.roles.select_related("account").order_by("kind", "account__username")
    people: dict[str, list[str]] = defaultdict(list)
    for role in roles.filter(account__is_active=True):
        people[str(capfirst(role.get_kind_display()))].append(str(role.account))
    if officials := officials_of(club, timezone.now()):
        people[_("Officials")] = officials
    return pdf_answer(
        request,
        lambda: hand_over_pdf(
            club, due_in(club, timezone.now()), people, notes, _backup(), **for_visitor(request)
        ),
        club,
        _("Hand-over to the next organiser"),
        instead=reverse("club_hand_over", args=[club.slug]),
    )


def _backup() -> dict[str, Any]:
    """The time of the last backup, and the journal's status."""
    now = status.storage_status(timezone.now())
    return {
        "backed_up_at": now.backup.at if now.backup else None,
        "journal": now.journal.words if now.journal else "",
    }


urlpatterns = [
    path("clubs/<slug:slug>/year/", club_year, name="club_year"),
    path("clubs/<slug:slug>/year/year.pdf", club_year_pdf, name="club_year_pdf"),
    path("clubs/<slug:slug>/hand-over/", club_hand_over, name="club_hand_over"),
    path("clubs/<slug:slug>/hand-over/page.pdf", club_hand_over_pdf, name="club_hand_over_pdf"),
]
