"""Standings embedded in other sites, and the page on following a club."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from csp.decorators import csp_replace
from django import forms
from django.core.cache import cache
from django.db.models import Max, Min, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from clubs.register_models import unions_with
from core.forms import field_of
from core.http.responses import HTML
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.serving.addresses import base_url
from tournaments.hall.club import find_club, tournaments_of
from tournaments.hall.feeds import in_its_language, so_many_a_minute, unless_known
from tournaments.hall.live import find_tournament
from tournaments.hall.seasons import amount, find_season
from tournaments.models import Season, Tournament
from tournaments.paper.notices import poster_pdf
from tournaments.people import visibility
from tournaments.seasons.ladder_table import Asked, season_part
from tournaments.standings.team_text import places_by_total

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from django.utils.safestring import SafeString

    from clubs.models import Club


# Standings as a small page to embed in other web sites; the only pages that may be framed.
#
# `line_for` gives the HTML to copy. Such a page runs no script, sets no cookie, and has rows of fixed height;
# standings are computed once for all viewers, and reloaded while they change.

ROWS, USUAL_ROWS = (5, 10, 20, 50), 10
THEMES = ("auto", "light", "dark")
# In CSS pixels, as static/css/embed.css has them: all but the rows, and one of them.
FRAME_HEIGHT, ROW_HEIGHT = 124, 32
KEPT = 3600  # seconds; the cached value has its own validity
# Reload interval while it changes.
AGAIN = 60  # seconds


class Row(NamedTuple):
    """A place; or, without one, the name of a division."""

    place: str
    name: str
    total: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The embedded table, with the maximum number of rows. `address` is the full page, `note` the text below."""

    title: str
    said: str
    rows: tuple[Row, ...]
    address: str
    note: str = ""
    changes: bool = False


