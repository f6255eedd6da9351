"""Pages of a union: its register, unions and their clubs, transfers of members."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.models import Affiliation, Club, Gives, Membership, Player, Transfer
from clubs.register import (
    SILENCE,
    accept_invitation,
    affiliated_clubs,
    answer_transfer,
    change_what_union_gets,
    choose_main_club,
    count_members,
    current_affiliations,
    decline_invitation,
    differences,
    give_numbers,
    invite_club,
    keep_count,
    leave_union,
    main_memberships,
    memberships_known_to,
    register_of,
    transfers_of,
    transfers_to_answer,
    withdraw_transfer,
)
from clubs.roles import clubs_seen_by, may_organise
from clubs.views.guards import MemberRequest, club_view, sign_in_required
from clubs.views.members import member_context
from core.forms import DayField, NameField, field_of
from core.http.steps import handle_button, handle_form, posted_data, take_step

ROWS_ON_A_PAGE = 50
MOST_COUNTS = 20


@club_view()
def register(request: MemberRequest, club: Club) -> HttpResponse:
    """List all members of the union's clubs on a day, filtered by name or number."""
    return _show_register(request, club, DayForm(request.GET if "day" in request.GET else None))


def _show_register(request: MemberRequest, club: Club, form: DayForm) -> HttpResponse:
    """Render the register of the form's day; of today, with the error at the day, where that is none."""
    today = timezone.localdate()
    day = form.cleaned_data["day"] if form.is_valid() else today
    query = request.GET.get("q", "").strip()
    page = Paginator(register_of(club, day, query), ROWS_ON_A_PAGE).get_page(request.GET.get("page"))
    counted = count_members(club, day)
    context = {
        "club": club,
        "form": form,
        "day": day,
        "query": query,
        "page": page,
        "counted": counted,
        "members": sum(one.main or 0 for one in counted),
        "kept": club.counts.all()[:MOST_COUNTS],
    }
    return render(request, "clubs/register.html", context)


@require_POST
@club_view()
def register_number(request: MemberRequest, club: Club) -> HttpResponse:
    def success_message(people: int) -> str:
        text = ngettext("%(people)d person got a number.", "%(people)d people got a number.", people)
        return text % {"people": people}

    return handle_button(request, partial(give_numbers, club), success_message, "club_register", club.slug)


@require_POST
@club_view()
def register_count(request: MemberRequest, club: Club) -> HttpResponse:
    form = DayForm(request.POST)
    step = partial(keep_count, club)
    done = handle_form(request, form, step, _("The count is saved."), "club_register", club.slug)
    return done or _show_register(request, club, form)


