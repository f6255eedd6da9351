"""Personal data: what is stored of a person, erasing it; duplicate persons compared and merged."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Case, Count, OuterRef, Subquery, Value, When
from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.clubs import log_change
from clubs.members import all_memberships
from clubs.models import Club, Membership, Player
from clubs.roles import clubs_of
from clubs.sign_in import require_recent_sign_in
from clubs.views.guards import MemberRequest, club_view
from core.errors import NotPossible
from core.http.steps import handle_button
from tournaments.entries.erasing import (
    all_proposals_of,
    keep_person,
    last_evenings,
    proposals_of,
    years_of_clubs,
)
from tournaments.entries.merging import (
    compare,
    find_doubles,
    keep_apart,
    merge,
    played_since,
    refuse_to_merge,
    undo_merge,
    why_not_undone,
)
from tournaments.entries.personal_data import (
    erase,
    is_erased,
    known_of,
    nameless,
    photographs_of,
    set_aside_of,
    unpaid_evenings,
)
from tournaments.models import PlayerMerge, Table, Tournament
from tournaments.models.names import NAMELESS
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import number_in

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from clubs.models import Account


# A member's own data: everything that is known of them as a file, and erased for good.

# Maximum of tables with photographs listed before an erasure; afterwards page size, as for evenings and clubs.
MOST_NAMED, ON_A_PAGE = 30, 100


def _membership(club: Club, pk: int) -> Membership:
    return get_object_or_404(Membership.objects.select_related("player", "club"), pk=pk, club=club)


@club_view()
@require_safe
def member_data(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Export all data about a member, to be given to them."""
    player = _membership(club, pk).player
    file = JsonResponse(known_of(player), json_dumps_params={"indent": 1, "ensure_ascii": False})
    text = gettext_noop("Saved all data about {member} as a file")
    log_change(club, request.user, text, now=timezone.now(), member=player.name)
    file["Content-Disposition"] = f'attachment; filename="{club.slug}-{pk}.json"'
    return file


class Photographed(NamedTuple):
    """The places of photographs that may show a name.

    The `tables`, by key, the newest evening first; evenings with some that were `set_aside`; and by key the `hosts` of
    those that the visitor may not look at.
    """

    tables: list[int]
    set_aside: QuerySet[Tournament]
    hosts: set[int]


def _photographed(visitor: Account, players: Collection[Player]) -> Photographed:
    """The photographs of all tables where any of these players sat."""
    own = set(clubs_of(visitor, organise=True).values_list("pk", flat=True))
    # Start from the few photographs: the other way round all evenings would be scanned.
    by_date = photographs_of(players).order_by("-table__round__tournament__date", "-table")
    tables = dict(by_date.values_list("table", "table__round__tournament__host"))
    evenings = dict(set_aside_of(players).order_by().values_list("tournament", "tournament__host"))
    set_aside = [evening for evening, host in evenings.items() if host in own]
    return Photographed(
        [table for table, host in tables.items() if host in own],
        Tournament.objects.filter(pk__in=set_aside).order_by("-date", "-pk"),
        {*tables.values(), *evenings.values()} - own,
    )


def _tables(found: Sequence[int]) -> QuerySet[Table]:
    shown = Table.objects.filter(pk__in=found).select_related("round__tournament")
    return shown.order_by("-round__tournament__date", "-pk")


def _besides(
    request: HttpRequest, set_aside: QuerySet[Tournament], hosts: Collection[int]
) -> dict[str, object]:
    """Quarantined evenings with pictures, and clubs to contact, a page of each."""
    asked = Club.objects.filter(pk__in=hosts).order_by("name")
    return {
        "set_aside": Paginator(set_aside, ON_A_PAGE).get_page(request.GET.get("aside")),
        "to_be_asked": Paginator(asked, ON_A_PAGE).get_page(request.GET.get("ask")),
    }


@club_view()
@require_safe
def club_erased(request: MemberRequest, club: Club) -> HttpResponse:
    """Photographs that may still show names of erased players, at the user's clubs.

    Other clubs must be contacted about former members of this one.
    """
    erased = nameless()
    found = _photographed(request.user, erased)
    page = Paginator(found.tables, ON_A_PAGE).get_page(request.GET.get("page"))
    ours = Player.objects.filter(pk__in=[player.pk for player in erased], memberships__club=club)
    told = {
        "club": club,
        "page": page,
        "photographed": _tables(list(page.object_list)),
    } | _besides(request, found.set_aside, _photographed(request.user, list(ours)).hosts)
    return render(request, "desk/people/erased.html", told)


