"""The home page, the server's clock, and the web app manifest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.names import shown_order
from clubs.roles import is_union
from tournaments.ledger.queries import progress_of, running_round
from tournaments.lifecycle.fixtures import next_days
from tournaments.lifecycle.money import podiums_from_the_last_deal
from tournaments.models import Tournament
from tournaments.seasons.results import FIRSTS, tell_firsts
from tournaments.standings.players import won_in_words
from tournaments.standings.team_text import places_by_total

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from django.db.models import QuerySet
    from django.http import HttpResponse

    from tournaments.lifecycle.money import Podium


# The front door: which tournaments are played, which are coming, which have been.

# Number of past tournaments shown by default; page size of the full list.
RECENT, ON_A_PAGE = 12, 100
# Players of an evening whose leaders the front door names: counting thousands is for the standings.
MOST_WITH_LEADERS = 400
# So many more evenings whose standings are posted say who won: each is counted for the page.
MOST_WITH_WINNERS = 3
# So long the front door begins with who won, when the standings are final.
TONIGHT = timedelta(hours=12)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    # One tournament of a club, or of a club of the union, is enough: there may be thousands.
    held = Tournament.objects.not_called_off().filter(host=OuterRef("pk"))
    found = past(request, past_tournaments())
    today = timezone.localdate()
    now = now_and_coming(running_tournaments(), coming_tournaments(today), today)
    evenings: list[Tournament] = found["past"]
    context = (
        found
        | now
        | {
            "tonight": None if now["running"] else won_tonight(found["past"]),
            # A club's own stand together.
            "past": sorted(evenings, key=lambda one: shown_order(one.host.name)),
            "clubs_here": with_evenings(
                Club.objects.filter(Exists(held) | is_union()),
                now["coming"],
                # Further pages of the list have older ones.
                [] if "page" in found else found["past"],
            ),
        }
    )
    return render(request, "hall/home.html", context)


@dataclass(frozen=True, slots=True)
class ClubHere:
    """A club with the day of its next evening, and who won its last one; each where the page has it."""

    club: Club
    next_day: date | None
    won: str


def with_evenings(
    clubs: Iterable[Club], coming: Sequence[Tournament], over: Sequence[Tournament]
) -> list[ClubHere]:
    """The clubs with what these evenings, in their order, say of them; no query besides the clubs."""
    # An evening as the club's page means it: the match days of a league are its own.
    next_days = {one.host_id: one.date for one in reversed(coming) if not one.next_day}
    winners = {
        one.host_id: [first.names for first in one.firsts if first.place == 1]
        for one in reversed(over)
        if one.firsts
    }
    return [
        ClubHere(
            club,
            next_days.get(club.pk),
            won_in_words([" / ".join(names) for names in winners.get(club.pk, ())]),
        )
        for club in clubs
    ]


def past(request: HttpRequest, tournaments: QuerySet[Tournament]) -> dict[str, Any]:
    """The newest tournaments as `past`, and whether there are `more`; a page of the full list on request."""
    if "all" in request.GET:
        page = Paginator(tournaments, ON_A_PAGE).get_page(request.GET.get("page"))
        shown = list(page)
        tell_firsts(shown)
        return {"past": shown, "page": page}
    shown = list(tournaments[: RECENT + 1])
    tell_firsts(shown[:RECENT])
    return {"past": shown[:RECENT], "more": len(shown) > RECENT}


def now_and_coming(
    running: Iterable[Tournament], coming: Iterable[Tournament], today: date
) -> dict[str, list[Tournament]]:
    """Running events as `running`; future ones, also leagues between two match days, by day as `coming`."""
    running = list(running)
    days = next_days(running, today)
    for tournament in running:
        tournament.next_day = days.get(tournament.pk)
    between = [one for one in running if one.next_day]
    return {
        "running": played_now(one for one in running if not one.next_day),
        "coming": sorted([*between, *coming], key=lambda one: one.next_day or one.date),
    }


def played_now(tournaments: Iterable[Tournament]) -> list[Tournament]:
    """These, those that are over last and with who won; the first, shown above all others, also with who leads."""
    found = sorted(tournaments, key=lambda tournament: tournament.is_posted)
    for tournament in [one for one in found[1:] if one.is_posted][:MOST_WITH_WINNERS]:
        tournament.now = {"podiums": podiums_of(tournament)}
    for tournament in found[:1]:
        running = running_round(tournament)
        progress = progress_of(running) if running else None
        is_begun = (
            progress.reported or running.number > 1 if progress and running else tournament.rounds.exists()
        )
        few = tournament.entries.count() <= MOST_WITH_LEADERS
        groups, total = places_by_total(tournament) if is_begun and few else ([], None)
        leading = groups[0].rows[:FIRSTS] if groups else []
        tournament.now = {
            "podiums": podiums_from_the_last_deal(tournament) if groups else [],
            "round": running,
            "progress": progress,
            "leading": [(row, total.cell_text(row)) for row in leading] if total else [],
        }
    return found


def won_tonight(newest: Sequence[Tournament]) -> Tournament | None:
    """The newest evening, with its podiums, where it has been final for some hours alone."""
    for tournament in newest[:1]:
        ended = tournament.finished_at
        if ended and timezone.now() - ended < TONIGHT:
            tournament.now = {"podiums": podiums_of(tournament)}
            return tournament if tournament.now["podiums"] else None
    return None


def podiums_of(tournament: Tournament) -> list[Podium]:
    """None of an evening so large that counting it is for its own pages."""
    few = tournament.entries.count() <= MOST_WITH_LEADERS
    return podiums_from_the_last_deal(tournament) if few else []


def running_tournaments() -> QuerySet[Tournament]:
    return _tournaments().filter(state=Tournament.State.RUNNING).order_by("-date", "-pk")


def coming_tournaments(today: date) -> QuerySet[Tournament]:
    """Tournaments being set up for today or later, the nearest first."""
    return _tournaments().filter(state=Tournament.State.SETUP, date__gte=today).order_by("date", "pk")


def past_tournaments() -> QuerySet[Tournament]:
    """Finished ones, the newest first."""
    return _tournaments().filter(state=Tournament.State.FINISHED).order_by("-date", "-pk")


def _tournaments() -> QuerySet[Tournament]:
    return Tournament.objects.not_called_off().select_related("host")


# The time by this machine's clock, from which every screen counts: theirs may be wrong.


@require_safe
def hall_time(_request: HttpRequest) -> HttpResponse:
    """`{"now": milliseconds}`; polled once a minute by screens with a clock."""
    answer = JsonResponse({"now": round(timezone.now().timestamp() * 1000)})
    patch_cache_control(answer, no_store=True)
    return answer


# What a phone needs to put Spadille on its first screen.

ICONS = {"icon-192.png": "192x192", "icon-512.png": "512x512"}
FELT, GROUND = "#14432f", "#f5efe2"  # of static/css/base.css


@require_safe
def manifest(_request: HttpRequest) -> JsonResponse:
    home = reverse("home")
    answer = JsonResponse(
        {
            "name": "Spadille",
            "short_name": "Spadille",
            "description": _("L'Hombre tournaments"),
            "lang": get_language(),
            "start_url": home,
            "scope": home,
            "display": "minimal-ui",
            "theme_color": FELT,
            "background_color": GROUND,
            "icons": [
                {"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
                *(
                    {"src": static(name), "sizes": sizes, "type": "image/png", "purpose": "any maskable"}
                    for name, sizes in ICONS.items()
                ),
            ],
        },
        content_type="application/manifest+json",
    )
    patch_cache_control(answer, public=True, max_age=3600)
    return answer
