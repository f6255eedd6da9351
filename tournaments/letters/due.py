"""What is to be posted by now; called again and again by the process that does what becomes so by the clock alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from clubs.mail.posting import is_set_up
from tournaments.letters.results import post_results
from tournaments.letters.seats import post_seats

if TYPE_CHECKING:
    from datetime import datetime

EVERY = 30.0  # seconds
_looked = {"at": -EVERY}


def post_what_is_due(now: datetime) -> None:
    """Post what has become due; at most every half minute, since each look goes through the evenings of some days."""
    if not is_set_up() or time.monotonic() - _looked["at"] < EVERY:
        return
    _looked["at"] = time.monotonic()
    post_seats(now)
    post_results(now)
