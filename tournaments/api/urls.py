"""The API's URLs. This module, and all that it imports, is imported by the first request: see `in_time`."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from django.http import HttpResponse, JsonResponse
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from core.http.responses import problem_response
from tournaments.api import clubs, entries, events, games, people, seasons, standings, tables, unions, writing
from tournaments.api.api import Api, made_api, openapi
from tournaments.api.base import through_the_door
from tournaments.exports.file_schema import archive_schema

if TYPE_CHECKING:
    from django.http import HttpRequest


app_name = "api"
# The routers of the API, in the order of its parts.
ROUTERS = (
    clubs.router,
    events.router,
    entries.router,
    tables.router,
    standings.router,
    standings.story_router,
    tables.boards_router,
    people.router,
    games.router,
    seasons.router,
    seasons.championships_router,
    unions.points_router,
    events.rules_router,
    unions.router,
    entries.team_entries_router,
    writing.router,
)


@cache
def whole_api() -> Api:
    """The API with all its operations."""
    api = made_api()
    for router in ROUTERS:
        api.add_router("", router)
    return api


@cache
def _schema() -> bytes:
    """The document, made once for a process: it takes a third of a second, and is the same for everybody."""
    return json.dumps(openapi(whole_api()), ensure_ascii=False).encode()


@require_safe
def api_schema(_request: HttpRequest) -> HttpResponse:
    answer = HttpResponse(_schema(), content_type="application/json")
    answer.headers["Cache-Control"] = "public, max-age=300"
    return answer


@require_safe
def api_archive(_request: HttpRequest) -> HttpResponse:
    """The JSON schema of the file with an entire tournament."""
    answer = JsonResponse(archive_schema(), content_type="application/schema+json")
    answer.headers["Cache-Control"] = "public, max-age=300"
    return answer


def api_nothing(_request: HttpRequest, _rest: str = "") -> HttpResponse:
    return problem_response(404)


def _through_the_door(pattern: URLPattern) -> URLPattern:
    pattern.callback = through_the_door(pattern.callback)
    return pattern


def _patterns() -> list[URLPattern]:
    found = [
        path("openapi.json", api_schema, name="api_schema"),
        path("archive.schema.json", api_archive, name="api_archive"),
        *(one for one in whole_api().urls[0] if isinstance(one, URLPattern) and one.name != "api-root"),
        path("<path:_rest>", api_nothing, name="api_nothing"),
    ]
    return [_through_the_door(pattern) for pattern in found]


urlpatterns = _patterns()
