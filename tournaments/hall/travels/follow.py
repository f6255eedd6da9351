"""The page on which one takes a club along: into a calendar, a feed reader, a web site, a program, onto a wall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Max, Min, Q
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.serving.addresses import base_url
from tournaments.hall.club import find_club
from tournaments.hall.travels.embeds import FRAME_HEIGHT, ROW_HEIGHT, ROWS, THEMES, USUAL_ROWS, line_for
from tournaments.models import Season, Tournament
from tournaments.paper.notices import poster_pdf
from tournaments.people import visibility

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from clubs.models import Club

# So many seasons can be chosen, and so many years are listed.
MOST_SEASONS, MOST_YEARS = 12, 30
NAMES = (gettext_lazy("as the device has it"), gettext_lazy("light"), gettext_lazy("dark"))


class EmbedForm(forms.Form):
    """What is to stand in another page, and how."""

    what = forms.ChoiceField(label=gettext_lazy("What is shown"), required=False)
    rows = forms.TypedChoiceField(
        label=gettext_lazy("Places at most"),
        choices=[(rows, str(rows)) for rows in ROWS],
        coerce=int,
        initial=USUAL_ROWS,
    )
    theme = forms.ChoiceField(
        label=gettext_lazy("Colours"), choices=list(zip(THEMES, NAMES, strict=True)), required=False
    )

    def __init__(self, *args: Any, seasons: Sequence[Season], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["what"].choices = [  # type: ignore[attr-defined]
            ("", _("what is played now, otherwise what was played last")),
            *((str(season.pk), season.name) for season in seasons),
        ]


@require_safe
def hall_follow(request: HttpRequest, slug: str) -> HttpResponse:
    club, base, language = find_club(slug), base_url(request), f"?l={get_language()}"
    seasons = list(_seasons(club))
    calendar = f"{base}{reverse('hall_calendar', args=[club.slug])}{language}"
    form = EmbedForm(request.GET if "rows" in request.GET else None, seasons=seasons)
    context = {
        "club": club,
        "calendar": calendar,
        "webcal": "webcal" + calendar.removeprefix("https").removeprefix("http"),
        "feed": f"{base}{reverse('hall_feed', args=[club.slug])}{language}",
        "form": form,
        **_embedded(club, form, base),
        "seasons": [season for season in seasons if season.host_id == club.pk],
        "years": _years(club),
        "is_whole_years": club.statistics != club.Statistics.NOWHERE,
    }
    return render(request, "hall/follow.html", context)


def _embedded(club: Club, form: EmbedForm, base: str) -> dict[str, Any]:
    """The line to copy, and what shows here how it will look."""
    chosen = form.cleaned_data if form.is_bound and form.is_valid() else {}
    season, rows = chosen.get("what", ""), chosen.get("rows", USUAL_ROWS)
    theme = chosen.get("theme") or THEMES[0]
    at = (
        reverse("hall_season_embed", args=[season])
        if season
        else reverse("hall_club_embed", args=[club.slug])
    )
    return {
        "line": line_for(base + at, str(club), rows=rows, theme=theme),
        "shown_at": f"{at}?l={get_language()}&rows={rows}&theme={theme}",
        "height": FRAME_HEIGHT + rows * ROW_HEIGHT,
    }


def _seasons(club: Club) -> Any:
    """The newest of the club's seasons that have begun, and of its union's."""
    around = Q(host=club) | Q(host=club.union_id) if club.union_id else Q(host=club)
    begun = Season.objects.filter(around, starts__lte=timezone.localdate())
    return begun.select_related("host")[:MOST_SEASONS]


def _years(club: Club) -> list[int]:
    """The years of which there are results, the newest first."""
    over = (
        visibility.evenings(club).filter(state=Tournament.State.FINISHED).aggregate(Min("date"), Max("date"))
    )
    first, last = over["date__min"], over["date__max"]
    return [*range(last.year, first.year - 1, -1)][:MOST_YEARS] if last else []


@a_pdf
@require_safe
def hall_poster(request: HttpRequest, slug: str) -> HttpResponse:
    club, base = find_club(slug), base_url(request)
    page, follow = (base + reverse(name, args=[club.slug]) for name in ("hall_club", "hall_follow"))
    return pdf_answer(
        request,
        lambda: poster_pdf(club, page, follow, **for_visitor(request)),
        club,
        _("Poster"),
        instead=reverse("hall_follow", args=[club.slug]),
    )
