"""A club's championships at the desk: made and changed, their first groups chosen, the next stage made."""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe

from clubs.views.guards import MemberRequest, club_view
from core.errors import NotPossible
from core.forms import NameField, SeenForm, field_of
from core.http.steps import add_to_form, handle_button, handle_form, take_step
from tournaments.changes.permissions import kinds_of_championship
from tournaments.desk.club.seasons import likely
from tournaments.desk.club.series import Series
from tournaments.models import Championship, PublishedList, Season, Stage, Tournament
from tournaments.models.events import MOST_GROUPS, MOST_STAGES
from tournaments.seasons import championships
from tournaments.seasons.championships import tables_of
from tournaments.seasons.first_groups import (
    By,
    PlaceIn,
    Seeding,
    draw_groups,
    groups_of,
    left_out_by_lot,
    mark,
    places_for,
    seeded,
    sources_for,
    why_not_draw,
)
from tournaments.web.fields import day_field, whole_number
from tournaments.web.guards import number_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date as Day  # noqa: N812 - a field is called date

    from django.http import HttpResponse, QueryDict

    from clubs.models import Club
    from tournaments.seasons.championships import Group, Party, Qualified, StageTable
    from tournaments.seasons.first_groups import Seeded


# A championship and its stages.


class ChampionshipForm(SeenForm, forms.Form):
    """The championship itself."""

    name = NameField(label=gettext_lazy("Name"), max_length=100)
    date = day_field(gettext_lazy("First day"))

    def __init__(self, *args: Any, host: Club, stored: Championship | None = None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.host, self.stored = host, stored

    @property
    def is_of_stored(self) -> bool:
        return self.stored is not None

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        twin = Championship.objects.filter(host=self.host, name=name).first()
        if twin and twin != self.stored:
            raise ValidationError(_("The club already has a championship with this name."))
        return name

    def clean_date(self) -> Day:
        return likely(self.cleaned_data["date"])


class StageForm(SeenForm, forms.Form):
    """A stage; without a name it is none."""

    name = NameField(label=gettext_lazy("Name of the stage"), max_length=60, required=False)
    groups = whole_number(gettext_lazy("Groups"), 1, MOST_GROUPS, 1)
    sessions = whole_number(gettext_lazy("Sessions"), 1, 8, 3)
    deals = whole_number(gettext_lazy("Deals per session"), 4, 80, 40)
    carried = whole_number(
        gettext_lazy("Carried over from the previous stage, per cent"), 0, 100, 0,
        gettext_lazy("0: everyone starts from zero; 100: everything counts."),
    )  # fmt: skip
    each = whole_number(gettext_lazy("Qualifiers from each group"), 0, 200, 0)
    next_best = whole_number(
        gettext_lazy("and best runners-up of all groups"), 0, 200, 0,
        gettext_lazy("Nobody qualifies from the last stage: 0 and 0."),
    )  # fmt: skip

    def __init__(self, *args: Any, stored: Championship | None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.stored = stored

    @property
    def is_of_stored(self) -> bool:
        return self.stored is not None

    @property
    def is_wanted(self) -> bool:
        return bool(self.cleaned_data.get("name")) if self.is_bound else True


USUAL = (
    {"name": pgettext_lazy("a stage", "Groups"), "groups": 2, "sessions": 3, "each": 8},
    {"name": gettext_lazy("Semifinal"), "groups": 1, "sessions": 2, "each": 8, "carried": 50},
    {"name": gettext_lazy("Final"), "groups": 1, "sessions": 2, "carried": 50},
)


def stage_forms(data: Mapping[str, Any] | None, stored: Championship | None) -> list[StageForm]:
    """A form for each stage, and one more where there is room."""
    if stored is None:
        given: list[dict[str, Any]] = [dict(usual) for usual in USUAL]
    else:
        names = list(StageForm.base_fields)
        given = [{name: getattr(stage, name) for name in names} for stage in stored.stages.all()]
        given += [{"name": ""}] if len(given) < MOST_STAGES else []
    asked = [
        StageForm(data, prefix=f"stage-{number}", initial=one, stored=stored)
        for number, one in enumerate(given, start=1)
    ]
    del asked[0].fields["carried"]  # nothing comes before the first stage
    return asked


def stages_typed(forms_sent: list[StageForm]) -> list[dict[str, Any]]:
    """The stages that have a name, in order; at its form what is missing. Ask only where all forms are valid."""
    wanted = [form for form in forms_sent if form.is_wanted]
    if not wanted:
        forms_sent[0].add_error("name", _("A championship has at least one stage."))
    for form in wanted[:-1]:
        if not (form.cleaned_data["each"] or form.cleaned_data["next_best"]):
            form.add_error("each", _("Set how many qualify: another stage follows."))
    return [form.cleaned_data for form in wanted]


class DrawGroupsForm(forms.Form):
    """Source tournament of the first groups, and the seeding.

    `places` maps the form's codes to seasons and tournaments whose places can be used.
    """

    source = forms.ChoiceField(
        label=gettext_lazy("Tournament with the entries"),
        help_text=gettext_lazy(
            "One of the club’s tournaments, with everyone entered and nothing drawn yet. The groups use "
            "its rules; it is called off once they are created."
        ),
        error_messages={"required": gettext_lazy("Choose the tournament with the entries.")},
    )  # fmt: skip
    by = forms.ChoiceField(label=gettext_lazy("Seeded by"), widget=forms.RadioSelect)
    place_in = forms.ChoiceField(
        label=gettext_lazy("Place in"), required=False,
        help_text=gettext_lazy("Only needed when seeding by place. Players without one are seeded below all others."),
    )  # fmt: skip
    seed = forms.IntegerField(
        label=gettext_lazy("Draw seed"), required=False, min_value=0, max_value=10**9,
        help_text=gettext_lazy("Ties are broken by lot. Leave it empty to have a number chosen."),
    )  # fmt: skip

    def __init__(
        self,
        *args: Any,
        sources: Sequence[Tournament],
        places: Mapping[str, PlaceIn],
        with_rating: bool,
        **fields: Any,
    ) -> None:
        super().__init__(*args, **fields)
        self.sources = {one.code: one for one in sources}
        self.places = places
        named = [(one.code, f"{one.name} · {date_format(one.date)}") for one in sources]
        field_of(self, "source").choices = named
        ways = [("rating", _("rating")), ("place", _("place")), ("lot", _("by lot only"))]
        ways = [way for way in ways if with_rating or way[0] != "rating"]
        ways = [way for way in ways if places or way[0] != "place"]
        field_of(self, "by").choices = ways
        self.fields["by"].initial = ways[0][0]
        offered = [(code, _place_label(place)) for code, place in places.items()]
        field_of(self, "place_in").choices = [("", _("choose")), *offered]
        if not places:
            del self.fields["place_in"]

    def clean(self) -> dict[str, Any]:
        lacks = "place_in" not in self.errors and not self.cleaned_data.get("place_in")
        if lacks and self.cleaned_data.get("by") == "place":
            self.add_error("place_in", _("Choose the season or tournament whose places count."))
        return self.cleaned_data

    @property
    def chosen_source(self) -> Tournament:
        return self.sources[self.cleaned_data["source"]]

    @property
    def chosen_place(self) -> PlaceIn | None:
        chosen = self.cleaned_data["by"] == "place"
        return self.places[self.cleaned_data["place_in"]] if chosen else None


def _place_label(place: PlaceIn) -> str:
    if isinstance(place, PublishedList):
        return " · ".join([_("Points list"), date_format(place.day)])
    return place.name if isinstance(place, Season) else f"{place.name} · {date_format(place.date)}"


class NextStageForm(forms.Form):
    """The form of the next stage's dates."""

    day = day_field(gettext_lazy("Date of the next stage"))

    def clean_day(self) -> Day:
        return likely(self.cleaned_data["day"])


CHAMPIONSHIPS = Series(
    Championship, "championship", gettext_lazy("Championships"), gettext_lazy("New championship"),
    about=gettext_lazy(
        "A championship is played in stages: groups, a semi-final, a final. The best of each "
"qualify, carrying over as much of their total as you choose."
    ),
    removing=gettext_lazy("Its tournaments remain as they are, each on its own."),
)  # fmt: skip


@club_view(helper=True, officials=kinds_of_championship)
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
    """The qualified players whose tick was removed in the form."""
    shown, goes = (
        {key for sent in request.POST.getlist(name) if (key := number_in(sent)) is not None}
        for name in ("shown", "goes")
    )
    return shown - goes


def _going(table: StageTable) -> list[tuple[Qualified, Party, Group, list[str]]]:
    """Qualified contenders with their groups, and the names of those who missed it by the random tie-break alone."""
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
    if championship := _save(request, form, stages, Championship(host=club)):
        messages.success(
            request, _("“%(name)s” has been saved. Now choose its groups.") % {"name": championship}
        )
        return redirect("club_championship", club.slug, championship.pk)
    return CHAMPIONSHIPS.show(request, "championship_form", club, form=form, stages=stages)


@club_view(officials=kinds_of_championship)
def club_championship_edit(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    stored = get_object_or_404(club.championships, pk=pk)
    initial = {"name": stored.name, "date": stored.date}
    form = ChampionshipForm(request.POST or None, host=club, stored=stored, initial=initial)
    stages = stage_forms(request.POST or None, stored)
    if _save(request, form, stages, stored):
        messages.success(request, _("Saved."))
        return redirect("club_championship", club.slug, pk)
    thing = Championship.objects.get(pk=pk)
    return CHAMPIONSHIPS.show(request, "championship_form", club, form=form, stages=stages, thing=thing)


def _save(
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


@club_view(officials=kinds_of_championship)
@require_POST
def club_championship_groups(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    championship = get_object_or_404(club.championships, pk=pk)
    chosen = request.POST.getlist("group")
    step = partial(championships.choose_groups, championship, chosen)
    return handle_button(request, step, _("The groups have been saved."), "club_championship", club.slug, pk)


@club_view(officials=kinds_of_championship)
@require_POST
def club_championship_next(request: MemberRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """Create the stage after this one from the ticked players of the page."""
    championship = get_object_or_404(club.championships, pk=pk)
    stage = get_object_or_404(Stage, championship=championship, number=number)
    form = NextStageForm(request.POST)
    step = partial(championships.make_next, stage, out=_left_out(request))
    said = _("The next stage has been created: its tournaments are on your desk.")
    done = handle_form(request, form, step, said, "club_championship", club.slug, pk, stays=True)
    return done or _show_one(request, championship, form)


@club_view(officials=kinds_of_championship)
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


# A championship's first groups are drawn: shown first, then made as they were shown.


@club_view(officials=kinds_of_championship)
def club_championship_draw(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    championship = get_object_or_404(club.championships, pk=pk)
    form = _form(championship, _with_seed(request.POST) if request.method == "POST" else None)
    groups: list[list[Seeded]] = []
    if form.is_valid():
        if problem := why_not_draw(form.chosen_source, championship.stages.get(number=1)):
            form.add_error("source", problem)
        elif "make" in request.POST and _make_groups(request, championship, form):
            return redirect("club_championship", club.slug, pk)
        else:
            groups = _draw_preview(championship, form)
    return CHAMPIONSHIPS.show(
        request,
        "championship_draw",
        club,
        thing=championship,
        championship=championship,
        form=form,
        by=form.cleaned_data.get("by") if form.is_bound else "",
        groups=[(chr(ord("A") + number), group) for number, group in enumerate(groups)],
        seen=mark(groups),
    )


def _form(championship: Championship, sent: QueryDict | None) -> DrawGroupsForm:
    seasons, lists, played = places_for(championship)
    places: dict[str, PlaceIn] = {f"season-{season.pk}": season for season in seasons}
    places |= {f"list-{published.pk}": published for published in lists}
    places |= {tournament.code: tournament for tournament in played}
    shows_rating = championship.host.shows_rating
    return DrawGroupsForm(sent, sources=sources_for(championship), places=places, with_rating=shows_rating)


def _with_seed(sent: QueryDict) -> QueryDict:
    """The submitted form; without a typed seed, with one that is drawn now and stays in the page."""
    if sent.get("seed", "").strip():
        return sent
    filled = sent.copy()
    filled["seed"] = str(secrets.randbelow(10**6))
    return filled


def _draw_preview(championship: Championship, form: DrawGroupsForm) -> list[list[Seeded]]:
    line = seeded(form.chosen_source, _seeding(form), championship=championship)
    return groups_of(line, championship.stages.get(number=1))


def _seeding(form: DrawGroupsForm) -> Seeding:
    return Seeding(By(form.cleaned_data["by"]), form.cleaned_data["seed"], form.chosen_place)


def _make_groups(request: MemberRequest, championship: Championship, form: DrawGroupsForm) -> bool:
    seen = request.POST.get("seen", "")
    step = partial(draw_groups, championship, form.chosen_source, _seeding(form), seen=seen)
    said = _("The groups have been created: their tournaments are on your desk.")
    return take_step(request, step, said, stays=True)


urlpatterns += [
    path(
        "clubs/<slug:slug>/championships/<int:pk>/draw/",
        club_championship_draw,
        name="club_championship_draw",
    ),
]
