"""Responses to programs that poll: conditional requests, rate limit."""

from __future__ import annotations

from functools import wraps
from hashlib import sha256
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import http_date, quote_etag

from clubs.mail.outbox import language_for
from core.serving.addresses import site_address
from core.throttle import MINUTE, by_address, count_request, is_over_rate
from tournaments.web.lookup import language_asked

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from datetime import datetime

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from clubs.models import Club


# Responses to polling clients (feeds, calendars): language, conditional requests.

# Cache-Control max-age for proxies and clients, in seconds.
FRESH = 60


def in_its_language(request: HttpRequest, club: Club) -> AbstractContextManager[object]:
    """Activate the language in the URL, else the club's: feed readers send none of their own."""
    return translation.override(language_asked(request) or language_for(None, club))


def unless_known(
    request: HttpRequest, data: bytes, content_type: str, changed: datetime | None, name: str = ""
) -> HttpResponseBase:
    """The data, known by what is in it; nothing to who has it already. `name` is what a file of it is called."""
    etag = quote_etag(sha256(data).hexdigest()[:32])
    answer = get_conditional_response(request, etag=etag) or HttpResponse(data, content_type=content_type)
    answer.headers["ETag"] = etag
    if changed:
        answer.headers["Last-Modified"] = http_date(changed.timestamp())
    if name:
        answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    patch_cache_control(answer, public=True, max_age=FRESH)
    return answer


# How often a minute one address may ask for what other programs ask for: feeds, embedded standings, tables.

if TYPE_CHECKING:
    View = Callable[..., HttpResponseBase]

# More than a school's worth of readers behind one address. A union's year as a table takes half a second of a core.
MOST = {"embed": 600, "feed": 600, "tables": 30}
TOO_MANY = 429


def so_many_a_minute(what: str) -> Callable[[View], View]:
    """Let one address ask this view for `what` (of `MOST`) so often a minute; a site that is published never waits."""

    def limit_rate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
            if site_address(request):
                return view(request, *args, **named)
            asker = by_address(what, request.META.get("REMOTE_ADDR", ""))
            if is_over_rate(asker, most=MOST[what]):
                return HttpResponse(status=TOO_MANY, headers={"Retry-After": str(MINUTE)})
            count_request(asker)
            return view(request, *args, **named)

        return wrapper

    return limit_rate
