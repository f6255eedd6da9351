"""Pages of a union's register: its people on any day, their numbers, stored counts."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from clubs.models import Club, Membership, Player
from clubs.register.people import (
    choose_main_club,
    count_members,
    differences,
    give_numbers,
    keep_count,
    main_memberships,
    memberships_known_to,
    register_of,
)
from clubs.roles import clubs_seen_by
from clubs.views.guards import MemberRequest, club_view
from core.forms import DayField
from core.http.steps import handle_button, handle_form, posted_data, take_step

ROWS_ON_A_PAGE = 50
MOST_COUNTS = 20


@club_view()
def register(request: MemberRequest, club: Club) -> HttpResponse:
    """List all members of the union's clubs on a day, filtered by name or number."""
    today = timezone.localdate()
    form = DayForm(request.GET if "day" in request.GET else None, initial={"day": today})
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
    if form.is_valid():
        take_step(request, partial(keep_count, club, form.cleaned_data["day"]), _("The count is saved."))
    return redirect("club_register", club.slug)


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
    done = handle_form(request, form, step, _("Saved."), *back, typed=form.step_arguments)
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
    done = handle_form(request, form, step, _("Saved."), "member", club.slug, pk, typed=form.step_arguments)
    shown = {"club": club, "form": form, "membership": membership}
    return done or render(request, "clubs/member_main.html", shown)


urlpatterns = [
    path("<slug:slug>/members/<int:pk>/main/", member_main, name="member_main"),
    path("<slug:slug>/register/people/<int:pk>/", register_person, name="club_register_person"),
    path("<slug:slug>/register/", register, name="club_register"),
    path("<slug:slug>/register/numbers/", register_number, name="club_register_number"),
    path("<slug:slug>/register/count/", register_count, name="club_register_count"),
    path("<slug:slug>/register/counts/<int:pk>/", count, name="club_count"),
]


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
        self.fields["club"].choices = [(pk, club.name) for pk, club in self.clubs.items()]  # type: ignore[attr-defined]

    def step_arguments(self) -> dict[str, object]:
        return {"club": self.clubs[self.cleaned_data["club"]], "day": self.cleaned_data["day"]}
