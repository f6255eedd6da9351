"""One member: adding, showing, changing, leaving and coming back; and all of them as a file."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST
from django_tables2 import RequestConfig

from clubs.club_log import write_down
from clubs.exports import export_members
from clubs.forms.members import ChangeMemberForm, LeaveForm, NewMemberForm
from clubs.members import (
    PRESENT,
    NotPossibleError,
    add_member,
    change_member,
    come_back,
    leave,
    memberships_of,
    people_known_to,
)
from clubs.models import Club, Membership, Player
from clubs.roles import clubs_of
from clubs.table_file import CONTENT_TYPES
from clubs.tables import MemberTable
from clubs.views.guards import MemberRequest, club_view


def _membership(club: Club, pk: int) -> Membership:
    return get_object_or_404(Membership.objects.select_related("player", "club"), pk=pk, club=club)


@club_view()
def member_new(request: MemberRequest, club: Club) -> HttpResponse:
    form = NewMemberForm(
        request.POST or None,
        club=club,
        people=people_known_to(request.user, club) if request.method == "POST" else [],
        initial={"joined": timezone.localdate()},
    )
    if request.method == "POST" and form.is_valid():
        player = Player.objects.get(pk=form.known.player) if form.known else None
        membership = add_member(club, form.details, player)
        write_down(club, request.user, gettext_noop("{member} is a member"), member=membership.player)
        messages.success(request, _("%(name)s is a member now.") % {"name": membership.player})
        return redirect("club", club.slug)
    return render(request, "clubs/member_form.html", {"club": club, "form": form})


@club_view(helper=True)
def member(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    context = {
        "club": club,
        "membership": membership,
        "memberships": membership.player.memberships.filter(club__in=clubs_of(request.user))
        .select_related("club")
        .order_by("joined"),
        "organises": request.organises,
    }
    return render(request, "clubs/member.html", context)


@club_view()
def member_edit(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    form = ChangeMemberForm(request.POST or None, club=club, membership=membership)
    if request.method == "POST" and form.is_valid():
        change_member(membership, form.details)
        write_down(
            club, request.user, gettext_noop("Changed what is known of {member}"), member=membership.player
        )
        messages.success(request, _("Saved."))
        return redirect("member", club.slug, membership.pk)
    return render(request, "clubs/member_form.html", {"club": club, "form": form, "membership": membership})


@club_view()
def member_leave(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    form = LeaveForm(request.POST or None, initial={"left": timezone.localdate()})
    if request.method == "POST" and form.is_valid():
        try:
            leave(membership, form.cleaned_data["left"])
        except NotPossibleError as reason:
            form.add_error("left", str(reason))
        else:
            write_down(club, request.user, gettext_noop("{member} has left"), member=membership.player)
            messages.success(request, _("%(name)s has left.") % {"name": membership.player})
            return redirect("member", club.slug, membership.pk)
    return render(request, "clubs/member_leave.html", {"club": club, "form": form, "membership": membership})


@require_POST
@club_view()
def member_return(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    membership = _membership(club, pk)
    try:
        come_back(membership)
    except NotPossibleError as reason:
        messages.error(request, str(reason))
    else:
        write_down(club, request.user, gettext_noop("{member} is a member again"), member=membership.player)
        messages.success(request, _("%(name)s is a member again.") % {"name": membership.player})
    return redirect("member", club.slug, membership.pk)


@club_view()
def members_export(request: MemberRequest, club: Club, kind: str) -> HttpResponse:
    """The members found and sorted as on the club's page, without its pages."""
    if kind not in CONTENT_TYPES:
        raise Http404
    who, query = request.GET.get("who", PRESENT), request.GET.get("q", "").strip()
    table = MemberTable(memberships_of(club, who=who, query=query, today=timezone.localdate()))
    RequestConfig(request, paginate=False).configure(table)
    file = export_members(club, (row.record for row in table.rows), kind)
    write_down(club, request.user, gettext_noop("Saved the member list as a file"))
    headers = {"Content-Disposition": f'attachment; filename="{club.slug}.{kind}"'}
    return HttpResponse(file, content_type=CONTENT_TYPES[kind], headers=headers)


urlpatterns = [
    path("<slug:slug>/members.<slug:kind>", members_export, name="members_export"),
    path("<slug:slug>/members/new/", member_new, name="member_new"),
    path("<slug:slug>/members/<int:pk>/", member, name="member"),
    path("<slug:slug>/members/<int:pk>/edit/", member_edit, name="member_edit"),
    path("<slug:slug>/members/<int:pk>/leave/", member_leave, name="member_leave"),
    path("<slug:slug>/members/<int:pk>/return/", member_return, name="member_return"),
]
