"""A web site of what the hall shows of a club: what it is to have, and having it made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import get_language, get_language_info, gettext_lazy

from clubs.views.guards import MemberRequest, club_view
from core.jobs.queue import remember
from tournaments.exports.site.addresses import BRIEF, USUAL, WHOLE
from tournaments.exports.site.job import ask
from tournaments.exports.site.publishing import Wanted

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Club

DEPTHS = {
    BRIEF: gettext_lazy("Standings, stories, people and history"),
    USUAL: gettext_lazy("Also every table’s sheet and every player’s evening"),
    WHOLE: gettext_lazy("Also every player’s evening as PDF, and whom people have met (slow)"),
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
        """The language of whoever asks is the one that is led to."""
        chosen = self.cleaned_data["languages"]
        ordered = sorted(chosen, key=lambda code: (code != get_language(), chosen.index(code)))
        return Wanted(tuple(ordered), club, self.cleaned_data["depth"], self.cleaned_data["address"])


@club_view()
def club_site(request: MemberRequest, club: Club) -> HttpResponse:
    form = SiteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        job = ask(club, form.wanted(club), language=get_language() or "en", account=request.user)
        remember(request, job)
        return redirect("desk_job", job.pk)
    return render(request, "desk/club/site.html", {"club": club, "form": form})


urlpatterns = [path("clubs/<slug:slug>/site/", club_site, name="club_site")]
