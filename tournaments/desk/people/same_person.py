"""Two lines of the lists of a visitor's clubs that are one human: found, shown what joining them means, and joined."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db.models import Case, Value, When
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.members import all_memberships
from clubs.models import Membership
from clubs.roles import clubs_of
from clubs.sign_in import require_recent_sign_in
from clubs.views.guards import MemberRequest, club_view
from core.errors import NotPossible
from tournaments.entries.merging import merge, refuse_to_merge
from tournaments.web.confirming import Question, ask_first
from tournaments.web.lookup import number_in

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Account, Club, Player

MOST_FOUND = 20


@club_view()
@require_recent_sign_in
def member_same(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Who else in the list it is; once that is chosen, whether they are to be one."""
    members = Membership.objects.select_related("player", "club")
    membership = members.filter(club=club, pk=pk).first()
    if membership is None:
        messages.info(request, _("This entry no longer exists. Someone may have joined it with another."))
        return redirect("club", club.slug)
    asked = number_in(request.GET.get("other", ""))
    organised = clubs_of(request.user, organise=True)
    others = members.filter(club__in=organised.order_by().values("pk")).exclude(player=membership.player)
    other = others.filter(pk=asked).first() if asked else None
    if other is None:
        if request.method == "POST":
            messages.info(request, _("First choose who else it is."))
            return redirect("member_same", club.slug, pk)
        return _find(request, club, membership)
    page = reverse("member_same", args=[club.slug, pk])
    kept, gone = membership.player, other.player
    question = Question(
        title=_("Are %(name)s and %(other)s the same person?") % {"name": kept, "other": gone},
        does=_what_it_does(kept, gone),
        button=_("They are the same person"),
        back=page,
        step=partial(merge, kept, gone),
        said=_("%(name)s is now one person.") % {"name": kept},
        leads_to=reverse("member", args=[club.slug, pk]),
        too_late=_why_not(kept, gone, request.user),
    )
    around = {"base": "clubs/base.html", "club": club, "organises": request.organises}
    return ask_first(request, None, question, **around)


def _find(request: MemberRequest, club: Club, membership: Membership) -> HttpResponse:
    """Members of all clubs that the visitor organises, former ones too, whose name or number is typed.

    At first those of the same first name; those of this club come first.
    """
    query = request.GET.get("q", membership.player.name.partition(" ")[0]).strip()[:100]
    found = all_memberships(clubs_of(request.user, organise=True), query=query)
    here = Case(When(club=club, then=Value(0)), default=Value(1))
    others = found.exclude(player=membership.player).order_by(here, "player__sorted_as", "pk")
    shown = {"club": club, "membership": membership, "query": query, "found": others[:MOST_FOUND]}
    return render(request, "desk/people/member_same.html", shown | {"organises": request.organises})


def _why_not(kept: Player, gone: Player, account: Account) -> str:
    try:
        refuse_to_merge(kept, gone, account)
    except NotPossible as refusal:
        return refusal.message
    return ""


def _what_it_does(kept: Player, gone: Player) -> str:
    evenings = gone.entries.count()
    return " ".join(
        (
            ngettext(
                "%(count)d evening of %(other)s, with its results, moves to %(name)s, with "
                "memberships and titles.",
                "%(count)d evenings of %(other)s, with their results, move to %(name)s, with "
                "memberships and titles.",
                evenings,
            )
            % {"count": evenings, "other": gone, "name": kept},
            _(
                "From then on they are called %(name)s everywhere, including in old lists. Results "
                "stay unchanged; ratings and pages over the years are recalculated."
            )
            % {"name": kept},
            _("This cannot be undone."),
        )
    )


urlpatterns = [path("clubs/<slug:slug>/members/<int:pk>/same/", member_same, name="member_same")]
