"""The booklet of a season's deals at the desk: chosen by the program, dropped and commented by an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.db import transaction
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.views.guards import MemberRequest, club_view
from core.jobs.queue import remember_job
from tournaments.changes.permissions import kinds_of_season
from tournaments.desk.club.seasons import SEASONS
from tournaments.ledger.queries import rulebook_of
from tournaments.models import SeasonDeal
from tournaments.seasons import deals
from tournaments.seasons.deals import editable_deals, evenings_of, has_deals, reason_text

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Club


MOST_LINES = 8


class DealForm(forms.ModelForm):
    """An editor's comment on a deal, and whether it is dropped."""

    class Meta:
        model = SeasonDeal
        fields = ("is_dropped", "comment")
        widgets = {"comment": forms.Textarea(attrs={"rows": 3, "maxlength": 500})}

    def clean_comment(self) -> str:
        """The comment, with as many lines as its page in the booklet has room for."""
        comment: str = self.cleaned_data["comment"].replace("\r\n", "\n").strip()
        if comment.count("\n") >= MOST_LINES:
            raise forms.ValidationError(_("Write at most %(lines)d lines."), params={"lines": MOST_LINES})
        return comment

    @property
    def reason(self) -> str:
        return reason_text(rulebook_of(self.instance.tournament), self.instance)


@club_view(officials=kinds_of_season)
def club_season_deals(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """The deals that were chosen; a POST stores what is left out, and the comments."""
    season = get_object_or_404(club.seasons, pk=pk)
    data = request.POST if request.method == "POST" else None
    rows = [DealForm(data, instance=row, prefix=f"deal-{row.pk}") for row in editable_deals(season)]
    is_valid = [form.is_valid() for form in rows]  # each is to show its own errors
    if data is not None and all(is_valid):
        with transaction.atomic():
            for form in rows:
                # A deal that this page did not show has been chosen meanwhile.
                if form.has_changed() and f"{form.prefix}-shown" in data:
                    form.save()
        messages.success(request, _("Saved."))
        return redirect("club_season_deals", club.slug, season.pk)
    context = {
        "club": club,
        "organises": request.organises,
        "series": SEASONS,
        "thing": season,
        "season": season,
        "forms": rows,
        "has_evenings": bool(evenings_of(season)),
        "is_shown": has_deals(season),
    }
    return render(request, "desk/club/season_deals.html", context)


@club_view(officials=kinds_of_season)
@require_POST
def club_season_deals_choose(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Have the season's deals chosen by the program."""
    season = get_object_or_404(club.seasons, pk=pk)
    job = deals.ask(season, account=request.user)
    remember_job(request, job)
    return redirect("desk_job", job.pk)


SEASON = "clubs/<slug:slug>/seasons/<int:pk>/"
urlpatterns = [
    path(f"{SEASON}deals/", club_season_deals, name="club_season_deals"),
    path(f"{SEASON}deals/choose/", club_season_deals_choose, name="club_season_deals_choose"),
]
