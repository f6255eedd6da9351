"""How messages to phones have ended, counted for who looks after the machine: the messages go with their evening."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Self

from django.db import DatabaseError
from django.db.models import F
from django.utils import timezone

from tournaments.models import PushTally

if TYPE_CHECKING:
    from datetime import datetime

logger = logging.getLogger(__name__)


class Tally:
    """What is counted while messages are sent is stored once, at the end, also where it ends with a fault.

    That it cannot be stored is logged: it holds up nothing, and hides no other fault.
    """

    def __init__(self) -> None:
        self.counted: Counter[PushTally.Outcome] = Counter()
        self.last: dict[PushTally.Outcome, datetime] = {}

    def count(self, outcome: PushTally.Outcome) -> None:
        self.counted[outcome] += 1
        self.last[outcome] = timezone.now()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        try:
            self._store()
        except DatabaseError:
            logger.exception("What became of messages to phones: %s", dict(self.counted))

    def _store(self) -> None:
        for outcome, number in sorted(self.counted.items()):
            last = self.last[outcome]
            PushTally.objects.get_or_create(outcome=outcome, defaults={"last_at": last})
            PushTally.objects.filter(outcome=outcome).update(number=F("number") + number, last_at=last)


def tally() -> dict[str, int]:
    """How many have ever ended in each way."""
    counted = PushTally.objects.order_by().values_list("outcome", "number")
    return dict.fromkeys(PushTally.Outcome.values, 0) | dict(counted)


def have_failed_since(when: datetime) -> bool:
    """Whether any did not come through since then; of a phone that is gone nobody waits for it."""
    return PushTally.objects.filter(outcome__in=PushTally.IN_VAIN, last_at__gte=when).exists()
