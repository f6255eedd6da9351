"""Trying the program with sample players, and removing them again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from clubs.models import SampleClub
from clubs.roles import clubs_of
from clubs.views.guards import club_view, sign_in_required
from tournaments.demo.play import make_sample, remove_sample, why_not
from tournaments.web.confirming import Question, ask_first

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Club
    from clubs.views.guards import MemberRequest


THREE_TABLES = gettext_lazy(
    "Three tables are playing. Open one and scan its link with your own phone to be its "
    "captain. A button on the desk removes it all again."
)


@sign_in_required
@require_POST
def desk_sample(request: MemberRequest) -> HttpResponse:
    if not clubs_of(request.user, organise=True).exists():
        raise PermissionDenied
    tournament = make_sample(account=request.user, now=timezone.now())
    messages.success(request, THREE_TABLES)
    return redirect("desk_board", tournament.code)


@club_view()
def club_sample_remove(request: MemberRequest, club: Club) -> HttpResponse:
    sample = SampleClub.objects.filter(club=club, removed_at=None).first()
    if sample is None:
        raise Http404
    asked = Question(
        title=_("Remove the sample players"),
        does=_(
            "The sample club, its players and its evenings disappear from every list. Nothing "
            "else is affected."
        ),
        button=_("Remove them now"),
        back=reverse("desk"),
        step=partial(remove_sample, sample),
        said=_("The sample players and everything they played have been removed."),
        leads_to=reverse("desk"),
        too_late=why_not(sample),
    )
    return ask_first(request, None, asked, club=club, base="clubs/base.html")


urlpatterns = [
    path("desk/sample/", desk_sample, name="desk_sample"),
    path("clubs/<slug:slug>/sample/remove/", club_sample_remove, name="club_sample_remove"),
]
