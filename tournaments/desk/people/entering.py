"""Entering players at the desk: members by a tick, guests by name."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db import transaction
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club
from clubs.names import folded
from core.errors import NotPossible
from core.http.steps import add_to_form, handle_button
from tournaments.changes.locks import locked
from tournaments.desk.people.candidates import candidates, has_members, listed, namesakes
from tournaments.desk.people.entries_form import GuestForm
from tournaments.entries import entering
from tournaments.entries.bulk import enter_all
from tournaments.entries.entering import clubs_near
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import number_in

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Membership
    from tournaments.models import Entry, Tournament


# So many of the members found are listed; of more, whoever looks for somebody types more.
MOST_LISTED = 200


@desk_view(helper=True)
def desk_add_members(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Tick members to enter. What is ticked goes with every search, so that it stays ticked."""
    sent = request.POST if request.method == "POST" else request.GET
    ticked = {pk for value in sent.getlist("member") if (pk := number_in(value)) is not None}
    free = candidates(tournament, today=timezone.localdate())
    chosen = list(free.filter(pk__in=ticked)) if ticked else []
    if request.method == "POST" and chosen:
        return _enter_members(request, tournament, chosen)
    query, club, clubs = sent.get("q", ""), sent.get("club", ""), clubs_near(tournament.host)
    found = listed(tournament, query, club, clubs, most=MOST_LISTED + 1, today=timezone.localdate())
    shown = {member.pk: member for member in [*found[:MOST_LISTED], *chosen]}
    return render(
        request,
        "desk/people/add_members.html",
        {
            "tournament": tournament,
            "members": sorted(shown.values(), key=lambda one: (one.player.sorted_as, one.player_id)),
            "listed": MOST_LISTED,
            "more": len(found) > MOST_LISTED,
            "free": bool(shown) or free.exists(),
            "has_members": bool(shown) or has_members(tournament, today=timezone.localdate()),
            "ticked": set(shown) if "all" in sent else {member.pk for member in chosen},
            "q": query,
            "club": club,
            "clubs": clubs,
            "here": "here" in sent,
            "nobody_ticked": request.method == "POST",
        },
    )


def _in_order_of_entry(members: list[Membership]) -> list[Membership]:
    """By name, as on the page; by lot where numbers stand for names, so that they do not tell the alphabet."""
    if not any(member.club.name_style == Club.NameStyle.NUMBER for member in members):
        return members
    return random.SystemRandom().sample(members, k=len(members))


def _enter_members(request: DeskRequest, tournament: Tournament, members: list[Membership]) -> HttpResponse:
    here, count = "here" in request.POST, len(members)
    chosen = [(member.player, member.club) for member in _in_order_of_entry(members)]
    step = partial(enter_all, tournament, chosen, here=here)
    said = ngettext("%(count)d player is entered.", "%(count)d players are entered.", count)
    page = "desk_check_in" if here else "desk_entries"
    return handle_button(request, step, said % {"count": count}, page, tournament.code)


@desk_view(helper=True)
def desk_add_guest(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Enter somebody by name. A namesake is pointed out first, so that sending twice does not make two."""
    form = (
        GuestForm(request.POST) if request.method == "POST" else GuestForm.fresh(tournament, "desk_check_in")
    )
    members: list[Membership] = []
    entered: list[Entry] = []
    if form.is_bound and form.is_valid():
        with transaction.atomic():
            locked(tournament)  # the second of two clicks finds the guest of the first
            if not form.cleaned_data["somebody_else"]:
                members, entered = _of_the_name(tournament, form.cleaned_data["name"])
            is_entered = not members and not entered and _enter_guest(request, tournament, form)
        if is_entered:
            back = "desk_entries" if form.cleaned_data["back"] == "desk_entries" else "desk_check_in"
            return redirect(back, tournament.code)
    return render(
        request,
        "desk/people/guest.html",
        {"tournament": tournament, "form": form, "members": members, "entered": entered},
    )


def _of_the_name(tournament: Tournament, name: str) -> tuple[list[Membership], list[Entry]]:
    """Who may be meant by a guest's name: members not entered yet, and players who are."""
    members = namesakes(candidates(tournament, today=timezone.localdate()), name)
    everybody = tournament.entries.select_related("player", "club")
    return members, [entry for entry in everybody if folded(entry.player.name) == folded(name)]


def _enter_guest(request: DeskRequest, tournament: Tournament, form: GuestForm) -> bool:
    now = timezone.now()
    try:
        with transaction.atomic():
            name = form.cleaned_data["name"]
            entry = entering.enter_guest(tournament, name, account=request.user, now=now)
            if form.cleaned_data["here"]:
                entering.check_in(entry, present=True, account=request.user, now=now)
    except NotPossible as refusal:
        add_to_form(form, refusal)
        return False
    said = _("%(name)s is entered as no. %(number)d.") % {"name": entry.player.name, "number": entry.number}
    messages.success(request, said)
    return True


urlpatterns = [
    path("desk/t/<str:code>/entries/add/", desk_add_members, name="desk_add_members"),
    path("desk/t/<str:code>/entries/guest/", desk_add_guest, name="desk_add_guest"),
]
