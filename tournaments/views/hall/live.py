"""How the hall's pages stay fresh and cheap: a part of each is drawn once for a version of the tournament.

A page is a frame and a live part. The browser asks for the version now and then (static/js/live.js), and
fetches the part again, from the page's own address, when the version has gone up. Who asks for a part that
somebody has seen gets it from the cache; who has it already gets a 304.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.live import TOLD, mark_shared
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase
    from django_htmx.middleware import HtmxDetails

LONGEST_NUMBER = 12  # digits
Context = Callable[[], dict[str, Any]]


class HallRequest(HttpRequest):
    """A request of anybody; django-htmx says whether htmx asks for a part."""

    htmx: HtmxDetails


def find_tournament(code: str) -> Tournament:
    """The tournament of a code as it is read off paper, in capitals or not."""
    return get_object_or_404(Tournament.objects.select_related("host"), code=code.upper())


@require_safe
def hall_version(request: HttpRequest, code: str) -> HttpResponse:
    """The tournament's version; nothing to who has seen it. Every phone in the hall asks all the time.

    Who has seen a newer one was answered by a process that heard of it sooner.
    """
    try:
        tournament, newest = Tournament.objects.values_list("pk", "version").get(code=code)
    except Tournament.DoesNotExist:
        raise Http404 from None
    version = request.META.get(TOLD) or newest
    answer = (
        HttpResponse(status=204)
        if _number(request.GET.get("v", "")) >= version
        else JsonResponse({"version": version})
    )
    patch_cache_control(answer, no_store=True)
    mark_shared(answer, tournament, version)
    return answer


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < LONGEST_NUMBER else 0


def live_page(
    request: HallRequest,
    tournament: Tournament,
    page: str,
    context: Context,
    *,
    part: str = "",
    keep: bool = True,
    **frame: object,
) -> HttpResponseBase:
    """The page `hall/<page>.html` with its live part `hall/_<page>.html` in it; to htmx, the part alone.

    `context` is asked only where the part has to be drawn. `part` tells apart the pages of one kind, such as
    those of two tables. Without `keep` every visitor's part is their own. `frame` is for the page around it.
    """
    key = f"hall:{tournament.pk}:{page}:{part}:{get_language()}"
    kept: tuple[int, str] | None = cache.get(key) if keep else None
    version, live = kept if kept and kept[0] >= _enough(request, tournament) else (tournament.version, None)
    etag = _etag(request, tournament.pk, version)
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        if live is None:
            live = _draw(request, tournament, page, context, keep=keep)
            if keep:  # one place for all versions: the newest drawn takes it
                cache.set(key, (version, live), 300)
        whole = {"tournament": tournament, "live": mark_safe(live)} | frame  # noqa: S308 - a template drew it
        answer = HttpResponse(live) if request.htmx else render(request, f"hall/{page}.html", whole)
    answer.headers["ETag"] = etag
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ["HX-Request", "Accept-Language", "Cookie"])
    if keep and request.htmx and isinstance(answer, HttpResponse):
        mark_shared(answer, tournament.pk, version)
    return answer


def _enough(request: HallRequest, tournament: Tournament) -> int:
    """The version that must be shown: a page is as new as can be, its part as new as what phones are told of."""
    if not request.htmx:
        return tournament.version
    told: int = max(_number(request.headers.get("X-Newest", "")), request.META.get(TOLD, 0))
    return min(told or tournament.version, tournament.version)


def _draw(request: HallRequest, tournament: Tournament, page: str, context: Context, *, keep: bool) -> str:
    # What is kept is shown to all, so it may not have a visitor's question in it.
    address = request.path if keep else request.get_full_path()
    fresh = {"tournament": tournament, "address": address} | context()
    return str(render_to_string(f"hall/_{page}.html", fresh))


def _etag(request: HallRequest, tournament_id: int, version: int) -> str:
    """Of the version, and of all else a page hangs on: language, a cookie's message or token, the program."""
    about = (
        tournament_id,
        version,
        get_language(),
        # A part has nothing of the visitor's own in it.
        "" if request.htmx else request.headers.get("Cookie", ""),
        request.headers.get("HX-Request", ""),
        getattr(staticfiles_storage, "manifest_hash", ""),
    )
    return "W/" + quote_etag(sha256(repr(about).encode()).hexdigest()[:32])
