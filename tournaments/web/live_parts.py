"""Live parts of the desk's pages: htmx reloads them when the tournament has changed, and gets the rows that changed.

The desk's pages differ by account, so no stream of events brings them (`core.serving.streams`). A part has a checksum,
which comes back with the next request (static/js/desk.js).
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.core.cache import caches
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from core.serving.addresses import SHARED
from core.serving.streams import Drawn, Fingerprint, attribute, changes, with_sum

if TYPE_CHECKING:
    from tournaments.web.guards import DeskRequest

# How many renderings of a page are remembered for an account, and for how many seconds: 8 bytes a row are cached.
VERSIONS, LIFETIME = 4, 300


def render_live(request: DeskRequest, page: str, context: dict[str, Any]) -> HttpResponse:
    """Render the page `desk/<page>.html` with its block `live` as the part `live`; for htmx the part alone.

    With the checksum of an earlier rendering in `X-Sum`: JSON with `version`, `sum` and the changed `rows`, as
    `core.serving.streams.changes` has them. A part whose frame has changed, or of an unknown checksum, comes whole.
    """
    template = f"desk/{page}.html"
    html = with_sum(render_to_string(template, context | {"layout": "desk/_live.html"}, request))
    drawn = Drawn(html)
    known = _remember(request, drawn)
    if not request.htmx:
        live = mark_safe(html)  # noqa: S308 - a template drew it
        return render(request, template, context | {"layout": "desk/base.html", "live": live})
    before = known.get(request.headers.get("X-Sum", ""))
    rows = changes(before, drawn) if before else None
    if rows is None:
        return HttpResponse(html)
    version = int(attribute(html, "version"))
    return JsonResponse({"version": version, "sum": attribute(html, "sum"), "rows": rows})


def _remember(request: DeskRequest, drawn: Drawn) -> dict[str, Fingerprint]:
    """The fingerprints of the account's last renderings of this page, this one included, by checksum."""
    about = f"{request.user.pk} {get_language()} {request.get_full_path()}"
    key, checksum = f"rows:{sha256(about.encode()).hexdigest()}", attribute(drawn.html, "sum")
    known: dict[str, Fingerprint] = caches[SHARED].get(key, {})
    if checksum not in known:
        known = dict([*known.items(), (checksum, drawn.fingerprint)][-VERSIONS:])
        with suppress(OSError):  # the cache is full
            caches[SHARED].set(key, known, LIFETIME)
    return known
