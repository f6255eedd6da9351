"""All that can be asked: a line for each part of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.api import clubs, entries, events, people, rules, seasons, standings, tables

if TYPE_CHECKING:
    from tournaments.api.api import Api

PARTS = (clubs, events, entries, tables, standings, people, seasons, rules)


def add_to(api: Api) -> Api:
    for part in PARTS:
        api.add_router("", part.router)
    return api
