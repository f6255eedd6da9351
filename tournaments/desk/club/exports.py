"""Files and the published site of a club."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.db.models import Max, Min, Q
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language, get_language_info, gettext_lazy
from django.views.decorators.http import require_safe

from clubs.register_models import WITH_NAMES, clubs_in
from clubs.views.guards import MemberRequest, club_view
from core.http.responses import file_response
from core.jobs.queue import remember_job
from core.tables.files import CONTENT_TYPES, plain_csv
from tournaments.exports.result_tables import of_year, rating_table, results_table
from tournaments.exports.site.addresses import BRIEF, USUAL, WHOLE
from tournaments.exports.site.publishing import Wanted, ask
from tournaments.models import Season, Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse

    from clubs.models import Club
    from core.tables.files import Table


# A web site of what the hall shows of a club: what it is to have, and having it made.

DEPTHS = {
    BRIEF: gettext_lazy("Standings, stories, people and history"),
    USUAL: gettext_lazy("Also every table’s sheet and every player’s evening"),
    WHOLE: gettext_lazy("Also every player’s evening as PDF, and who has met whom (slow)"),
}


class SiteForm(forms.Form):
    languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages"), widget=forms.CheckboxSelectMultiple(), choices=()
    )
    depth = forms.ChoiceField(
        label=gettext_lazy("How much to include"),
        widget=forms.RadioSelect(),
        choices=tuple(DEPTHS.items()),
        initial=USUAL,
    )
    address = forms.URLField(
        label=gettext_lazy("Where it will be published"),
        required=False,
        max_length=200,
        assume_scheme="https",
        help_text=gettext_lazy(
            "For example https://club.example/results. It is needed for calendars, pictures for "
            "shared links and a sitemap. Leave it empty if you do not know."
        ),
    )

    def __init__(self, sent: Any = None) -> None:
        super().__init__(sent, initial={"languages": [get_language()]})
        named = [
            (code, get_language_info(code)["name_local"].capitalize()) for code, _name in settings.LANGUAGES
        ]
        self.fields["languages"].choices = named  # type: ignore[attr-defined]

    def wanted(self, club: Club) -> Wanted:
        """The export is in the language of the user."""
        chosen = self.cleaned_data["languages"]
        ordered = sorted(chosen, key=lambda code: (code != get_language(), chosen.index(code)))
        return Wanted(tuple(ordered), club, self.cleaned_data["depth"], self.cleaned_data["address"])


@club_view()
def club_site(request: MemberRequest, club: Club) -> HttpResponse:
    form = SiteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        job = ask(club, form.wanted(club), language=get_language() or "en", account=request.user)
        remember_job(request, job)
        return redirect("desk_job", job.pk)
    return render(request, "desk/club/site.html", {"club": club, "form": form})


urlpatterns = [path("clubs/<slug:slug>/site/", club_site, name="club_site")]


# Files for the secretary of a club or union: full names, with members' numbers.

CSV = CONTENT_TYPES["csv"]
OF_YEAR, OF_SEASON = re.compile(r"results-([0-9]{1,4})"), re.compile(r"season-([0-9]{1,9})")


@club_view()
@require_safe
def club_files(request: MemberRequest, club: Club) -> HttpResponse:
    over = _evenings(club).filter(state=Tournament.State.FINISHED).aggregate(Min("date"), Max("date"))
    first, last = over["date__min"], over["date__max"]
    context = {
        "club": club,
        "files": [
            *((f"season-{season.pk}", season.name) for season in Season.objects.filter(host=club)),
            *((f"results-{year}", year) for year in (range(last.year, first.year - 1, -1) if last else ())),
        ],
    }
    return render(request, "desk/club/files.html", context)


@club_view()
@require_safe
def club_file(_request: MemberRequest, club: Club, wanted: str) -> HttpResponse:
    return file_response(plain_csv(_table(club, wanted)), CSV, club.slug, wanted, kind="csv", attached=True)


def _table(club: Club, wanted: str) -> Table:
    if wanted == "rating":
        return rating_table(club, timezone.localdate(), whole=True)
    if year := OF_YEAR.fullmatch(wanted):
        return results_table(of_year(_evenings(club), int(year[1])), whole=True)
    if season := OF_SEASON.fullmatch(wanted):
        found = get_object_or_404(Season, pk=season[1], host=club)
        return results_table(found.evenings.all(), whole=True)
    raise Http404


def _evenings(club: Club) -> QuerySet[Tournament]:
    """The evenings of a club, or of a union with the clubs that give it names and numbers."""
    given = clubs_in(club, gives__in=WITH_NAMES)
    return Tournament.objects.not_called_off().filter(Q(host=club) | Q(host__in=given))


urlpatterns += [
    path("clubs/<slug:slug>/files/", club_files, name="club_files"),
    path("clubs/<slug:slug>/files/<slug:wanted>.csv", club_file, name="club_file"),
]