def _to_stand_elsewhere(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Allow other sites to embed this view's response in a frame; the rest of the content security policy stays."""

    framed = csp_replace({"frame-ancestors": ["*"]})(so_many_a_minute("embed")(view))
    return require_safe(xframe_options_exempt(framed))


@_to_stand_elsewhere
def hall_embed(request: HttpRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    return _answer(request, tournament.host, lambda: _of_evening(tournament))


@_to_stand_elsewhere
def hall_season_embed(request: HttpRequest, pk: int) -> HttpResponseBase:
    season = find_season(pk)
    return _answer(request, season.host, lambda: _of_season(season))


@_to_stand_elsewhere
def hall_club_embed(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Embedded page: the current event, else the last one, with the next evening."""
    club = find_club(slug)
    return _answer(request, club, lambda: _of_club(club))


def _answer(request: HttpRequest, club: Club, standing: Callable[[], Standing]) -> HttpResponseBase:
    asked = request.GET
    rows = next((rows for rows in ROWS if str(rows) == asked.get("rows")), USUAL_ROWS)
    with in_its_language(request, club):
        shown = standing()
        context = {
            "shown": shown,
            "rows": shown.rows[:rows],
            "theme": asked["theme"] if asked.get("theme") in THEMES else THEMES[0],
            "again": AGAIN if shown.changes and asked.get("live") != "0" else None,
        }
        page = render_to_string("hall/embed.html", context).encode()
    return unless_known(request, lambda: HttpResponse(page, content_type=HTML), page, None)


def _of_evening(tournament: Tournament) -> Standing:
    key = f"embed:{tournament.pk}:{get_language()}"
    kept: tuple[int, Standing] | None = cache.get(key)
    if kept is None or kept[0] != tournament.version:
        kept = tournament.version, _load_standing(tournament)
        cache.set(key, kept, KEPT)
    return kept[1]


def _load_standing(tournament: Tournament) -> Standing:
    rows: tuple[Row, ...] = ()
    if tournament.is_called_off:
        said = _("This tournament has been called off.")
    else:
        groups, total = places_by_total(tournament)
        named = [
            (
                group.name,
                [Row(_place(row.rank, shared=row.shared), row.name, total.cell_text(row)) for row in played],
            )
            for group in groups
            if (played := [row for row in group.rows if row.played])
        ]
        rows, said = _in_one(named), _state(tournament)
    when = date_format(tournament.date, "DATE_FORMAT")
    return Standing(
        tournament.name,
        f"{when} · {said}",
        rows,
        tournament.get_absolute_url(),
        changes=tournament.is_running,
    )


def _state(tournament: Tournament) -> str:
    if tournament.is_posted:
        return _("provisional until %(time)s") % {"time": tournament.provisional_until}
    return str(tournament.get_state_display())


def _place(rank: int, *, shared: bool) -> str:
    return f"{rank}{'=' if shared else ''}"


def _in_one(groups: Iterable[tuple[str, list[Row]]]) -> tuple[Row, ...]:
    """Divisions one below the other, each below its name."""
    found = [row for name, rows in groups for row in ([Row("", name, "")] if name else []) + rows]
    return tuple(found[: max(ROWS)])


def _of_season(season: Season) -> Standing:
    part = season_part(season, Asked())
    rows = [
        Row(_place(row.line.rank, shared=row.line.shared), row.name, amount(row.line.total, season))
        for row in part.rows[: max(ROWS)]
        if row.line.rank
    ]
    days = f"{date_format(season.starts, 'DATE_FORMAT')} – {date_format(season.ends, 'DATE_FORMAT')}"
    return Standing(
        f"{season.name} · {season.host}",
        days,
        tuple(rows),
        season.get_absolute_url(),
        changes=part.provisional,
    )


def _of_club(club: Club) -> Standing:
    held, today = tournaments_of(club), timezone.localdate()
    running = held.filter(state=Tournament.State.RUNNING).order_by("-date", "-pk").first()
    last = running or held.filter(state=Tournament.State.FINISHED).order_by("-date", "-pk").first()
    coming = held.filter(state=Tournament.State.SETUP, date__gte=today).order_by("date", "pk").first()
    note = ""
    if coming:
        when = date_format(coming.date, "DATE_FORMAT")
        note = _("Next: %(evening)s, %(day)s") % {"evening": coming.name, "day": when}
    shown = _of_evening(last) if last else Standing(str(club), "", (), "")
    address = shown.address or reverse("hall_club", args=[club.slug])
    return Standing(shown.title, shown.said, shown.rows, address, note, shown.changes)


def line_for(address: str, title: str, *, rows: int = USUAL_ROWS, theme: str = THEMES[0]) -> SafeString:
    """HTML for embedding the table at an absolute URL, in the reader's language."""
    asked = urlencode({"l": get_language(), "rows": rows, "theme": theme})
    return format_html(
        '<iframe src="{}?{}" title="{}" width="100%" height="{}" style="border:0" loading="lazy"></iframe>',
        address, asked, title, FRAME_HEIGHT + rows * ROW_HEIGHT,
    )  # fmt: skip


# The page on which one takes a club along: into a calendar, a feed reader, a web site, a program, onto a wall.

# So many seasons can be chosen, and so many years are listed.
MOST_SEASONS, MOST_YEARS = 12, 30
NAMES = (gettext_lazy("as set on the device"), gettext_lazy("light"), gettext_lazy("dark"))


class EmbedForm(forms.Form):
    """The form of the parts and the look of an embedded page."""

    what = forms.ChoiceField(label=gettext_lazy("What is shown"), required=False)
    rows = forms.TypedChoiceField(
        label=gettext_lazy("Maximum number of places"),
        choices=[(rows, str(rows)) for rows in ROWS],
        coerce=int,
        initial=USUAL_ROWS,
    )
    theme = forms.ChoiceField(
        label=gettext_lazy("Colours"), choices=list(zip(THEMES, NAMES, strict=True)), required=False
    )

    def __init__(self, *args: Any, seasons: Sequence[Season], **options: Any) -> None:
        super().__init__(*args, **options)
        field_of(self, "what").choices = [
            ("", _("what is being played now, otherwise the last evening")),
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
    """The newest of the club's seasons that have begun, and of its unions'."""
    around = Q(host=club) | Q(host__in=unions_with(club))
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
