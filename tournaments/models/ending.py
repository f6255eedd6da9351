"""How a tournament ends: its final standings are posted, objections are heard, then they are final."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils import timezone
from django.utils.formats import date_format, time_format

if TYPE_CHECKING:
    from datetime import datetime


class Ends(models.Model):
    """Posted, the standings are provisional until a moment; a tournament finished without that was final at once.

    `posted_at` stays when they have become final: what was corrected since is told.
    """

    posted_at = models.DateTimeField(null=True, blank=True)
    objections_until = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_posted(self) -> bool:
        """Whether the final standings are posted as provisional."""
        return self.objections_until is not None

    @property
    def objections_said(self) -> str:
        """Until when objections are heard: the hour, and the day where it is another than that of posting."""
        return moment_said(self.objections_until, self.posted_at)


def moment_said(moment: datetime | None, beside: datetime | None) -> str:
    """A moment as a clock in the hall shows it, with its day where that is another than the day `beside` it."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    hour = time_format(local, "TIME_FORMAT")
    if beside is not None and timezone.localtime(beside).date() == local.date():
        return hour
    return f"{date_format(local, 'MONTH_DAY_FORMAT')} {hour}"
