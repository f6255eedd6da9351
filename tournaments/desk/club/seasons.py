"""A club's seasons at the desk: made and changed, their evenings chosen, their awards given."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Club, Gives
from clubs.register_models import clubs_in
from clubs.roles import may_organise
from clubs.views.guards import MemberRequest, club_view
from core.forms import NameField, SeenForm, field_of
from core.http.steps import handle_button, take_step
from core.jobs.kinds import kind_of
from core.jobs.queue import remember_job
from tournaments.changes.permissions import kinds_of_season
from tournaments.desk.club.series import Series
from tournaments.lifecycle.creating import MOST_EVENINGS, how_many
from tournaments.models import Award, Season, Tournament
from tournaments.models.events import MOST_EVENINGS as MOST_COUNTED
from tournaments.paper import yearbook
from tournaments.seasons import season as seasons
from tournaments.seasons.ladder_table import awards_of, season_table
from tournaments.seasons.season import (
    MOST_COMPARED,
    PlannedEvening,
    make_evenings,
    meetings_of,
    plan_evenings,
    season_in_words,
)
from tournaments.web.choice_field import AtHand, SoughtField, found_alone, offer
from tournaments.web.fields import KronerField, day_field, whole_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from django.http import HttpResponse, QueryDict

    from core.jobs.models import Job
    from tournaments.seasons.ladder_table import Placed, SeasonTable


LIKE_OFFERED = 30
EVERY = [
    (1, gettext_lazy("every week")),
    (2, gettext_lazy("every second week")),
    (3, gettext_lazy("every third week")),
    (4, gettext_lazy("every fourth week")),
]


class PlanForm(forms.Form):
    """The evenings of a season that has this `span` of days; without a first one there are none.

    The days are shown before they are made: `is_seen` is False until they have been, and as they are now.
    """

    first = day_field(
        gettext_lazy("First evening"), required=False,
        help_text=gettext_lazy(
            "Evenings are then set up on this weekday until the season’s last day. Empty: none are set up."
        ),
    )  # fmt: skip
    every = forms.TypedChoiceField(label=gettext_lazy("Repeats"), choices=EVERY, coerce=int, required=False)
    evening = NameField(
        label=gettext_lazy("Name of the evenings"), max_length=110, required=False,
        initial=gettext_lazy("Club evening 1"),
        help_text=gettext_lazy("A number at the end goes up by one for each evening."),
    )  # fmt: skip
    begins_at = forms.TimeField(
        label=gettext_lazy("Begins at"), required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        input_formats=["%H:%M", "%H.%M", "%H", "%H:%M:%S"],
        error_messages={"invalid": gettext_lazy("Type a time like 19:00.")},
    )  # fmt: skip
    place = forms.CharField(label=gettext_lazy("Venue"), max_length=120, required=False)
    entry_fee = KronerField(label=gettext_lazy("Entry fee per player, in kroner"), most=10_000_000)
    hosts: forms.ModelMultipleChoiceField = forms.ModelMultipleChoiceField(
        Club.objects.none(), label=gettext_lazy("Hosts, in turn"), required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("If you choose none, the union hosts all evenings."),
    )  # fmt: skip
    like: forms.ModelChoiceField[Tournament] = forms.ModelChoiceField(
        Tournament.objects.none(), label=gettext_lazy("Rules, rounds and deals as at"), required=False,
        empty_label=gettext_lazy("the standard settings"),
    )  # fmt: skip

    def __init__(self, sent: QueryDict | None, *, club: Club, span: tuple[date, date] | None) -> None:
        super().__init__(sent)
        self.club, self.span = club, span
        self.days: list[PlannedEvening] = []
        given = Club.objects.filter(pk__in=clubs_in(club, gives=Gives.EVERYTHING))
        if given.exists():
            field_of(self, "hosts").queryset = given.order_by("name")
        else:
            del self.fields["hosts"]
        newest = Tournament.objects.filter(host=club).order_by("-date", "-pk")
        keys = newest.values_list("pk", flat=True)[:LIKE_OFFERED]
        field_of(self, "like").queryset = newest.filter(pk__in=list(keys))
        field_of(self, "like").label_from_instance = lambda one: f"{one.name}, {one.date}"

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        first = data.get("first")
        if first is None or self.span is None:
            return data
        starts, until = self.span
        if not data.get("evening"):
            self.add_error("evening", _("What are the evenings called?"))
        weeks = data.get("every") or 1
        if not starts <= first <= until:
            self.add_error("first", _("This is not a day of the season."))
        elif how_many(first, weeks, until) > MOST_EVENINGS:
            self.add_error(
                "first",
                _("These are %(count)d evenings; at most %(most)d can be created at once.")
                % {"count": how_many(first, weeks, until), "most": MOST_EVENINGS},
            )
        else:
            hosts = list(data.get("hosts") or []) or [self.club]
            self.days = plan_evenings(self.club, hosts, first, weeks, until)
        return data

    @property
    def days_digest(self) -> str:
        """A digest of the days and their notes, submitted with the form."""
        shown = [(one.day, one.host.pk, one.holiday, one.clashes) for one in self.days]
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]

    @property
    def is_seen(self) -> bool:
        return self.data.get("plan_seen") == self.days_digest

    @property
    def rows(self) -> list[tuple[PlannedEvening, bool]]:
        """The days, each with whether it is ticked: as sent if they were seen, else where nothing speaks against it."""
        sent: Any = self.data
        ticked = set(sent.getlist("plan_day")) if self.is_bound and self.is_seen else None
        return [(one, one.is_free if ticked is None else one.day.isoformat() in ticked) for one in self.days]

    @property
    def chosen(self) -> list[PlannedEvening]:
        return [one for one, is_ticked in self.rows if is_ticked]

    def values(self) -> dict[str, Any]:
        """The values that all evenings share."""
        data = self.cleaned_data
        common = {name: data[name] for name in ("begins_at", "place", "entry_fee")}
        return common | {"name": data["evening"]}

    def check_seen(self) -> bool:
        """Whether the days can be created: unchanged since they were shown, at least one ticked; else adds an error."""
        if not self.days:
            return True
        if not self.is_seen:
            self.add_error(None, _("Check the dates below; those ticked are set up when you save again."))
        elif not self.chosen:
            self.add_error(None, _("Tick at least one date, or clear the first evening."))
        return not self.errors


# A season's rule, its evenings and its awards.

MOST_POINTS, MOST_PLACES = 1000, 100
YEARS = range(2000, 2100)  # anything else is a slip of the keyboard


class PointsField(forms.CharField):
    """Points by place as whole numbers with separators; they must not increase."""

    def prepare_value(self, value: object) -> object:
        return " ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: object) -> list[int]:
        typed = super().clean(value)
        if re.search(r"[^0-9\s,;.+]", typed) or re.search(r"[0-9]{5}", typed):
            raise ValidationError(
                _("Type the points for first place, second place and so on, such as 10 8 6 5.")
            )
        # "9,5" may be nine and a half, and is never guessed at.
        if re.search("[0-9][,.][0-9]", typed):
            raise ValidationError(_("Type whole numbers with spaces between them, such as 10 8 6 5."))
        points = [int(number) for number in re.findall("[0-9]+", typed)]
        if len(points) > MOST_PLACES or any(point > MOST_POINTS for point in points):
            raise ValidationError(
                _("At most %(places)d places of at most %(points)d points.")
                % {"places": MOST_PLACES, "points": MOST_POINTS}
            )
        if points != sorted(points, reverse=True):
            raise ValidationError(_("Points must not increase from one place to the next."))
        return points


class SeasonForm(SeenForm, forms.ModelForm):
    """A season of a club, and by which rule it counts."""

    name = NameField(label=gettext_lazy("Name"), max_length=120)
    starts = day_field(gettext_lazy("First day"))
    ends = day_field(gettext_lazy("Last day"))
    best_of = whole_number(
        gettext_lazy("Evenings that count"), 0, MOST_COUNTED, 0,
        gettext_lazy("Only this many of a player’s best evenings count. 0: all count."),
    )  # fmt: skip
    least_evenings = whole_number(
        gettext_lazy("Minimum number of evenings"), 0, MOST_COUNTED, 0,
        gettext_lazy("Players with fewer are listed below the ladder without a place. 0: no limit."),
    )  # fmt: skip
    least_deals = whole_number(
        gettext_lazy("Minimum number of deals"), 0, 100_000, 0,
        gettext_lazy("The same, counted in deals the player was dealt. 0: no limit."),
    )  # fmt: skip
    place_points = PointsField(
        label=gettext_lazy("Points by place"), required=False,
        help_text=gettext_lazy("For points by place: those for first place, second place and so on."),
    )  # fmt: skip

    class Meta:
        model = Season
        fields = (
            "name", "starts", "ends", "rule", "best_of", "least_evenings", "least_deals", "place_points",
            "breaks_ties", "counts_withdrawn", "with_guests",
        )  # fmt: skip
        widgets = {"rule": forms.RadioSelect}
        labels = {
            "rule": gettext_lazy("What counts"),
            "breaks_ties": gettext_lazy("Ties are broken by the best evening, then the next best and so on"),
            "counts_withdrawn": gettext_lazy("An evening counts even if the player left early"),
            "with_guests": gettext_lazy("Guests, who play for no club, are also in the ladder"),
        }

    def __init__(self, *args: Any, host: Club, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.host = host

    @property
    def is_of_stored(self) -> bool:
        return self.instance.pk is not None

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        twin = Season.objects.filter(host=self.host, name=name).exclude(pk=self.instance.pk)
        if twin.exists():
            raise ValidationError(_("The club already has a season with this name."))
        return name

    def clean_starts(self) -> date:
        return likely(self.cleaned_data["starts"])

    def clean_ends(self) -> date:
        return likely(self.cleaned_data["ends"])

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        starts, ends = data.get("starts"), data.get("ends")
        if starts and ends and ends < starts:
            self.add_error("ends", _("The last date is before the first."))
        if data.get("rule") == Season.Rule.PLACES and "place_points" in data and not data["place_points"]:
            self.add_error(
                "place_points",
                _("Type the points for first place, second place and so on, such as 10 8 6 5."),
            )
        return data


def likely(day: date) -> date:
    if day.year not in YEARS:
        raise ValidationError(_("Check the year again."))
    return day


class AwardForm(forms.Form):
    """A title for a player of the season."""

    title = NameField(
        label=gettext_lazy("Title"), max_length=80,
        help_text=gettext_lazy("For example Klubmester or Jokum."),
    )  # fmt: skip
    player = SoughtField(
        label=gettext_lazy("Goes to"),
        error_messages={"invalid_choice": gettext_lazy("Choose one of the players of the season.")},
    )  # fmt: skip
    words = NameField(label=gettext_lazy("What for (optional)"), max_length=200, required=False)

    def __init__(self, *args: Any, season: Season, rows: Sequence[Placed], **fields: Any) -> None:
        super().__init__(*args, **fields)
        players = AtHand(rows, key=attrgetter("player_id"), label=_placed, number=attrgetter("line.rank"))
        page = reverse("club_season", args=[season.host.slug, season.pk])
        offer(self, {"player": players}, page)

    def clean_player(self) -> int:
        found: Placed = self.cleaned_data["player"]
        return found.player_id


def _placed(row: Placed) -> str:
    return f"{row.line.rank}. {row.name}" if row.line.rank else row.name


HALF_A_YEAR = timedelta(days=182)


SEASONS = Series(
    Season, "season", gettext_lazy("Seasons"), gettext_lazy("New season"),
    about=gettext_lazy(
        "A season combines the club’s evenings into a ladder: the total of a player’s best "
"evenings, the average per deal, or points for places."
    ),
    removing=gettext_lazy("Its evenings remain as they are, each on its own; the ladder and the awards are no "
"longer shown."),
)  # fmt: skip


@club_view(helper=True, officials=kinds_of_season)
@require_safe
def club_season(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """A season's evenings and awards, and the ways to its ladder."""
    season = get_object_or_404(club.seasons, pk=pk)
    table = season_table(season)
    form = AwardForm(season=season, rows=table.rows)
    return found_alone(request, form) or _show_season(request, season, form, table)


