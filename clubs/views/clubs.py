"""The clubs I work for, one club's page, and founding and changing clubs."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.club_log import write_down
from clubs.clubs import add_club, hold_all, people_in, with_member_counts
from clubs.forms.clubs import ClubForm
from clubs.mail.after import in_vain
from clubs.member_table import MemberTable
from clubs.members import PRESENT, memberships_of
from clubs.models import Club
from clubs.roles import clubs_of, may_add_club, may_see_members
from clubs.views.guards import MemberRequest, club_view, signed_in
from core.tables.columns import show_page

ROWS_ON_A_PAGE = 50


@signed_in
def clubs(request: MemberRequest) -> HttpResponse:
    mine = with_member_counts(clubs_of(request.user))
    return render(request, "clubs/clubs.html", {"clubs": mine, "may_add": may_add_club(request.user)})


@club_view(helper=True)
def club(request: MemberRequest, club: Club) -> HttpResponse:
    who, query = request.GET.get("who", PRESENT), request.GET.get("q", "").strip()
    memberships = memberships_of(club, who=who, query=query, today=timezone.localdate())
    table = MemberTable(
        memberships,
        exclude=["left"] if who == PRESENT else [],
        empty_text=_("No one was found.") if query else _("No one yet."),
    )
    show_page(table, request, ROWS_ON_A_PAGE)
    theirs = with_member_counts(club.clubs.all())
    context = {
        "club": club,
        "clubs": theirs,
        "in_clubs": people_in(club.clubs.all()) if theirs else 0,
        "sees_members": may_see_members(request.user, club),
        "table": table,
        "who": who,
        "query": query,
        "organises": request.organises,
        "in_vain": in_vain(club) if request.organises else 0,
    }
    return render(request, "clubs/club.html", context)


@signed_in
def club_new(request: MemberRequest) -> HttpResponse:
    if not may_add_club(request.user):
        raise PermissionDenied
    form = ClubForm(request.POST or None, visitor=request.user)
    if request.method == "POST":
        with transaction.atomic():
            hold_all(Club)
            if form.is_valid():
                club = add_club(form.save(commit=False))
                messages.success(request, _("%(club)s is added.") % {"club": club})
                return redirect(club)
    return render(request, "clubs/club_form.html", {"form": form})


@club_view()
def club_edit(request: MemberRequest, club: Club) -> HttpResponse:
    if request.method == "POST":
        hold_all(Club)
    form = ClubForm(request.POST or None, instance=club, visitor=request.user)
    if request.method == "POST" and form.is_valid():
        if form.changed_data:
            form.save()
            write_down(club, request.user, gettext_noop("Changed the club’s details"), now=timezone.now())
        messages.success(request, _("Saved."))
        return redirect(club)
    return render(request, "clubs/club_form.html", {"form": form, "club": Club.objects.get(pk=club.pk)})


urlpatterns = [
    path("", clubs, name="clubs"),
    path("new/", club_new, name="club_new"),
    path("<slug:slug>/", club, name="club"),
    path("<slug:slug>/edit/", club_edit, name="club_edit"),
]
