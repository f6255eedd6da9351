"""How messages to phones have ended, counted for who looks after the machine: the messages go with their evening."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import DatabaseError, transaction
from django.db.models import F

from tournaments.models import PushTally

if TYPE_CHECKING:
    from datetime import datetime

logger = logging.getLogger(__name__)


def count(outcome: PushTally.Outcome, now: datetime) -> None:
    """Count how a message has ended, in the transaction that stores that: a process that is killed loses both or none.

    That it cannot be counted is logged: it holds up nothing.
    """
    row = PushTally.objects.filter(outcome=outcome)
    try:
        with transaction.atomic():
            if not row.update(number=F("number") + 1, last_at=now):
                PushTally.objects.get_or_create(outcome=outcome, defaults={"last_at": now})
                row.update(number=F("number") + 1, last_at=now)
    except DatabaseError:
        logger.exception("What became of a message to a phone: %s", outcome)


def tally() -> dict[str, int]:
    """How many have ever ended in each way."""
    counted = PushTally.objects.order_by().values_list("outcome", "number")
    return dict.fromkeys(PushTally.Outcome.values, 0) | dict(counted)


def have_failed_since(when: datetime) -> bool:
    """Whether any did not come through since then; of a phone that is gone nobody waits for it."""
    return PushTally.objects.filter(outcome__in=PushTally.IN_VAIN, last_at__gte=when).exists()
