"""The rules in force, said in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.views.decorators.http import require_safe

from tournaments.in_words.prices import price_list
from tournaments.in_words.rules import rules_in_words
from tournaments.queries import rulebook_of
from tournaments.views.hall.live import HallRequest, find_tournament, live_page

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase


@require_safe
def hall_rules(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    return live_page(
        request,
        tournament,
        "rules",
        lambda: {"rules": rules_in_words(tournament), "prices": price_list(rulebook_of(tournament))},
    )