def _show_season(
    request: MemberRequest, season: Season, award: AwardForm, table: SeasonTable
) -> HttpResponse:
    return SEASONS.show(
        request,
        "season",
        season.host,
        thing=season,
        season=season,
        said=season_in_words(season),
        evenings=seasons.evenings_for(season),
        awards=awards_of(season, table.names),
        form=award,
        table=table,
        yearbooks=_yearbooks(season),
    )


@club_view(helper=True, officials=kinds_of_season)
@require_safe
def club_season_meetings(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Page of the pairs of players of a season who have not yet met at a table."""
    season = get_object_or_404(club.seasons, pk=pk)
    ladder = season_table(season).rows
    return SEASONS.show(
        request,
        "season_meetings",
        club,
        thing=season,
        rows=meetings_of(season, ladder[:MOST_COMPARED]),
        more=len(ladder) > MOST_COMPARED,
        most=MOST_COMPARED,
    )


def _yearbooks(season: Season) -> list[tuple[Job, bool]]:
    """The stored yearbooks, each with whether it is up to date."""
    made = yearbook.made_of(season)
    return [(job, kind_of(job.kind).version(job) == job.version) for job in made]


@club_view(officials=kinds_of_season)
@require_POST
def club_season_yearbook(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Create the season's yearbook, or redirect to the current one."""
    season = get_object_or_404(club.seasons, pk=pk)
    job = yearbook.ask(season, language=get_language() or "en", account=request.user)
    remember_job(request, job)
    return redirect("desk_job", job.pk)


@club_view()
def club_season_new(request: MemberRequest, club: Club) -> HttpResponse:
    today = timezone.localdate()
    initial = {
        "name": _("Season %(year)d") % {"year": today.year},
        "starts": today,
        "ends": today + HALF_A_YEAR,
    }
    form = SeasonForm(request.POST or None, host=club, instance=Season(host=club, version=0), initial=initial)
    plan = _plan_of(request, form, club)
    if _are_right(form, plan) and (season := _save(request, form, plan)):
        said = (
            _("“%(name)s” has been saved, and its evenings are set up.")
            if plan.days
            else _("“%(name)s” has been saved. Now choose its evenings.")
        )
        messages.success(request, said % {"name": season})
        return redirect("club_season", club.slug, season.pk)
    twin = Season.objects.filter(host=club, name=form.data.get("name", "")).first()
    if twin and list(form.errors) == ["name"] and _just_made(twin, form):
        return redirect("club_season", club.slug, twin.pk)  # a second click
    return SEASONS.show(request, "season_form", club, form=form, plan=plan)


def _plan_of(request: MemberRequest, form: SeasonForm, club: Club) -> PlanForm:
    """The evenings that are set up with a season, in its span of days once that is known."""
    span = (form.cleaned_data["starts"], form.cleaned_data["ends"]) if form.is_valid() else None
    return PlanForm(request.POST or None, club=club, span=span)


def _are_right(form: SeasonForm, plan: PlanForm | None) -> bool:
    return form.is_valid() and (plan is None or (plan.is_valid() and plan.check_seen()))


def _just_made(season: Season, form: SeasonForm) -> bool:
    """Whether the season has exactly the form's values: a double submission."""
    return season.version == 1 and all(
        getattr(season, name) == value for name, value in form.cleaned_data.items() if name != "name"
    )


@club_view(officials=kinds_of_season)
def club_season_edit(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Change a season. Its officials set up no evenings, and do not move the last day: their rights end by it."""
    season = get_object_or_404(club.seasons, pk=pk)
    form = SeasonForm(request.POST or None, host=club, instance=season)
    plan = None
    if may_organise(request.user, club):
        plan = _plan_of(request, form, club)
    else:
        form.fields["ends"].disabled = True
        form.fields["ends"].help_text = _("Ask an organiser of %(club)s to change it.") % {"club": club}
    if _are_right(form, plan) and _save(request, form, plan):
        messages.success(request, _("Saved."))
        return redirect("club_season", club.slug, pk)
    return SEASONS.show(request, "season_form", club, form=form, plan=plan, thing=Season.objects.get(pk=pk))


def _save(request: MemberRequest, form: SeasonForm, plan: PlanForm | None) -> Season | None:
    """Save the season and set up its planned evenings; None with a form error if the name has been taken meanwhile."""
    account, now = request.user, timezone.now()
    try:
        with transaction.atomic():
            season = seasons.store(form.instance, form.cleaned_data, account=account, now=now)
            if plan and plan.days:
                like = plan.cleaned_data["like"]
                make_evenings(season, plan.chosen, plan.values(), like, account=account, now=now)
            return season
    except IntegrityError:
        form.add_error("name", _("The club already has a season with this name."))
        return None


@club_view(officials=kinds_of_season)
@require_POST
def club_season_evenings(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    season = get_object_or_404(club.seasons, pk=pk)
    chosen, seen = request.POST.getlist("evening"), request.POST.getlist("seen")
    step = partial(seasons.choose_evenings, season, chosen, seen=seen)
    return handle_button(
        request, step, _("The evenings of the season have been saved."), "club_season", club.slug, pk
    )


@club_view(officials=kinds_of_season)
@require_POST
def club_season_award(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    season = get_object_or_404(club.seasons, pk=pk)
    table = season_table(season)
    form = AwardForm(request.POST, season=season, rows=table.rows)
    if not form.is_valid():
        return _show_season(request, season, form, table)
    given: dict[str, Any] = form.cleaned_data
    if season.awards.filter(title=given["title"], player=given["player"]).exists():
        return redirect("club_season", club.slug, pk)  # a second click
    step = partial(seasons.give_award, season, **given)
    return handle_button(request, step, _("The award has been saved."), "club_season", club.slug, pk)


@club_view(officials=kinds_of_season)
@require_POST
def club_season_no_award(request: MemberRequest, club: Club, pk: int, award: int) -> HttpResponse:
    found = (
        Award.objects.filter(season__host=club, season=pk, pk=award).select_related("season__host").first()
    )
    if found:
        take_step(request, partial(seasons.take_award_back, found), _("The award has been withdrawn."))
    return redirect("club_season", club.slug, pk)


urlpatterns = [
    *SEASONS.addresses(),
    path("clubs/<slug:slug>/seasons/new/", club_season_new, name="club_season_new"),
    path("clubs/<slug:slug>/seasons/<int:pk>/", club_season, name="club_season"),
    path("clubs/<slug:slug>/seasons/<int:pk>/meetings/", club_season_meetings, name="club_season_meetings"),
    path("clubs/<slug:slug>/seasons/<int:pk>/edit/", club_season_edit, name="club_season_edit"),
    path("clubs/<slug:slug>/seasons/<int:pk>/evenings/", club_season_evenings, name="club_season_evenings"),
    path("clubs/<slug:slug>/seasons/<int:pk>/yearbook/", club_season_yearbook, name="club_season_yearbook"),
    path("clubs/<slug:slug>/seasons/<int:pk>/awards/", club_season_award, name="club_season_award"),
    path(
        "clubs/<slug:slug>/seasons/<int:pk>/awards/<int:award>/delete/",
        club_season_no_award,
        name="club_season_no_award",
    ),
]
