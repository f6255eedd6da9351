"""Addresses of thousands of players' pages: worked out once, and filled in for each."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.urls import reverse

if TYPE_CHECKING:
    from collections.abc import Callable


@lru_cache
def player_pages(view: str) -> Callable[[str, int], str]:
    """The address of a `view` of a player, by the tournament's code and the player's number there."""
    before, rest = reverse(view, args=["CODE", 0]).split("CODE")
    between, behind = rest.split("0")
    return lambda code, number: f"{before}{code}{between}{number}{behind}"
