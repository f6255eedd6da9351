"""Sheets being made in the background, so that the page can say how far they are."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Account
from tournaments.models.seating import Round

if TYPE_CHECKING:
    from datetime import datetime

# A job that says nothing for so long has lost its worker; a page takes far less.
SILENCE = timedelta(seconds=60)


class SheetJob(models.Model):
    """One file of sheets: asked for, in the making, ready or failed."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RENDERING = "rendering", _("being made")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="sheet_jobs")
    kind = models.CharField(max_length=20)
    # NULL for all tables of the round.
    table_number = models.PositiveSmallIntegerField(null=True)
    language = models.CharField(max_length=5)
    # What the addresses in the QR codes begin with.
    base_url = models.CharField(max_length=300)
    tournament_version = models.PositiveBigIntegerField()
    asked_by = models.ForeignKey(Account, on_delete=models.CASCADE)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    # In the folder of sheets; empty until the job is ready.
    file = models.CharField(max_length=200, blank=True)
    # An English sentence, translated when shown.
    error = models.CharField(max_length=300, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.round}: {self.kind}"

    @property
    def path(self) -> Path:
        """Where the file is once the job is ready."""
        return sheets_folder() / self.file

    @property
    def is_waiting(self) -> bool:
        return self.state == self.State.WAITING

    @property
    def is_rendering(self) -> bool:
        return self.state == self.State.RENDERING

    @property
    def is_ready(self) -> bool:
        return self.state == self.State.READY and self.path.is_file()

    def has_stopped(self, now: datetime) -> bool:
        """Whether it was being made and its worker is gone."""
        return self.is_rendering and now - self.touched_at > SILENCE

    @property
    def error_words(self) -> str:
        return gettext(self.error) if self.error else ""


def sheets_folder() -> Path:
    """Where files of sheets are kept; nothing in it is served but by a view that asks who it is."""
    folder = Path(settings.MEDIA_ROOT) / "sheets"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
