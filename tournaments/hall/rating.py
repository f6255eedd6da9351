"""Ratings in the hall: a club's list, and a player's curve, which the player's page fetches."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.domain.terms import people
from tournaments.hall.about import render_page
from tournaments.hall.charts import Curve, curve
from tournaments.hall.club import find_club, leaders_of_ratings
from tournaments.hall.live import HallRequest, find_tournament, player_pages
from tournaments.models import Entry
from tournaments.people import visibility
from tournaments.seasons.rating import FIRST, SCALE, Known
from tournaments.seasons.ratings import (
    LEAST_TABLES,
    Listed,
    Point,
    around,
    rating_list,
    rating_of,
    refresh_ratings,
    version_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from django.http import HttpRequest, HttpResponse

    from clubs.models import Club

# Example that explains ratings: two players so far apart, after so many deals by the union's rules, where a player's
# tokens in a deal have this standard deviation.
APART, USUAL_DEALS, USUAL_SPREAD = 100, 40, 2.9


@require_safe
def hall_rating(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of a club that shows it."""
    club = find_club(slug)
    if not club.shows_rating:
        raise Http404
    whole = around(club)
    recount_since = refresh_ratings(whole)
    rows, clubs = _rows(club, whole)
    names, points = leaders_of_ratings(club, timezone.localdate())
    lead = ngettext(
        "%(names)s leads with %(total)s.", "%(names)s share the lead with %(total)s.", len(names)
    ) % {"names": people(names), "total": points}
    context = {
        "club": club,
        "first_said": lead if names else "",
        "recount_since": recount_since,
        "rows": rows,
        "clubs": clubs,
        "around": whole,
        "first": FIRST,
        "least": LEAST_TABLES,
        "behind": APART,
        "tokens": round(APART / SCALE * USUAL_SPREAD * USUAL_DEALS),
        "deals": USUAL_DEALS,
        "first_give_or_take": Known().give_or_take,
    }
    return render_page(request, "hall/rating.html", context, may_be_found=visibility.may_club_be_found(club))


def _rows(club: Club, whole: Club) -> tuple[SafeString, bool]:
    """The rows of a club's list, and whether they say of which club each is; written once until something changes."""
    today = timezone.localdate()
    # Who is away, and how sure a rating is, changes with the day.
    key, version = f"rating:{club.pk}:{get_language()}", (today, version_of(whole))
    kept: tuple[object, SafeString, bool] | None = cache.get(key)
    if kept is None or kept[0] != version:
        listed = rating_list(club, today)
        clubs = len({line.club for line in listed}) > 1
        kept = version, mark_safe("".join(_row(line, clubs=clubs) for line in listed)), clubs  # noqa: S308 - escaped
        cache.set(key, kept, 24 * 3600)
    return kept[1], kept[2]


BEHIND = ' class="behind"'


@lru_cache(maxsize=4096)
def _format_day(day: date, language: str | None) -> str:
    """Render “not played since …” in the active language; cached, since many have the same day."""
    del language
    return escape(_("not played since %(day)s") % {"day": date_format(day, "DATE_FORMAT")})


def _row(line: Listed, *, clubs: bool) -> str:
    page = player_pages("hall_player_rating")(line.code, line.number)
    of_club = f'<td class="words minor">{escape(line.club)}</td>' if clubs else ""
    give_or_take = f"± {line.rated.give_or_take}"
    away = "" if line.place or line.rated.day is None else _format_day(line.rated.day, get_language())
    under = " · ".join(filter(None, [away, give_or_take, escape(line.club) if clubs else ""]))
    since = f'<small class="minor since">{away}</small>' if away else ""
    return (
        f'<tr{"" if line.place else BEHIND}><td class="rank">{line.place or "–"}</td>'
        f'<th scope="row" class="name"><a href="{page}">{escape(line.name)}</a>{since}'
        f'<small class="under">{under}</small></th>'
        f'<td class="total">{line.rated.points}</td><td class="minor">{give_or_take}</td>'
        f"<td>{line.rated.tables}</td>{of_club}</tr>\n"
    )


@require_safe
def hall_player_rating(request: HallRequest, code: str, number: int) -> HttpResponse:
    """A player's curve: to a script a part of the player's page, else a page of its own."""
    tournament = find_tournament(code)
    entries = Entry.objects.select_related("player", "club", "tournament__host")
    entry = get_object_or_404(entries, tournament=tournament, number=number)
    rated = rating_of(entry)
    history = rated.history if rated else []
    unsure = [Known().give_or_take, *(after.give_or_take for after in history)]
    context = {
        "tournament": tournament,
        "entry": entry,
        "rated": rated.now if rated else None,
        "is_away": rated is not None and rated.is_away,
        "recount_since": rated.recount_since if rated else None,
        "curve": rating_curve(history, unsure) if history else None,
        "days": [after.day for after in history],
        "first": FIRST,
        "least": LEAST_TABLES,
        "club": entry.club or tournament.host,
    }
    page = "hall/player_rating.html#rating" if request.htmx else "hall/player_rating.html"
    return render_page(request, page, context, may_be_found=visibility.may_be_found(entry.player))


def rating_curve(history: Sequence[Point], unsure: Sequence[int] = ()) -> Curve:
    """The curve of a rating after each tournament, from where everyone starts; `unsure` as `curve` takes it."""
    points = [FIRST, *(after.points for after in history)]
    return curve(points, [(1, len(history))], zero=FIRST, either_way=unsure)
