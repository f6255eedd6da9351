"""A club's championships at the desk: made and changed, their first groups chosen, the next stage made."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from clubs.views.guards import MemberRequest, club_view
from core.errors import NotPossible
from core.http.steps import add_to_form, handle_button, handle_form
from tournaments.desk.club.championships_form import (
    ChampionshipForm,
    NextStageForm,
    StageForm,
    stage_forms,
    stages_typed,
)
from tournaments.desk.club.series import Series
from tournaments.models import Championship, Stage
from tournaments.seasons import championships
from tournaments.seasons.first_groups import left_out_by_lot
from tournaments.seasons.stages import tables_of
from tournaments.web.lookup import number_in

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Club
    from tournaments.seasons.stages import Group, Party, Qualified, StageTable


CHAMPIONSHIPS = Series(
    Championship, "championship", gettext_lazy("Championships"), gettext_lazy("New championship"),
    about=gettext_lazy(
        "A championship is played in stages: groups, a semi-final, a final. The best of each "
"qualify, carrying over as much of their total as you choose."
    ),
    removing=gettext_lazy("Its tournaments remain as they are, each on its own."),
)  # fmt: skip


@club_view(helper=True)
@require_safe
def club_championship(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Its stages and groups as they stand, and what is to be done next."""
    championship = get_object_or_404(club.championships, pk=pk)
    return _show_one(request, championship, NextStageForm(initial={"day": timezone.localdate()}))


def _show_one(request: MemberRequest, championship: Championship, form: NextStageForm) -> HttpResponse:
    tables = tables_of(championship)
    ready = next(
        (table for table in tables if table.is_over and table.next_stage and not table.entered), None
    )
    return CHAMPIONSHIPS.show(
        request,
        "championship",
        championship.host,
        thing=championship,
        championship=championship,
        tables=tables,
        choice=championships.groups_for(championship),
        ready=ready,
        going=_going(ready) if ready else [],
        left_out=_left_out(request),
        form=form,
        moving_up=[
            (table, [table.parties[one.contender.key].name for one in table.next_in_line])
            for table in tables
            if table.next_in_line
        ],
    )


def _left_out(request: MemberRequest) -> set[int]:
    """Who was shown with a tick that was taken away."""
    shown, goes = (
        {key for sent in request.POST.getlist(name) if (key := number_in(sent)) is not None}
        for name in ("shown", "goes")
    )
    return shown - goes


def _going(table: StageTable) -> list[tuple[Qualified, Party, Group, list[str]]]:
    """Who goes on, from which group, and the names of those whom only the lot left out for them."""
    line = table.line()
    by_lot = left_out_by_lot(table, line)
    return [
        (
            one,
            table.parties[one.contender.key],
            table.groups[one.group],
            [other.name for other in by_lot.get(one.contender.key, [])],
        )
        for one in line
    ]


@club_view()
def club_championship_new(request: MemberRequest, club: Club) -> HttpResponse:
    today = timezone.localdate()
    initial = {"name": _("Championship %(year)d") % {"year": today.year}, "date": today}
    form = ChampionshipForm(request.POST or None, host=club, initial=initial)
    stages = stage_forms(request.POST or None, None)
    if championship := _stored(request, form, stages, Championship(host=club)):
        messages.success(
            request, _("“%(name)s” has been saved. Now choose its groups.") % {"name": championship}
        )
        return redirect("club_championship", club.slug, championship.pk)
    return CHAMPIONSHIPS.show(request, "championship_form", club, form=form, stages=stages)


@club_view()
def club_championship_edit(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    stored = get_object_or_404(club.championships, pk=pk)
    initial = {"name": stored.name, "date": stored.date}
    form = ChampionshipForm(request.POST or None, host=club, stored=stored, initial=initial)
    stages = stage_forms(request.POST or None, stored)
    if _stored(request, form, stages, stored):
        messages.success(request, _("Saved."))
        return redirect("club_championship", club.slug, pk)
    thing = Championship.objects.get(pk=pk)
    return CHAMPIONSHIPS.show(request, "championship_form", club, form=form, stages=stages, thing=thing)


def _stored(
    request: MemberRequest, form: ChampionshipForm, stages: list[StageForm], championship: Championship
) -> Championship | None:
    """The championship; None where nothing was sent, or something in it is to be put right."""
    if not all([form.is_valid(), *(stage.is_valid() for stage in stages)]):
        return None
    typed = stages_typed(stages)
    if any(stage.errors for stage in stages):
        return None
    try:
        with transaction.atomic():
            return championships.store(
                championship, form.cleaned_data, typed, account=request.user, now=timezone.now()
            )
    except NotPossible as refusal:
        add_to_form(form, refusal)
    except IntegrityError:
        form.add_error("name", _("The club already has a championship with this name."))
    return None


@club_view()
@require_POST
def club_championship_groups(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    championship = get_object_or_404(club.championships, pk=pk)
    chosen = request.POST.getlist("group")
    step = partial(championships.choose_groups, championship, chosen)
    return handle_button(request, step, _("The groups have been saved."), "club_championship", club.slug, pk)


@club_view()
@require_POST
def club_championship_next(request: MemberRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """Make the stage after that of this number, of whom the page showed and who is ticked."""
    championship = get_object_or_404(club.championships, pk=pk)
    stage = get_object_or_404(Stage, championship=championship, number=number)
    form = NextStageForm(request.POST)
    step = partial(championships.make_next, stage, out=_left_out(request))
    said = _("The next stage has been made: its tournaments are on your desk.")
    done = handle_form(request, form, step, said, "club_championship", club.slug, pk, stays=True)
    return done or _show_one(request, championship, form)


@club_view()
@require_POST
def club_championship_move_up(request: MemberRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """Let the next in line in for those who have withdrawn from the stage after that of this number."""
    championship = get_object_or_404(club.championships, pk=pk)
    stage = get_object_or_404(Stage, championship=championship, number=number)
    said = _("The next in line have been entered.")
    return handle_button(
        request, partial(championships.move_up, stage), said, "club_championship", club.slug, pk
    )


_ONE = "clubs/<slug:slug>/championships/<int:pk>/"
urlpatterns = [
    *CHAMPIONSHIPS.addresses(),
    path("clubs/<slug:slug>/championships/new/", club_championship_new, name="club_championship_new"),
    path(_ONE, club_championship, name="club_championship"),
    path(f"{_ONE}edit/", club_championship_edit, name="club_championship_edit"),
    path(f"{_ONE}groups/", club_championship_groups, name="club_championship_groups"),
    path(f"{_ONE}stages/<int:number>/next/", club_championship_next, name="club_championship_next"),
    path(f"{_ONE}stages/<int:number>/move-up/", club_championship_move_up, name="club_championship_move_up"),
]
