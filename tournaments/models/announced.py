"""What calendars and feeds have been told of an evening: they hear of each change of it, and of nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.db import models, transaction
from django.db.models import F
from django.utils import timezone

from core.recorded_rows import RecordedQuerySet

if TYPE_CHECKING:
    from datetime import datetime

# What they tell: another of these is a change.
TOLD = frozenset({"host_id", "name", "date", "begins_at", "place", "called_off_at", "entering", "entry_fee"})


M = TypeVar("M", bound=models.Model)


class AnnouncedQuerySet(RecordedQuerySet[M]):
    """Many at once, too, are told of."""

    def update(self, **fields: Any) -> int:
        if not TOLD.isdisjoint(fields) or "host" in fields:
            fields = {"told_changes": F("told_changes") + 1, "told_at": timezone.now()} | fields
        return super().update(**fields)

    def announce(self, now: datetime) -> None:
        """Tell calendars and feeds that something has changed that is stored elsewhere, such as a match day."""
        super().update(told_changes=F("told_changes") + 1, told_at=now)


class IsAnnounced(models.Model):
    """`told_changes` goes up, and `told_at` with it, when what is told of it changes, by whatever door."""

    told_changes = models.PositiveIntegerField(default=0)
    # The last change; None since it was made.
    told_at = models.DateTimeField(null=True, blank=True)

    # A tournament's.
    created_at: datetime | models.DateTimeField[datetime, datetime]

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if self._state.adding:
            super().save(*args, **options)
            return
        # What another saves meanwhile is a change of its own.
        with transaction.atomic(using=options.get("using"), savepoint=False):
            self._take_note(options)
            super().save(*args, **options)

    def _take_note(self, options: dict[str, Any]) -> None:
        saved = options.get("update_fields")
        named = {"host_id" if name == "host" else name for name in saved or ()}
        if not (touched := TOLD if saved is None else TOLD & named):
            return
        held = type(self)._base_manager.filter(pk=self.pk).select_for_update()
        stored = held.values("told_changes", "told_at", *touched).first()
        if stored is None:
            return
        self.told_changes, self.told_at = stored["told_changes"], stored["told_at"]
        if any(stored[name] != getattr(self, name) for name in touched):
            self.told_changes, self.told_at = self.told_changes + 1, timezone.now()
            if saved is not None:
                options["update_fields"] = {*saved, "told_changes", "told_at"}
