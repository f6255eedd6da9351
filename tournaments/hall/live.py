"""Live pages: their version, and the pages of players who play now."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from core.caching import memoize
from core.serving.streams import with_sum
from core.sql import prepared_query
from tournaments.changes.versions import OWN, PAGE, TOLD, mark_shared
from tournaments.models import Tournament
from tournaments.people.visibility import may_be_found
from tournaments.web.guards import number_in

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django_htmx.middleware import HtmxDetails

    from clubs.models import Player


# Live pages: the changing part of each is rendered once per version of the tournament, and cached.
#
# A page is a frame and a live part. The browser polls the version or hears of it by an event (static/js/live.js), and
# reloads the part from the page's own URL when it has risen. The part comes from the cache, if necessary after
# waiting for another process that is rendering it; an unchanged one is a 304.

MOMENT, PATIENCE = 0.01, 2  # polling interval and timeout in seconds, while another process renders the same
Context = Callable[[], dict[str, Any]]
Drawn = tuple[int, str]  # a version, and the part as it was then


class HallRequest(HttpRequest):
    """A request to a page of the hall; `htmx` (django-htmx) is true if only a part is requested."""

    htmx: HtmxDetails


def find_tournament(code: str) -> Tournament:
    """The tournament of a code as typed off paper, in either case."""
    code = code.upper()
    return memoize(("tournament", code), lambda: _by_code.or_404(code))


@prepared_query
def _by_code(code: str) -> QuerySet[Tournament]:
    return Tournament.objects.select_related("host").filter(code=code)


@require_safe
def hall_version(request: HttpRequest, code: str) -> HttpResponse:
    """The tournament's version, polled by every phone in the hall.

    A client that has seen a newer one was served by a process that knew of it earlier.
    """
    try:
        tournament, newest = Tournament.objects.values_list("pk", "version").get(code=code)
    except Tournament.DoesNotExist:
        raise Http404 from None
    version = request.META.get(TOLD) or newest
    answer = JsonResponse({"version": version})
    patch_cache_control(answer, no_store=True)
    mark_shared(answer, tournament, version)
    return answer


@require_safe
def hall_events(_request: HttpRequest, code: str) -> HttpResponse:
    """Empty response, which ends an EventSource: events are served by the ASGI server (`core.serving.streams`)."""
    del code
    return HttpResponse(status=204)


def live_page(  # noqa: PLR0913 - what a page hangs on, all but four with a default
    request: HallRequest,
    tournament: Tournament,
    page: str,
    context: Context,
    *,
    part: str = "",
    besides: str = "",
    keep: bool = True,
    everybodys: bool = True,
    query: str = "",
    **frame: object,
) -> HttpResponseBase:
    """Render the page `hall/<page>.html`; for htmx its live part alone, the template's block `live`.

    `context` is called only if the part must be rendered. `part` distinguishes pages of one kind, such as those of
    two tables. `besides` are dependencies apart from the tournament's version, with their current values: such a
    page is checked on each request. Without `keep` the part is rendered for every visitor. `frame` is the context
    of the page around it, shared by all, unless it depends on more than version, language and URL. `query` (with
    its question mark) belongs to the part's URL for everyone.
    """
    key = f"hall:{tournament.pk}:{page}:{part}:{besides}:{get_language()}"
    enough = _enough(request, tournament)
    version, live = (read_cached(key, enough) if keep else None) or (tournament.version, "")
    answer = get_conditional_response(request, etag=_etag(request, tournament.pk, version, besides))
    if answer is None:

        def draw() -> Drawn:
            address = request.path + query if keep else request.get_full_path()
            return tournament.version, _draw(tournament, page, {"address": address} | context())

        if not live:
            version, live = drawn_for_all(key, enough, draw) if keep else draw()
        whole = {
            "layout": "hall/base.html",
            "tournament": tournament,
            "live": mark_safe(live),  # noqa: S308 - a template drew it
        } | frame
        answer = HttpResponse(live) if request.htmx else render(request, f"hall/{page}.html", whole)
    answer.headers["ETag"] = _etag(request, tournament.pk, version, besides)
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ["HX-Request", "Accept-Language", "Cookie"])
    if keep and not besides and isinstance(answer, HttpResponse):
        if request.htmx:
            mark_shared(answer, tournament.pk, version)
        elif everybodys and _is_anybodys(request):
            mark_shared(answer, tournament.pk, version, PAGE)
    return answer


def _is_anybodys(request: HallRequest) -> bool:
    """Whether a page has nothing of the visitor's own in it: no message waits, and no form of the hall has a token."""
    return not any(name in request.COOKIES for name in OWN)


def read_cached(key: str, enough: int) -> Drawn | None:
    found: Drawn | None = cache.get(key)
    return found if found and found[0] >= enough else None


def drawn_for_all(key: str, enough: int, draw: Callable[[], Drawn]) -> Drawn:
    """Render in one process and cache; others wait, since rendering in parallel would slow down each of them."""
    turn = f"{key}:turn"
    until = time.monotonic() + PATIENCE
    while not (ours := cache.add(turn, 1, PATIENCE)) and time.monotonic() < until:
        time.sleep(MOMENT)
        if found := read_cached(key, enough):
            return found
    try:
        drawn = draw()
        cache.set(key, drawn, 300)  # one cache key for all versions: the newest rendering replaces it
    finally:
        if ours:
            cache.delete(turn)
    return drawn


def _enough(request: HallRequest, tournament: Tournament) -> int:
    """The minimum version to show: the newest for a page; for a part the one that phones are shown meanwhile."""
    if not request.htmx:
        return tournament.version
    told: int = max(number_in(request.headers.get("X-Newest", "")) or 0, request.META.get(TOLD, 0))
    return min(told or tournament.version, tournament.version)


def _draw(tournament: Tournament, page: str, context: dict[str, Any]) -> str:
    """The result is shared, so the query of a visitor must not be in its `address`."""
    part = {"layout": "hall/_live.html", "tournament": tournament}
    return with_sum(render_to_string(f"hall/{page}.html", part | context))


def _etag(request: HallRequest, tournament_id: int, version: int, besides: str) -> str:
    """The ETag of a page: of its version, language, a cookie's message, and the program's version."""
    about = (
        tournament_id,
        version,
        besides,
        get_language(),
        # A part has nothing of the visitor's own in it.
        "" if request.htmx or _is_anybodys(request) else request.headers.get("Cookie", ""),
        request.headers.get("HX-Request", ""),
        getattr(staticfiles_storage, "manifest_hash", ""),
    )
    return "W/" + quote_etag(sha256(repr(about).encode()).hexdigest()[:32])


# Players' pages: the URL pattern of thousands, computed once and formatted for each; and whether they may be indexed.

Answer = TypeVar("Answer", bound=HttpResponseBase)


@lru_cache
def player_pages(view: str) -> Callable[[str, int], str]:
    """The URL of a `view` of a player, by the tournament's code and the player's number there."""
    before, rest = reverse(view, args=["CODE", 0]).split("CODE")
    between, behind = rest.split("0")
    return lambda code, number: f"{before}{code}{between}{number}{behind}"


def listed_where_allowed(answer: Answer, player: Player) -> Answer:
    """A file or a picture of one player's, which search engines may list only where they may list the person."""
    if not may_be_found(player):
        answer.headers["X-Robots-Tag"] = "noindex"
    return answer
