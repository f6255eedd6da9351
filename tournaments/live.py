"""How waiting pages learn that something changed: a tournament's version number goes up, and they ask for it.

A thousand phones that ask every second are cheap where most of them are answered from what another phone was told:
see `config.replay`. Here is what such an answer hangs on: the newest version, asked of the database so rarely that
drawing pages anew takes a small share of a process at most.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import DatabaseError
from django.db.models import F

from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.http import HttpResponse

# Says of an answer: for everybody who asks the same, as long as the tournament (primary key) has this version.
HEADER = "X-Holds-For"

# Seconds for which a version once read counts as the newest. Drawing the pages of a version may take a fourth of a
# process's time; a page of a thousand players takes long enough for that to matter.
SOONEST, LATEST = 0.25, 1.5
PAUSE = 3  # for each second of drawing


def announce(tournament_id: int) -> None:
    """Tell every waiting page. Called inside the transaction that changes something, so both are seen together."""
    Tournament.objects.filter(pk=tournament_id).update(version=F("version") + 1)


def mark_shared(answer: HttpResponse, tournament_id: int, version: int) -> None:
    """Let others who ask the same be answered so too; nothing of the visitor may be in it but the language."""
    answer.headers[HEADER] = f"{tournament_id} {version}"


@dataclass(slots=True)
class _Known:
    version: int
    until: float
    drawing: float = 0.0


class Versions:
    """The newest version of each tournament, as far as this process knows it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self.clock = clock
        self.known: dict[int, _Known] = {}

    def newest(self, tournament_id: int) -> int | None:
        """Return the version to be shown; None where the database does not say."""
        known, now = self.known.get(tournament_id), self.clock()
        if known and now < known.until:
            return known.version
        try:
            version = Tournament.objects.values_list("version", flat=True).get(pk=tournament_id)
        except (DatabaseError, Tournament.DoesNotExist):
            return None
        self.known[tournament_id] = _Known(version, now + _pause(known))
        return version

    def drawn(self, tournament_id: int, version: int, seconds: float) -> None:
        """Take note that an answer for a version was worked out, and what it cost."""
        known = self.known.get(tournament_id)
        if known is None or known.version < version:
            # Asked for by who has heard of it elsewhere: processes that keep step draw each version once.
            self.known[tournament_id] = known = _Known(version, self.clock() + _pause(known))
        known.drawing += seconds


def _pause(known: _Known | None) -> float:
    return min(LATEST, max(SOONEST, PAUSE * known.drawing)) if known else SOONEST
