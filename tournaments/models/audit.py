"""The log of actions, and the hash chain over all decisions."""

from __future__ import annotations

from django.db import models

from core.log_messages import LogLine
from tournaments.domain.log_values import COUNTED, KINDS
from tournaments.models.events import Tournament

# The chain of all that is decided in a tournament: link by link, each with the hash of the one before it.


class RegisterLink(models.Model):
    """Link of the register's hash chain: contents of club records after a change. Append-only, by triggers.

    `content` maps the name of each row (`tournaments.changes.register`) to its chained content, or null if it was
    deleted; texts are stored as digests.
    """

    number = models.PositiveIntegerField(unique=True)
    at = models.DateTimeField()
    content = models.JSONField()
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"register {self.number}"


class RegisterHead(models.Model):
    """The end of the register's chain with its seal: one row only."""

    count = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True)
    seal = models.CharField(max_length=40, blank=True)

    def __str__(self) -> str:
        return f"register {self.count}"


class ChainLink(models.Model):
    """Link of a tournament's hash chain: contents of rows after a step. Append-only, by triggers.

    `content` maps the name of each row (`tournaments.changes.chain_contents`) to its chained content, or null if
    it was deleted. Texts are stored as digests, so that erased persons are not named here for ever.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="chain")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    content = models.JSONField()
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_link_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"


# A tournament's log.


class LogEntry(LogLine):
    """A line of a tournament's log, written in the transaction of the change."""

    kinds = KINDS
    counted = COUNTED

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="log")

    class Meta(LogLine.Meta):
        verbose_name_plural = "log entries"