@club_view()
def count(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """A stored count, and where the member lists now differ from it."""
    kept = get_object_or_404(club.counts.select_related("union"), pk=pk)
    context = {
        "club": club,
        "count": kept,
        "members": sum(row["main"] or 0 for row in kept.rows),
        "differences": sorted(differences(kept)),
    }
    return render(request, "clubs/count.html", context)


@club_view()
def register_person(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """A person of a union: their clubs, their number, which club is the main one, and since when."""
    player = get_object_or_404(Player, pk=pk)
    memberships = list(memberships_known_to(club).filter(player=player).order_by("joined", "pk"))
    if not memberships:
        raise Http404
    today = timezone.localdate()
    clubs = [one.club for one in memberships if one.left is None or one.left > today]
    form = MainClubForm(posted_data(request), clubs=clubs, initial={"day": today})
    step, back = partial(choose_main_club, player, desk=club), ("club_register_person", club.slug, pk)
    done = handle_form(request, form, step, _("Saved."), *back, arguments=form.step_arguments)
    context = {
        "club": club,
        "player": player,
        "memberships": memberships,
        "number": player.union_numbers.filter(union=club).first(),
        "main": main_memberships(club, today).filter(player=player).select_related("club").first(),
        "chosen": player.main_clubs.filter(club__in=[one.club_id for one in memberships]),
        "form": form if len(clubs) > 1 else None,
    }
    return done or render(request, "clubs/person.html", context)


@club_view()
def member_main(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Choose the main club of a member who is a member of other clubs, too."""
    membership = get_object_or_404(Membership.objects.select_related("player"), pk=pk, club=club)
    today, player = timezone.localdate(), membership.player
    seen = Membership.objects.on(today).filter(player=player, club__in=clubs_seen_by(request.user))
    clubs = [one.club for one in seen.select_related("club").order_by("joined", "pk")]
    form = MainClubForm(posted_data(request), clubs=clubs, initial={"club": club.pk, "day": today})
    step = partial(choose_main_club, player, desk=club)
    done = handle_form(
        request, form, step, _("Saved."), "member", club.slug, pk, arguments=form.step_arguments
    )
    context = {
        "form": form,
        "heading": _("Main club of %(name)s") % {"name": player},
        "intro": _(
            "A member of several clubs has one main club at a time: the one they joined first, unless another is "
            "chosen. Earlier choices are kept."
        ),
    }
    return done or render(request, "clubs/form.html", member_context(club, membership) | context)


class DayForm(forms.Form):
    """The day that the register is shown for."""

    day = DayField(label=gettext_lazy("Members on"))


class MainClubForm(forms.Form):
    """The main club of a person, one of `clubs`, and from when on."""

    club = forms.TypedChoiceField(
        label=gettext_lazy("Main club"), coerce=int, help_text=gettext_lazy("The union counts them there.")
    )
    day = DayField(label=gettext_lazy("From"))

    def __init__(self, *args: Any, clubs: Sequence[Club], **options: Any) -> None:
        super().__init__(*args, **options)
        self.clubs = {club.pk: club for club in clubs}
        field_of(self, "club").choices = [(pk, club.name) for pk, club in self.clubs.items()]

    def step_arguments(self) -> dict[str, object]:
        return {"club": self.clubs[self.cleaned_data["club"]], "day": self.cleaned_data["day"]}


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
        arguments=lambda: {"name": form.cleaned_data["club"]},
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


class InviteForm(forms.Form):
    """The name of the club that a union invites."""

    club = NameField(
        label=gettext_lazy("Name of the club"),
        max_length=120,
        help_text=gettext_lazy(
            "The club must be in this installation of Spadille. The club decides what the union gets."
        ),
    )


SHOWN = 50


@club_view()
def transfers(request: MemberRequest, club: Club) -> HttpResponse:
    """A club's transfers: to be answered, requested, and the newest completed ones."""
    of_club = transfers_of(club)
    to_answer = transfers_to_answer(request.user).filter(pk__in=of_club.order_by().values("pk"))
    is_open = of_club.filter(state=Transfer.State.ASKED)
    context = {
        "club": club,
        "transfers": to_answer,
        "asked": is_open.exclude(pk__in=to_answer.order_by().values("pk")),
        "over": of_club.exclude(state=Transfer.State.ASKED)[:SHOWN],
        "days": SILENCE.days,
    }
    return render(request, "clubs/transfers.html", context)


@require_POST
@never_cache
@sign_in_required
def transfer_answer(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    """Accept or refuse a transfer, by the club that loses the member or a union of both clubs."""
    club = get_object_or_404(Club, slug=slug)
    transfer = transfers_of(club).filter(pk=pk).first()
    may_answer = transfers_to_answer(request.user).filter(pk=pk).exists()
    if transfer is None or not may_answer:
        # Where another has just answered it, the step's message says so.
        if transfer is None and may_organise(request.user, club):
            raise Http404
        if transfer is None or transfer.state == Transfer.State.ASKED or not may_organise(request.user, club):
            raise PermissionDenied
    yes = "yes" in request.POST
    said = (
        _("%(name)s has been transferred to %(club)s.")
        if yes
        else _("The transfer of %(name)s to %(club)s has been refused.")
    )
    step = partial(answer_transfer, transfer, yes=yes)
    return handle_button(request, step, said % {"name": transfer.player, "club": transfer.club}, "desk")


@require_POST
@club_view()
def transfer_withdraw(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    transfer = get_object_or_404(Transfer, pk=pk, club=club)
    said = _("The request has been withdrawn.")
    return handle_button(request, partial(withdraw_transfer, transfer), said, "club_transfers", club.slug)


urlpatterns = [
    path("<slug:slug>/members/<int:pk>/main/", member_main, name="member_main"),
    path("<slug:slug>/register/people/<int:pk>/", register_person, name="club_register_person"),
    path("<slug:slug>/register/", register, name="club_register"),
    path("<slug:slug>/register/numbers/", register_number, name="club_register_number"),
    path("<slug:slug>/register/count/", register_count, name="club_register_count"),
    path("<slug:slug>/register/counts/<int:pk>/", count, name="club_count"),
    path("<slug:slug>/unions/", unions, name="club_unions"),
    path("<slug:slug>/unions/<int:pk>/", union_gets, name="union_gets"),
    path("<slug:slug>/unions/<int:pk>/leave/", union_leave, name="union_leave"),
    path("<slug:slug>/unions/offers/<int:pk>/accept/", union_accept, name="union_accept"),
    path("<slug:slug>/unions/offers/<int:pk>/decline/", union_decline, name="union_decline"),
    path("<slug:slug>/transfers/", transfers, name="club_transfers"),
    path("<slug:slug>/transfers/<int:pk>/answer/", transfer_answer, name="transfer_answer"),
    path("<slug:slug>/transfers/<int:pk>/withdraw/", transfer_withdraw, name="transfer_withdraw"),
]
