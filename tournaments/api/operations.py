"""All that can be asked: a line for each part of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.api import (
    boards,
    championships,
    clubs,
    entries,
    events,
    games,
    money,
    people,
    rules,
    seasons,
    standings,
    story,
    tables,
    writing,
)

if TYPE_CHECKING:
    from tournaments.api.api import Api

# Who writes does so at the addresses that `desk` reads: the two are one part.
PARTS = (
    clubs, events, entries, tables, standings, story, boards, people, games, seasons, championships, rules, money,
    writing,
)  # fmt: skip


def add_to(api: Api) -> Api:
    for part in PARTS:
        api.add_router("", part.router)
    return api
