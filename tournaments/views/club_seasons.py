"""A club's seasons at the desk: made and changed, their evenings chosen, their awards given."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.views.guards import MemberRequest, club_view
from tournaments import seasons
from tournaments.forms.seasons import AwardForm, SeasonForm
from tournaments.in_words.seasons import season_in_words
from tournaments.models import Award, Season
from tournaments.views.taking_steps import taken

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Club

HALF_A_YEAR = timedelta(days=182)


@club_view(helper=True)
@require_safe
def club_seasons(request: MemberRequest, club: Club) -> HttpResponse:
    return _show(request, "list", club, seasons=club.seasons.all())


@club_view(helper=True)
@require_safe
def club_season(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """A season's evenings and awards, and the ways to its ladder."""
    season = get_object_or_404(club.seasons, pk=pk)
    return _show_season(request, season, AwardForm(rows=seasons.season_table(season).rows))


def _show_season(request: MemberRequest, season: Season, award: AwardForm) -> HttpResponse:
    table = seasons.season_table(season)
    return _show(
        request,
        "season",
        season.host,
        season=season,
        said=season_in_words(season),
        evenings=seasons.evenings_for(season),
        awards=seasons.awards_of(season, table),
        form=award,
        table=table,
    )


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
        messages.success(request, _("“%(name)s” is stored. Now choose its evenings.") % {"name": season})
        return redirect("club_season", club.slug, season.pk)
    twin = Season.objects.filter(host=club, name=form.data.get("name", "")).first()
    if twin and list(form.errors) == ["name"] and _just_made(twin, form):
        return redirect("club_season", club.slug, twin.pk)  # a second click
    return _show(request, "form", club, form=form)


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
    return _show(request, "form", club, form=form, season=Season.objects.get(pk=pk))


def _stored(request: MemberRequest, form: SeasonForm) -> Season | None:
    """The season; None where somebody took the name a moment ago, which the form then says."""
    try:
        with transaction.atomic():
            return seasons.store(form.instance, form.cleaned_data, request.user)
    except IntegrityError:
        form.add_error("name", _("The club has another season of this name."))
        return None


@club_view()
def club_season_delete(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Ask back, then remove; whoever comes second is told nothing but that it is gone."""
    season = club.seasons.filter(pk=pk).first()
    if request.method != "POST" and season:
        return _show(request, "delete", club, season=season)
    if season:
        seasons.remove(season, request.user)
        messages.success(request, _("“%(name)s” is removed.") % {"name": season})
    return redirect("club_seasons", club.slug)


@club_view()
@require_POST
def club_season_evenings(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    season = get_object_or_404(club.seasons, pk=pk)
    chosen = request.POST.getlist("evening")
    taken(
        request,
        lambda: seasons.choose_evenings(season, chosen, request.user),
        _("The evenings of the season are stored."),
    )
    return redirect("club_season", club.slug, pk)


@club_view()
@require_POST
def club_season_award(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    season = get_object_or_404(club.seasons, pk=pk)
    form = AwardForm(request.POST, rows=seasons.season_table(season).rows)
    if not form.is_valid():
        return _show_season(request, season, form)
    given: dict[str, Any] = form.cleaned_data
    if season.awards.filter(title=given["title"], player=given["player"]).exists():
        return redirect("club_season", club.slug, pk)  # a second click
    taken(
        request,
        lambda: seasons.give_award(season, given["title"], given["player"], given["words"], request.user),
        _("The award is stored."),
    )
    return redirect("club_season", club.slug, pk)


@club_view()
@require_POST
def club_season_no_award(request: MemberRequest, club: Club, pk: int, award: int) -> HttpResponse:
    found = (
        Award.objects.filter(season__host=club, season=pk, pk=award).select_related("season__host").first()
    )
    if found:
        seasons.take_award_back(found, request.user)
        messages.success(request, _("The award is taken back."))
    return redirect("club_season", club.slug, pk)


def _show(request: MemberRequest, page: str, club: Club, **context: Any) -> HttpResponse:
    return render(
        request, f"clubs/seasons_{page}.html", context | {"club": club, "organises": request.organises}
    )


urlpatterns = [
    path("clubs/<slug:slug>/seasons/", club_seasons, name="club_seasons"),
    path("clubs/<slug:slug>/seasons/new/", club_season_new, name="club_season_new"),
    path("clubs/<slug:slug>/seasons/<int:pk>/", club_season, name="club_season"),
    path("clubs/<slug:slug>/seasons/<int:pk>/edit/", club_season_edit, name="club_season_edit"),
    path("clubs/<slug:slug>/seasons/<int:pk>/delete/", club_season_delete, name="club_season_delete"),
    path("clubs/<slug:slug>/seasons/<int:pk>/evenings/", club_season_evenings, name="club_season_evenings"),
    path("clubs/<slug:slug>/seasons/<int:pk>/awards/", club_season_award, name="club_season_award"),
    path(
        "clubs/<slug:slug>/seasons/<int:pk>/awards/<int:award>/delete/",
        club_season_no_award,
        name="club_season_no_award",
    ),
]
