"""Pages for duplicate persons: compare them, merge them, mark them as two people, undo a merge."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.models import Club, Player
from clubs.sign_in import require_recent_sign_in
from clubs.views.guards import MemberRequest, club_view
from core.http.steps import handle_button
from tournaments.desk.people.personal_data import what_merging_does, why_not_merged
from tournaments.entries.merging import (
    compare,
    find_doubles,
    keep_apart,
    merge,
    played_since,
    undo_merge,
    why_not_undone,
)
from tournaments.models import PlayerMerge
from tournaments.web.confirming import Question, ask_first

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Account

ON_A_PAGE, MOST_MERGES = 20, 50


@club_view()
def doubles(request: MemberRequest, club: Club) -> HttpResponse:
    """Page of possible duplicate persons of a club or union, and of its merges."""
    page = Paginator(find_doubles(club), ON_A_PAGE).get_page(request.GET.get("page"))
    now, merges = timezone.now(), list(PlayerMerge.objects.filter(desk=club)[:MOST_MERGES])
    names = dict(Player.objects.filter(pk__in=[one.kept for one in merges]).values_list("pk", "name"))
    joined = [(one, names.get(one.kept, ""), why_not_undone(one, now)) for one in merges]
    return render(request, "desk/people/doubles.html", {"club": club, "page": page, "joined": joined})


@club_view()
@require_recent_sign_in
def double(request: MemberRequest, club: Club, pk: int, other: int) -> HttpResponse:
    """Compare two people, with the evidence for and against a duplicate; `pk` is the one that remains."""
    joined = PlayerMerge.objects.filter(desk=club, undone_at=None)
    if any(joined.filter(gone=number).exists() for number in (pk, other)):
        messages.info(request, _("They have already been merged."))
        return redirect("club_doubles", club.slug)
    kept, gone = _two(pk, other)
    found = compare(club, kept, gone)
    if found is None:
        raise Http404
    why_not = why_not_merged(kept, gone, request.user, club)
    if request.method == "POST":
        step = partial(merge, kept, gone, desk=club)
        said = _("%(name)s is now one person.") % {"name": kept}
        return handle_button(request, step, said, "club_doubles", club.slug)
    context = {
        "club": club,
        "double": found,
        "people": [found.one, found.other],
        "kept": kept,
        "gone": gone,
        "does": what_merging_does(kept, gone),
        "why_not": why_not,
    }
    return render(request, "desk/people/double.html", context)


def _two(pk: int, other: int) -> tuple[Player, Player]:
    return get_object_or_404(Player, pk=pk), get_object_or_404(Player, pk=other)


@require_POST
@club_view()
def double_apart(request: MemberRequest, club: Club, pk: int, other: int) -> HttpResponse:
    two = _two(pk, other)
    if compare(club, *two) is None:
        raise Http404
    step = partial(keep_apart, *two, desk=club)
    said = _("They are two people, and will not be proposed again.")
    return handle_button(request, step, said, "club_doubles", club.slug)


@club_view()
@require_recent_sign_in
def merge_undo(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Take a merge back, after saying what has come since."""
    merged = get_object_or_404(PlayerMerge.objects.select_related("desk"), pk=pk, desk=club)
    page = reverse("club_doubles", args=[club.slug])
    kept = Player.objects.filter(pk=merged.kept).first()
    too_late = why_not_undone(merged, timezone.now())

    def step(*, account: Account, now: datetime) -> None:
        for left in undo_merge(merged, account=account, now=now):
            messages.warning(request, left)

    names = {"name": kept, "other": merged.name}
    until = date_format(timezone.localtime(merged.undone_until), "DATE_FORMAT")
    does = [
        _("What %(other)s had before goes back: evenings, memberships, titles, email and phone.") % names,
        _("This is possible until %(until)s.") % {"until": until},
    ]
    if not too_late:
        text = _("%(tournament)s has been entered since, and stays with %(name)s.")
        does += [text % {"tournament": one.tournament, "name": kept} for one in played_since(merged)]
    question = Question(
        title=_("Are %(name)s and %(other)s two people after all?") % names,
        does=" ".join(does),
        button=_("Undo: they are two people"),
        back=page,
        step=step,
        said=_("%(name)s and %(other)s are two people again.") % names,
        leads_to=page,
        too_late=too_late,
    )
    return ask_first(request, None, question, base="clubs/base.html", club=club)


urlpatterns = [
    path("clubs/<slug:slug>/doubles/", doubles, name="club_doubles"),
    path("clubs/<slug:slug>/doubles/<int:pk>/<int:other>/", double, name="club_double"),
    path("clubs/<slug:slug>/doubles/<int:pk>/<int:other>/apart/", double_apart, name="club_double_apart"),
    path("clubs/<slug:slug>/doubles/undo/<int:pk>/", merge_undo, name="club_merge_undo"),
]
