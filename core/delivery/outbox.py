"""An outbox: rows queued in the transaction of what they report, delivered later, and retried with growing pauses.

A row is claimed before it is delivered, and its outcome is stored after, each only if the row is still as it was read:
two processes never deliver it. The claim of a process that ended meanwhile is released after `lost_after`, so such a
row may be delivered twice. `clubs.mail.sending`, `clubs.webhooks` and `tournaments.changes.push_subscriptions` are the
adapters: each delivers one row, and interprets the response.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.db.models import F, Model
from django.utils import timezone

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from django.db.models import QuerySet

Row = TypeVar("Row", bound=Model)


class Outbox(Generic[Row]):
    """The rows of a model with `state` (its State has WAITING and SENDING), `tries`, `next_try` and `taken_at`.

    `pauses` are the times between two attempts; the last one is repeated. A row that another may replace in place is
    the same row as long as its fields `identity` are.
    """

    def __init__(
        self,
        model: type[Row],
        pauses: Sequence[timedelta],
        *,
        lost_after: timedelta,
        identity: Sequence[str] = (),
    ) -> None:
        self.model, self.pauses, self.lost_after = model, pauses, lost_after
        self.identity = ("pk", "tries", *identity)
        states: Any = model
        self.waiting, self.sending = states.State.WAITING, states.State.SENDING

    def due(self, now: datetime) -> QuerySet[Row]:
        """The rows whose next attempt is due."""
        return self.model._default_manager.filter(state=self.waiting, next_try__lte=now)

    def release_lost(self, now: datetime) -> None:
        """Queue rows again whose process has ended without storing an outcome."""
        lost = self.model._default_manager.filter(state=self.sending, taken_at__lt=now - self.lost_after)
        if lost.exists():  # checked every other second: without an update no write lock is taken
            lost.update(state=self.waiting, next_try=now)

    def claim(self, row: Row) -> bool:
        """Count an attempt and mark the row as being delivered; False if another process was first."""
        claimed = self._as_read(row, self.waiting).update(
            state=self.sending, taken_at=timezone.now(), tries=F("tries") + 1
        )
        counted: Any = row
        counted.tries += claimed
        return bool(claimed)

    def store(self, row: Row, **values: Any) -> bool:
        """Store the outcome of a claimed row; False if its claim was released, or the row replaced, meanwhile."""
        return bool(self._as_read(row, self.sending).update(**values, taken_at=None))

    def pause_after(self, tries: int) -> timedelta:
        """The time between this attempt, counted from 1, and the next."""
        return self.pauses[min(tries, len(self.pauses)) - 1]

    def _as_read(self, row: Row, state: str) -> QuerySet[Row]:
        same = {name: getattr(row, name) for name in self.identity}
        return self.model._default_manager.filter(state=state, **same)
