"""The routers of the API: a line for each part."""

from __future__ import annotations

from functools import cache

from tournaments.api import (
    boards,
    championships,
    clubs,
    entries,
    events,
    games,
    people,
    points,
    rules,
    seasons,
    standings,
    story,
    tables,
    team_entries,
    unions,
    writing,
)
from tournaments.api.api import Api, made_api

PARTS = (
    clubs, events, entries, tables, standings, story, boards, people, games, seasons, championships, points, rules,
    unions, team_entries, writing,
)  # fmt: skip


@cache
def whole_api() -> Api:
    """The API with all its operations."""
    api = made_api()
    for part in PARTS:
        api.add_router("", part.router)
    return api
