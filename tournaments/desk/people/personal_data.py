"""A member's own data: everything that is known of them as a file, and erased for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from clubs.club_log import write_down
from clubs.models import Club, Membership
from clubs.roles import clubs_of
from clubs.sign_in_steps import password_again
from clubs.views.guards import MemberRequest, club_view
from tournaments.entries.personal_data import (
    NAMELESS,
    erase,
    known_of,
    photographs_of,
    set_aside_of,
    unpaid_evenings,
)
from tournaments.models import Table, Tournament
from tournaments.steps.refusals import NotPossible

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Account, Player

# So many tables with photographs are named.
MOST_NAMED = 30


def _membership(club: Club, pk: int) -> Membership:
    return get_object_or_404(Membership.objects.select_related("player", "club"), pk=pk, club=club)


@club_view()
@require_safe
def member_data(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Everything that is known of a member, to be given to them."""
    player = _membership(club, pk).player
    file = JsonResponse(known_of(player), json_dumps_params={"indent": 1, "ensure_ascii": False})
    text = gettext_noop("Saved all that is known of {member} as a file")
    write_down(club, request.user, text, now=timezone.now(), member=player.name)
    file["Content-Disposition"] = f'attachment; filename="{club.slug}-{pk}.json"'
    return file


def _photographed(visitor: Account, player: Player) -> dict[str, object]:
    """The newest tables where they sat and of which there are photographs, and evenings with pictures set aside.

    Where the visitor may not look at them, the clubs to be asked.
    """
    own = set(clubs_of(visitor).values_list("pk", flat=True))
    # From what lies there to its evening: the other way round it would go through all evenings there are.
    by_date = photographs_of(player).order_by("-table__round__tournament__date", "-table")
    tables = dict(by_date.values_list("table", "table__round__tournament__host"))
    evenings = dict(set_aside_of(player).order_by().values_list("tournament", "tournament__host"))
    here = [table for table, host in tables.items() if host in own]
    set_aside = [evening for evening, host in evenings.items() if host in own]
    shown = Table.objects.filter(pk__in=here[:MOST_NAMED]).select_related("round__tournament")
    hosts = {*tables.values(), *evenings.values()} - own
    return {
        "photographed": shown.order_by("-round__tournament__date", "-pk"),
        "more_photographed": max(len(here) - MOST_NAMED, 0),
        "set_aside": Tournament.objects.filter(pk__in=set_aside).order_by("-date", "-pk")[:MOST_NAMED],
        "to_be_asked": Club.objects.filter(pk__in=hosts).order_by("name"),
    }


@club_view()
@password_again
def member_erase(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Say what is erased and what stays; with the name typed once more, do it."""
    membership = _membership(club, pk)
    problem, typed = "", request.POST.get("name", "")
    unpaid = unpaid_evenings(membership.player)
    if request.method == "POST":
        if " ".join(typed.split()).casefold() != membership.player.name.casefold():
            problem = _("Type the name exactly as it stands here, so that nobody else is erased.")
        elif unpaid and "unpaid" not in request.POST:
            problem = _("Say first that the payments below need not be asked for any more.")
        else:
            try:
                erase(membership.player, account=request.user, today=timezone.localdate(), now=timezone.now())
            except NotPossible as refusal:
                problem = refusal.message
            else:
                messages.success(
                    request,
                    _("Erased: results have %(name)s in place of the player’s name") % {"name": NAMELESS},
                )
                return redirect("club", club.slug)
    told = {
        "club": club,
        "membership": membership,
        "problem": problem,
        "typed": typed[:200],
        "unpaid": unpaid,
        "forgiven": "unpaid" in request.POST,
    } | _photographed(request.user, membership.player)
    return render(request, "desk/people/member_erase.html", told, status=409 if problem else 200)


urlpatterns = [
    path("clubs/<slug:slug>/members/<int:pk>/data.json", member_data, name="member_data"),
    path("clubs/<slug:slug>/members/<int:pk>/erase/", member_erase, name="member_erase"),
]
