"""What can be removed, and put back, or called off, and taken up again: a state, not a deletion."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from core.recorded_rows import RecordedQuerySet

# The reason of what the program has called off by itself, as it is stored.
DRAWN_INTO_GROUPS = "drawn_into_groups"
SAMPLE_REMOVED = "sample_removed"


class All(models.Manager[Any]):
    """Those that have been removed, too."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return RecordedQuerySet(self.model, using=self._db)


class There(All):
    """Those that have not been removed: what pages, choices and files know of."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(removed_at=None)


class Removable(models.Model):
    """Removed, it is not shown and not counted, and its name is free; put back, it is as it was."""

    removed_at = models.DateTimeField(null=True, blank=True)

    objects = There()
    with_removed = All()

    class Meta:
        abstract = True

    @property
    def is_removed(self) -> bool:
        return self.removed_at is not None


class CanBeCalledOff(models.Model):
    """Called off, it is in no list and counts nowhere; its own page says so, and why."""

    called_off_at = models.DateTimeField(null=True, blank=True)
    called_off_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        abstract = True

    @property
    def is_called_off(self) -> bool:
        return self.called_off_at is not None

    @property
    def called_off_said(self) -> str:
        """Why: see `called_off_in_words`."""
        return called_off_in_words(self.called_off_reason)


def called_off_in_words(reason: str) -> str:
    """Why, as it was typed; what the program has called off by itself is said in the reader's language."""
    if reason == DRAWN_INTO_GROUPS:
        return _("Its players have been drawn into the groups of a championship.")
    if reason == SAMPLE_REMOVED:
        return _("It was played with sample players, who have been removed.")
    return reason
