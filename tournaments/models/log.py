"""A tournament's log."""

from __future__ import annotations

from django.db import models

from core.log_messages import LogLine
from tournaments.domain.log_values import COUNTED, KINDS
from tournaments.models.events import Tournament


class LogEntry(LogLine):
    """Who did what, in words; written in the transaction that did it."""

    kinds = KINDS
    counted = COUNTED

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="log")

    class Meta(LogLine.Meta):
        verbose_name_plural = "log entries"
