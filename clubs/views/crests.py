"""A club's crest and colour: chosen by its organisers, removed by one button."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.colours import FELT
from clubs.crests import remove_look, set_look
from clubs.forms.crests import CrestForm
from clubs.models import Club
from clubs.views.guards import MemberRequest, club_view
from core.http.steps import pressed, taken


@club_view()
def club_crest(request: MemberRequest, club: Club) -> HttpResponse:
    initial = {"colour": club.colour or FELT}
    form = CrestForm(request.POST or None, request.FILES or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        typed = {"picture": form.cleaned_data["picture"], "colour": form.cleaned_data["colour"]}
        if taken(request, partial(set_look, club), _("Saved."), form, typed):
            return redirect("club_crest", club.slug)
    return render(request, "clubs/crest.html", {"club": club, "form": form})


@require_POST
@club_view()
def club_crest_remove(request: MemberRequest, club: Club) -> HttpResponse:
    return pressed(
        request, partial(remove_look, club), _("Crest and colour have been removed."), "club_crest", club.slug
    )


urlpatterns = [
    path("<slug:slug>/crest/", club_crest, name="club_crest"),
    path("<slug:slug>/crest/remove/", club_crest_remove, name="club_crest_remove"),
]
