"""The chain of all that is decided in a tournament: link by link, each with the hash of the one before it."""

from __future__ import annotations

from django.db import models

from tournaments.models.events import Tournament


class ChainLink(models.Model):
    """What one step decided, as it stood when the step was taken. Never updated, never deleted: triggers refuse both.

    `content` has, by the name of each thing (`tournaments.chain.contents`), what is chained of it, or null where it is
    gone. Texts are in it as prints, so that whoever is erased is not named here for good.
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
