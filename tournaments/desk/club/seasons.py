"""A club's seasons at the desk: made and changed, their evenings chosen, their awards given."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.views.guards import MemberRequest, club_view
from core.http.steps import handle_button, take_step
from core.jobs.kinds import kind_of
from core.jobs.queue import remember
from tournaments.desk.club.seasons_form import AwardForm, SeasonForm
from tournaments.desk.club.series import Series
from tournaments.models import Award, Season
from tournaments.paper import yearbook
from tournaments.seasons import season as seasons
from tournaments.seasons.ladder_table import awards_of, season_table
from tournaments.seasons.season import season_in_words
from tournaments.web.choice_field import found_alone

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Club
    from core.jobs.models import Job

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


@club_view(helper=True)
@require_safe
def club_season(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """A season's evenings and awards, and the ways to its ladder."""
    season = get_object_or_404(club.seasons, pk=pk)
    form = AwardForm(season=season, rows=season_table(season).rows)
    return found_alone(request, form) or _show_season(request, season, form)


def _show_season(request: MemberRequest, season: Season, award: AwardForm) -> HttpResponse:
    table = season_table(season)
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


def _yearbooks(season: Season) -> list[tuple[Job, bool]]:
    """Those that were made and are kept, each with whether nothing has changed since."""
    made = yearbook.made_of(season)
    return [(job, kind_of(job.kind).version(job) == job.version) for job in made]


@club_view()
@require_POST
def club_season_yearbook(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Have the season's yearbook made, or be led to the one that is made of it as it stands."""
    season = get_object_or_404(club.seasons, pk=pk)
    job = yearbook.ask(season, language=get_language() or "en", account=request.user)
    remember(request, job)
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
    if form.is_valid() and (season := _stored(request, form)):
        messages.success(request, _("“%(name)s” has been saved. Now choose its evenings.") % {"name": season})
        return redirect("club_season", club.slug, season.pk)
    twin = Season.objects.filter(host=club, name=form.data.get("name", "")).first()
    if twin and list(form.errors) == ["name"] and _just_made(twin, form):
        return redirect("club_season", club.slug, twin.pk)  # a second click
    return SEASONS.show(request, "season_form", club, form=form)


def _just_made(season: Season, form: SeasonForm) -> bool:
    """Whether a season is what the form asks for, word for word."""
    return season.version == 1 and all(
        getattr(season, name) == value for name, value in form.cleaned_data.items() if name != "name"
    )


@club_view()
def club_season_edit(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    season = get_object_or_404(club.seasons, pk=pk)
    form = SeasonForm(request.POST or None, host=club, instance=season)
    if form.is_valid() and _stored(request, form):
        messages.success(request, _("Saved."))
        return redirect("club_season", club.slug, pk)
    return SEASONS.show(request, "season_form", club, form=form, thing=Season.objects.get(pk=pk))


def _stored(request: MemberRequest, form: SeasonForm) -> Season | None:
    """The season; None where somebody took the name a moment ago, which the form then says."""
    try:
        with transaction.atomic():
            return seasons.store(form.instance, form.cleaned_data, account=request.user, now=timezone.now())
    except IntegrityError:
        form.add_error("name", _("The club already has a season with this name."))
        return None


@club_view()
@require_POST
def club_season_evenings(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    season = get_object_or_404(club.seasons, pk=pk)
    chosen, seen = request.POST.getlist("evening"), request.POST.getlist("seen")
    step = partial(seasons.choose_evenings, season, chosen, seen=seen)
    return handle_button(
        request, step, _("The evenings of the season have been saved."), "club_season", club.slug, pk
    )


@club_view()
@require_POST
def club_season_award(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    season = get_object_or_404(club.seasons, pk=pk)
    form = AwardForm(request.POST, season=season, rows=season_table(season).rows)
    if not form.is_valid():
        return _show_season(request, season, form)
    given: dict[str, Any] = form.cleaned_data
    if season.awards.filter(title=given["title"], player=given["player"]).exists():
        return redirect("club_season", club.slug, pk)  # a second click
    step = partial(seasons.give_award, season, **given)
    return handle_button(request, step, _("The award has been saved."), "club_season", club.slug, pk)


@club_view()
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
