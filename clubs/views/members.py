"""One member: adding, showing, changing, leaving and coming back; and all of them as a file."""

from dataclasses import replace
from functools import partial
from io import BytesIO

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_tables2 import RequestConfig

from clubs.club_log import write_down
from clubs.exports import export_members, member_lines
from clubs.forms.members import ChangeMemberForm, LeaveForm, NewMemberForm
from clubs.known_people import lookalikes
from clubs.long_lists import EXPORT, ROWS_AT_ONCE, SAVED, of_club
from clubs.member_table import MemberTable
from clubs.members import (
    PRESENT,
    add_member,
    change_member,
    come_back,
    leave,
    memberships_of,
)
from clubs.models import Club, Membership, Player
from clubs.roles import clubs_seen_by, may_see_members
from clubs.views.guards import MemberRequest, club_view
from core.http.steps import filled_in, pressed, sent
from core.jobs.queue import Wish, ask, remember
from core.tables.files import CONTENT_TYPES


def _membership(club: Club, pk: int) -> Membership:
    return get_object_or_404(Membership.objects.select_related("player", "club"), pk=pk, club=club)


@club_view()
def member_new(request: MemberRequest, club: Club) -> HttpResponse:
    form = NewMemberForm(
        sent(request),
        club=club,
        lookalikes=partial(lookalikes, request.user, club),
        initial={"joined": timezone.localdate()},
    )

    def typed() -> dict[str, object]:
        known, details = form.known, form.details
        player = Player.objects.get(pk=known.player) if known else None
        if known and player and known.known_to_union:
            details = replace(details, name=player.name)  # the same but for its spelling
        return {"details": details, "player": player}

    def said(made: Membership) -> str:
        return _("%(name)s is now a member.") % {"name": made.player}

    done = filled_in(request, form, partial(add_member, club), said, "club", club.slug, typed=typed)
    return done or render(request, "clubs/member_form.html", {"club": club, "form": form})


@club_view(helper=True)
def member(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    if not may_see_members(request.user, club):
        raise PermissionDenied
    membership = _membership(club, pk)
    context = {
        "club": club,
        "membership": membership,
        "memberships": membership.player.memberships.filter(club__in=clubs_seen_by(request.user))
        .select_related("club")
        .order_by("joined"),
        "organises": request.organises,
    }
    return render(request, "clubs/member.html", context)


@club_view()
def member_edit(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    form = ChangeMemberForm(sent(request), club=club, membership=membership)
    page, step = ("member", club.slug, pk), partial(change_member, membership)
    done = filled_in(request, form, step, _("Saved."), *page, typed=lambda: {"details": form.details})
    shown = {"club": club, "form": form, "membership": membership}
    return done or render(request, "clubs/member_form.html", shown)


@club_view()
def member_leave(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    form = LeaveForm(sent(request), initial={"left": timezone.localdate()})
    said = _("%(name)s has left.") % {"name": membership.player}
    done = filled_in(request, form, partial(leave, membership), said, "member", club.slug, pk)
    shown = {"club": club, "form": form, "membership": membership}
    return done or render(request, "clubs/member_leave.html", shown)


@require_POST
@club_view()
def member_return(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    said = _("%(name)s is a member again.") % {"name": membership.player}
    return pressed(request, partial(come_back, membership), said, "member", club.slug, pk)


@club_view()
def members_export(request: MemberRequest, club: Club, kind: str) -> HttpResponse:
    """The members found and sorted as on the club's page, without its pages."""
    if kind not in CONTENT_TYPES:
        raise Http404
    who, query = request.GET.get("who", PRESENT), request.GET.get("q", "").strip()
    found = memberships_of(club, who=who, query=query, today=timezone.localdate())
    if found.count() > ROWS_AT_ONCE[kind]:
        about = {"kind": kind, "who": who, "query": query, "sort": request.GET.get("sort", "")}
        wish = Wish(EXPORT, of_club(club), get_language() or "en", about)
        job = ask(wish, account=request.user, now=timezone.now(), anew=True)
        remember(request, job)
        return redirect("desk_job", job.pk)
    table = MemberTable(found)
    RequestConfig(request, paginate=False).configure(table)
    headers = {"Content-Disposition": f'attachment; filename="{club.slug}.{kind}"'}
    export_members(file := BytesIO(), club, member_lines(table.data.data), kind)
    write_down(club, request.user, SAVED, now=timezone.now())
    return HttpResponse(file.getvalue(), content_type=CONTENT_TYPES[kind], headers=headers)


urlpatterns = [
    path("<slug:slug>/members.<slug:kind>", members_export, name="members_export"),
    path("<slug:slug>/members/new/", member_new, name="member_new"),
    path("<slug:slug>/members/<int:pk>/", member, name="member"),
    path("<slug:slug>/members/<int:pk>/edit/", member_edit, name="member_edit"),
    path("<slug:slug>/members/<int:pk>/leave/", member_leave, name="member_leave"),
    path("<slug:slug>/members/<int:pk>/return/", member_return, name="member_return"),
]