@club_view()
@require_recent_sign_in
def member_erase(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Preview the erasure of a member; with the name typed once more, erase them."""
    membership = _membership(club, pk)
    if is_erased(membership.player):
        return redirect("club_erased", club.slug)
    problem, typed = "", request.POST.get("name", "")
    unpaid = unpaid_evenings(membership.player)
    if request.method == "POST":
        if " ".join(typed.split()).casefold() != membership.player.name.casefold():
            problem = _("Type the name exactly as shown here, so that no one else is erased.")
        elif unpaid and "unpaid" not in request.POST:
            problem = _("First confirm that the payments below no longer need to be collected.")
        else:
            try:
                erase(membership.player, account=request.user, today=timezone.localdate(), now=timezone.now())
            except NotPossible as refusal:
                problem = refusal.message
            else:
                messages.success(
                    request,
                    _("Erased: results show %(name)s instead of the player’s name") % {"name": NAMELESS},
                )
                found = _photographed(request.user, [membership.player])
                return redirect("club_erased" if any(found) else "club", club.slug)
    found = _photographed(request.user, [membership.player])
    told = {
        "club": club,
        "membership": membership,
        "problem": problem,
        "typed": typed[:200],
        "unpaid": unpaid,
        "forgiven": "unpaid" in request.POST,
        "photographed": _tables(found.tables[:MOST_NAMED]),
        "more_photographed": max(len(found.tables) - MOST_NAMED, 0),
    } | _besides(request, found.set_aside, found.hosts)
    return render(request, "desk/people/member_erase.html", told, status=409 if problem else 200)


# Two lines of the lists of a visitor's clubs that are one human: found, shown what joining them means, and joined.

MOST_FOUND = 20


@club_view()
@require_recent_sign_in
def member_same(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Choose the duplicate of a member in the list; then confirm merging them."""
    members = Membership.objects.select_related("player", "club")
    membership = members.filter(club=club, pk=pk).first()
    if membership is None:
        messages.info(request, _("This entry no longer exists. Someone may have merged it with another."))
        return redirect("club", club.slug)
    asked = number_in(request.GET.get("other", ""))
    organised = clubs_of(request.user, organise=True)
    others = members.filter(club__in=organised.order_by().values("pk")).exclude(player=membership.player)
    other = others.filter(pk=asked).first() if asked else None
    if other is None:
        if request.method == "POST":
            messages.info(request, _("First choose the other entry."))
            return redirect("member_same", club.slug, pk)
        return _find(request, club, membership)
    page = reverse("member_same", args=[club.slug, pk])
    kept, gone = membership.player, other.player
    question = Question(
        title=_("Are %(name)s and %(other)s the same person?") % {"name": kept, "other": gone},
        does=what_merging_does(kept, gone),
        button=_("They are the same person"),
        back=page,
        step=partial(merge, kept, gone, desk=club),
        message=_("%(name)s is now one person.") % {"name": kept},
        leads_to=reverse("member", args=[club.slug, pk]),
        too_late=why_not_merged(kept, gone, request.user, club),
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


def why_not_merged(kept: Player, gone: Player, account: Account, desk: Club | None = None) -> str:
    """Why two players cannot be joined, in words; "" where they can."""
    try:
        refuse_to_merge(kept, gone, account, desk)
    except NotPossible as refusal:
        return refusal.message
    return ""


def what_merging_does(kept: Player, gone: Player) -> str:
    evenings = gone.entries.count()
    return " ".join(
        (
            ngettext(
                "%(count)d evening of %(other)s moves to %(name)s, with its results, memberships and titles.",
                "%(count)d evenings of %(other)s move to %(name)s, with their results, memberships and "
                "titles.",
                evenings,
            )
            % {"count": evenings, "other": gone, "name": kept},
            _(
                "From then on the person is called %(name)s everywhere, including in old lists. Results do "
                "not change; ratings and pages over the years are recalculated."
            )
            % {"name": kept},
            _("For 60 days this can be undone, under “More” → “One person twice”."),
        )
    )


DOUBLES_ON_A_PAGE, MOST_MERGES = 20, 50


@club_view()
def doubles(request: MemberRequest, club: Club) -> HttpResponse:
    """Page of possible duplicate persons of a club or union, and of its merges."""
    page = Paginator(find_doubles(club), DOUBLES_ON_A_PAGE).get_page(request.GET.get("page"))
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
        message=_("%(name)s and %(other)s are two people again.") % names,
        leads_to=page,
        too_late=too_late,
    )
    return ask_first(request, None, question, base="clubs/base.html", club=club)


ERASURES_ON_A_PAGE = 50


@club_view()
@require_safe
def erasures(request: MemberRequest, club: Club) -> HttpResponse:
    """List players who left all clubs so long ago that erasing them is proposed."""
    there = Membership.objects.filter(player=OuterRef("player"), club=OuterRef("club")).order_by("-pk")
    found = (
        proposals_of(club, timezone.localdate())
        .annotate(
            evenings=Count("player__entries"),
            membership=Subquery(there.values("pk")[:1]),
        )
        .exclude(membership=None)  # whose membership has gone since: until they are looked for again
        .order_by("left", "pk")
    )
    page = Paginator(found, ERASURES_ON_A_PAGE).get_page(request.GET.get("page"))
    last = last_evenings([one.player_id for one in page])
    context = {
        "club": club,
        "page": page,
        "people": [(one, last.get(one.player_id)) for one in page],
        "years": years_of_clubs()[club.pk],
    }
    return render(request, "desk/people/erasures.html", context)


@require_POST
@club_view()
def erasure_keep(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    proposal = get_object_or_404(all_proposals_of(club), pk=pk)
    said = _("%(name)s is kept for another year.") % {"name": proposal.player}
    return handle_button(request, partial(keep_person, proposal), said, "club_erasures", club.slug)


urlpatterns = [
    path("clubs/<slug:slug>/members/<int:pk>/data.json", member_data, name="member_data"),
    path("clubs/<slug:slug>/members/<int:pk>/erase/", member_erase, name="member_erase"),
    path("clubs/<slug:slug>/erased/", club_erased, name="club_erased"),
    path("clubs/<slug:slug>/members/<int:pk>/same/", member_same, name="member_same"),
    path("clubs/<slug:slug>/doubles/", doubles, name="club_doubles"),
    path("clubs/<slug:slug>/doubles/<int:pk>/<int:other>/", double, name="club_double"),
    path("clubs/<slug:slug>/doubles/<int:pk>/<int:other>/apart/", double_apart, name="club_double_apart"),
    path("clubs/<slug:slug>/doubles/undo/<int:pk>/", merge_undo, name="club_merge_undo"),
    path("clubs/<slug:slug>/erasures/", erasures, name="club_erasures"),
    path("clubs/<slug:slug>/erasures/<int:pk>/keep/", erasure_keep, name="club_erasure_keep"),
]
