"""Shared by the desk's pages of seasons and championships: their lists, removal and restoring."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.views.guards import MemberRequest, club_view
from core.http.steps import take_step
from tournaments.seasons.season import put_back, remove, removed_of
from tournaments.web.confirming import Question, ask_first

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.urls import URLPattern
    from django.utils.functional import _StrPromise

    from clubs.models import Club
    from tournaments.models import Championship, Season


@dataclass(frozen=True, slots=True)
class Series:
    """Texts and names of seasons or championships: `word` is used in URLs and file names."""

    model: type[Season | Championship]
    word: str
    title: _StrPromise
    new: _StrPromise
    about: _StrPromise
    removing: _StrPromise

    @property
    def page(self) -> str:
        """The address' name of one of them; those of its steps begin with it."""
        return f"club_{self.word}"

    def show(self, request: MemberRequest, template: str, club: Club, **context: Any) -> HttpResponse:
        everywhere = {"series": self, "club": club, "organises": request.organises}
        return render(request, f"desk/club/{template}.html", context | everywhere)

    def addresses(self) -> list[URLPattern]:
        """Their list, and the steps that all of them have."""
        all_of_them = f"clubs/<slug:slug>/{self.word}s/"
        one = f"{all_of_them}<int:pk>/"
        return [
            path(all_of_them, _list, {"series": self}, name=f"{self.page}s"),
            path(f"{one}delete/", _delete, {"series": self}, name=f"{self.page}_delete"),
            path(f"{one}put-back/", _put_back, {"series": self}, name=f"{self.page}_put_back"),
        ]

    # For templates, which cannot put names together.

    @property
    def pages(self) -> dict[str, str]:
        steps = {name: f"{self.page}_{name}" for name in ("new", "edit", "delete", "put_back")}
        return steps | {"list": f"{self.page}s", "one": self.page}


@club_view(helper=True)
@require_safe
def _list(request: MemberRequest, club: Club, series: Series) -> HttpResponse:
    there = series.model.objects.filter(host=club)
    return series.show(request, "series_list", club, there=there, removed=removed_of(club, series.model))


@club_view()
def _delete(request: MemberRequest, club: Club, pk: int, series: Series) -> HttpResponse:
    """Confirm, then remove; a second request only learns that it is gone."""
    thing = series.model.objects.filter(host=club, pk=pk).first()
    if thing is None:
        return redirect(series.pages["list"], club.slug)
    asked = Question(
        title=_("Remove “%(name)s”?") % {"name": thing.name},
        does=" ".join([str(series.removing), _("You can restore it.")]),
        button=_("Remove"),
        back=reverse(series.page, args=[club.slug, pk]),
        step=partial(remove, thing),
        message=_("“%(name)s” has been removed. You can restore it below.") % {"name": thing},
        leads_to=reverse(series.pages["list"], args=[club.slug]),
    )
    around = {"base": "desk/club/series_base.html", "series": series, "club": club, "thing": thing}
    return ask_first(request, None, asked, **around, organises=request.organises)


@club_view()
@require_POST
def _put_back(request: MemberRequest, club: Club, pk: int, series: Series) -> HttpResponse:
    thing = get_object_or_404(series.model.with_removed, host=club, pk=pk)
    if thing.is_removed:
        said = _("“%(name)s” has been restored.") % {"name": thing}
        take_step(request, partial(put_back, thing), said)
    there = not thing.is_removed
    return redirect(series.page, club.slug, pk) if there else redirect(series.pages["list"], club.slug)
