"""The model of a job: queued, running, or ended."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from core.former_texts import translate_stored

if TYPE_CHECKING:
    from datetime import datetime

# Jobs and their files are deleted after this time.
KEPT = timedelta(days=1)
# A worker sends a heartbeat every few seconds; after this time without one the page shows that none is running.
SILENCE = timedelta(seconds=60)


class Job(models.Model):
    """A background job. Its result is a file in the folder of jobs on this machine's disk, not in backups."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        STOPPED = "stopped"

    UNDER_WAY = (State.WAITING, State.RUNNING)

    # A code of `settings.JOB_KINDS`; what the work is of, as "round 12", and all that it needs to know.
    kind = models.CharField(max_length=20)
    thing = models.CharField(max_length=60)
    about = models.JSONField(default=dict)
    # Of jobs with the same key one is under way at a time: the same wish of two people, or of two taps.
    key = models.CharField(max_length=100)
    language = models.CharField(max_length=10)
    # None for a captain, who has no account.
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="jobs"
    )
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    # How far it is; a total of 0 is not known yet.
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    # The fingerprint of the subject when the job began: the page shows if it has changed since.
    version = models.CharField(max_length=64, blank=True)
    # The process that works at it (`core.jobs.queue`), how often it was heard of, and how often the work was begun.
    worker = models.CharField(max_length=100, blank=True)
    beats = models.PositiveBigIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    stop_asked_by = models.CharField(max_length=150, blank=True)
    begun_at = models.DateTimeField(null=True)
    touched_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    # The result: its name in the folder of jobs' files, its file name for browsers, and further messages.
    file = models.CharField(max_length=100, blank=True)
    file_name = models.CharField(max_length=300, blank=True)
    said = models.JSONField(default=dict)
    # An English sentence, translated when shown.
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["kind", "thing"], name="job_of_a_thing")]
        constraints = [
            models.UniqueConstraint(
                fields=["key"], condition=models.Q(state__in=["waiting", "running"]), name="one_job_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} of {self.thing}"

    @property
    def path(self) -> Path:
        """The path of the result file."""
        return jobs_folder() / self.file

    @property
    def is_waiting(self) -> bool:
        return self.state == self.State.WAITING

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def is_under_way(self) -> bool:
        return self.state in self.UNDER_WAY

    @property
    def is_ready(self) -> bool:
        """Whether it is done and its file, if any, still exists."""
        return self.state == self.State.DONE and (not self.file or self.path.is_file())

    def is_silent(self, now: datetime) -> bool:
        """Whether nothing was heard for long of who works at it."""
        return self.is_running and (self.touched_at is None or now - self.touched_at > SILENCE)

    @property
    def error_words(self) -> str:
        return translate_stored(self.error) if self.error else ""


def jobs_folder() -> Path:
    """The storage of jobs' files; they are served only by views that check permission."""
    folder = Path(settings.MEDIA_ROOT) / "jobs"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
