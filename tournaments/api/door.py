"""A decorator of every API view: rate limits of clients without a key, CORS headers, compression.

A page of another origin may read what is public; it may send nothing, for it would need a club's key.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page

from core.http.responses import problem_response
from core.throttle import MINUTE, by_address, count_request, is_over_rate

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

# Requests a minute from one address that Django must handle; cached responses cost nothing
# and is not counted (`tournaments.changes.response_cache`). A hall's phones and screens may share an address.
MOST_ASKED = 600
NOT_ALLOWED = 405
# How many questions (q) in how many seconds (w), as draft-ietf-httpapi-ratelimit-headers writes it.
RATE_LIMIT, POLICY = "RateLimit-Policy", f'"api";q={MOST_ASKED};w={MINUTE}'
READING = ("GET", "HEAD")
MAY_SEND = "If-None-Match, Accept-Language"
MAY_READ = "ETag, RateLimit-Policy, Retry-After"


def through_the_door(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap an API view: CSRF exempt, since no cookie is read and writing needs a key; compressed; with CORS headers."""

    @csrf_exempt
    @gzip_page
    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return _open_to_browsers(request, _answer(request, view, *args, **kwargs))

    return wrapper


def _answer(
    request: HttpRequest, view: Callable[..., HttpResponseBase], *args: Any, **kwargs: Any
) -> HttpResponseBase:
    if request.method == "OPTIONS":
        return HttpResponse(status=204)
    asker = by_address("api", request.META.get("REMOTE_ADDR", ""))
    if is_over_rate(asker, most=MOST_ASKED):
        return problem_response(429, headers={"Retry-After": str(MINUTE)})
    count_request(asker)
    is_head = request.method == "HEAD"
    if is_head:
        request.method = "GET"  # the server leaves out the body
    answer = view(request, *args, **kwargs)
    if is_head:
        request.method = "HEAD"
    if answer.status_code == NOT_ALLOWED:
        return problem_response(NOT_ALLOWED, headers={"Allow": answer.headers["Allow"]})
    return answer


def _open_to_browsers(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    patch_vary_headers(answer, ["Accept-Language", "Cookie"])
    answer.headers.setdefault(RATE_LIMIT, POLICY)
    answer.headers["X-Robots-Tag"] = "noindex"
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if request.method in READING:
        answer.headers["Access-Control-Allow-Origin"] = "*"
        answer.headers["Access-Control-Expose-Headers"] = MAY_READ
    elif request.method == "OPTIONS":
        answer.headers["Access-Control-Allow-Origin"] = "*"
        answer.headers["Access-Control-Allow-Methods"] = ", ".join(READING)
        answer.headers["Access-Control-Allow-Headers"] = MAY_SEND
        answer.headers["Access-Control-Max-Age"] = "86400"
    return answer
