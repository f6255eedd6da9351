"""What is to be posted by now; called again and again by the process that does what becomes so by the clock alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from clubs.mail.posting import is_set_up
from tournaments.from_home.forgetting import forget_who_had_no_place
from tournaments.letters.asking import post_asking
from tournaments.letters.results import post_results
from tournaments.letters.seats import post_seats

if TYPE_CHECKING:
    from datetime import datetime

EVERY = 30.0  # seconds
FORGET_EVERY = 3600.0
_looked = {"at": -EVERY, "forgot": -FORGET_EVERY}


def post_what_is_due(now: datetime) -> None:
    """Post what has become due; at most every half minute, since each look goes through the evenings of some days.

    And forget, each hour, what is not to be kept of those who had no place.
    """
    if time.monotonic() - _looked["forgot"] >= FORGET_EVERY:
        _looked["forgot"] = time.monotonic()
        forget_who_had_no_place(now)
    if not is_set_up() or time.monotonic() - _looked["at"] < EVERY:
        return
    _looked["at"] = time.monotonic()
    post_asking(now)
    post_seats(now)
    post_results(now)
