"""The log of actions, and the hash chain over all decisions."""

from __future__ import annotations

from django.db import models

from core.log_messages import LogLine
from tournaments.domain.log_values import COUNTED, KINDS
from tournaments.models.events import Tournament

# The chain of all that is decided in a tournament: link by link, each with the hash of the one before it.


class RegisterLink(models.Model):
    """What was written of the clubs' own records, as it stands after that. Never updated, never deleted, by triggers.

    `content` has, by the name of each row (`tournaments.changes.register`), what is chained of it, or null where it is
    gone; texts as prints.
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
    """Where the register's chain ends, in the only row, and a seal that says so."""

    count = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True)
    seal = models.CharField(max_length=40, blank=True)

    def __str__(self) -> str:
        return f"register {self.count}"


class ChainLink(models.Model):
    """What one step decided, as it stood when the step was taken. Never updated, never deleted: triggers refuse both.

    `content` has, by the name of each thing (`tournaments.changes.chain_contents`), what is chained of it, or null
    where it is gone. Texts are in it as prints, so that whoever is erased is not named here for good.
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
    """Who did what, in words; written in the transaction that did it."""

    kinds = KINDS
    counted = COUNTED

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="log")

    class Meta(LogLine.Meta):
        verbose_name_plural = "log entries"
