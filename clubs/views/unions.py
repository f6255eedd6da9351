"""Pages of a club's unions and of a union's clubs: invite, answer, choose what the union gets, leave."""

from functools import partial

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from clubs.models import Affiliation, Club, Gives
from clubs.register.affiliations import (
    accept_invitation,
    affiliated_clubs,
    change_what_union_gets,
    current_affiliations,
    decline_invitation,
    invite_club,
    leave_union,
)
from clubs.roles import may_organise
from clubs.views.guards import MemberRequest, club_view
from core.forms import NameField
from core.http.steps import handle_button, handle_form, posted_data, take_step


@club_view()
def unions(request: MemberRequest, club: Club) -> HttpResponse:
    """The unions of a club with what each gets; of a union its clubs, and a form that invites one."""
    form = InviteForm(posted_data(request))
    said = _("%(club)s has been invited. It joins when one of its organisers accepts.")
    done = handle_form(
        request,
        form,
        partial(invite_club, club),
        lambda made: said % {"club": made.club},
        "club_unions",
        club.slug,
        typed=lambda: {"name": form.cleaned_data["club"]},
    )
    mine = list(current_affiliations(club))
    context = {
        "club": club,
        "form": form,
        "mine": mine,
        "offers": club.union_offers.select_related("union"),
        "theirs": affiliated_clubs(club),
        "offered": club.club_offers.select_related("club"),
        "former": club.affiliations.exclude(left=None).select_related("union"),
        "gives": Gives.choices,
        "usual": Gives.NAMES,
    }
    return done or render(request, "clubs/unions.html", context)


@require_POST
@club_view()
def union_gets(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    affiliation = get_object_or_404(current_affiliations(club), pk=pk)
    gives = request.POST.get("gives", "")
    if gives in Gives.values:
        take_step(request, partial(change_what_union_gets, affiliation, gives), _("Saved."))
    return _back(request, club)


@require_POST
@club_view()
def union_leave(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """End an affiliation: the club that leaves, or the union that lets it go."""
    found = Affiliation.objects.filter(left=None).select_related("club", "union")
    affiliation = get_object_or_404(found.filter(club=club) | found.filter(union=club), pk=pk)
    said = _("%(club)s has left %(union)s.") % {"club": affiliation.club, "union": affiliation.union}
    take_step(request, partial(leave_union, affiliation), said)
    return _back(request, club)


@require_POST
@club_view()
def union_accept(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    offer = get_object_or_404(club.union_offers.select_related("club", "union"), pk=pk)
    gives = request.POST.get("gives", "")
    if gives in Gives.values:
        said = _("%(club)s now belongs to %(union)s.") % {"club": club, "union": offer.union}
        take_step(request, partial(accept_invitation, offer, gives), said)
    return _back(request, club)


@require_POST
@club_view()
def union_decline(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Decline an invitation, or withdraw one's own."""
    offers = club.union_offers.all() | club.club_offers.all()
    offer = get_object_or_404(offers.select_related("club", "union"), pk=pk)
    said = _("The invitation is no longer valid.")
    return handle_button(request, partial(decline_invitation, offer), said, "club_unions", club.slug)


def _back(request: MemberRequest, club: Club) -> HttpResponse:
    """Redirect to the page, unless the account has lost its permission there."""
    return redirect("club_unions", club.slug) if may_organise(request.user, club) else redirect("clubs")


urlpatterns = [
    path("<slug:slug>/unions/", unions, name="club_unions"),
    path("<slug:slug>/unions/<int:pk>/", union_gets, name="union_gets"),
    path("<slug:slug>/unions/<int:pk>/leave/", union_leave, name="union_leave"),
    path("<slug:slug>/unions/offers/<int:pk>/accept/", union_accept, name="union_accept"),
    path("<slug:slug>/unions/offers/<int:pk>/decline/", union_decline, name="union_decline"),
]


class InviteForm(forms.Form):
    """The name of the club that a union invites."""

    club = NameField(
        label=gettext_lazy("Name of the club"),
        max_length=120,
        help_text=gettext_lazy("The club must be in this Spadille. The club decides what the union gets."),
    )
