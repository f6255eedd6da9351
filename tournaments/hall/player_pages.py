"""Players' own pages: the addresses of thousands, worked out once and filled in for each; and who may list them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from django.http.response import HttpResponseBase
from django.urls import reverse

from tournaments.people.visibility import may_be_found

if TYPE_CHECKING:
    from collections.abc import Callable

    from clubs.models import Player

Answer = TypeVar("Answer", bound=HttpResponseBase)


@lru_cache
def player_pages(view: str) -> Callable[[str, int], str]:
    """The address of a `view` of a player, by the tournament's code and the player's number there."""
    before, rest = reverse(view, args=["CODE", 0]).split("CODE")
    between, behind = rest.split("0")
    return lambda code, number: f"{before}{code}{between}{number}{behind}"


def listed_where_allowed(answer: Answer, player: Player) -> Answer:
    """A file or a picture of one player's, which search engines may list only where they may list the person."""
    if not may_be_found(player):
        answer.headers["X-Robots-Tag"] = "noindex"
    return answer
