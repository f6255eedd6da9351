"""How often a minute one address may ask for what other programs ask for: feeds, embedded standings, tables."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from django.http import HttpResponse

from core.serving.addresses import site_address
from core.throttle import MINUTE, by_address, count_request, is_over_rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    View = Callable[..., HttpResponseBase]

# More than a school's worth of readers behind one address. A union's year as a table takes half a second of a core.
MOST = {"embed": 600, "feed": 600, "tables": 30}
TOO_MANY = 429


def so_many_a_minute(what: str) -> Callable[[View], View]:
    """Let one address ask this view for `what` (of `MOST`) so often a minute; a site that is published never waits."""

    def counted(view: View) -> View:
        @wraps(view)
        def asked(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
            if site_address(request):
                return view(request, *args, **named)
            asker = by_address(what, request.META.get("REMOTE_ADDR", ""))
            if is_over_rate(asker, most=MOST[what]):
                return HttpResponse(status=TOO_MANY, headers={"Retry-After": str(MINUTE)})
            count_request(asker)
            return view(request, *args, **named)

        return asked

    return counted
