"""People who were joined, people who look alike and are two, and former members whose erasing is proposed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import models

from clubs.models import Club, Player
from core.recorded_rows import RecordedQuerySet

if TYPE_CHECKING:
    from datetime import datetime

# So long can a merge be undone; then what moved is forgotten.
UNDONE_WITHIN = timedelta(days=60)


class PlayerMerge(models.Model):
    """A merge of two players at a desk, with everything that moved, so that it can be undone.

    Players are primary keys: who is merged into another one is deleted, and comes back with the same key.
    """

    desk = models.ForeignKey(Club, on_delete=models.PROTECT, null=True, related_name="player_merges")
    kept = models.PositiveBigIntegerField(db_index=True)
    gone = models.PositiveBigIntegerField(db_index=True)
    # What the one who is gone was called; "" once who remains is erased.
    name = models.CharField(max_length=200, blank=True)
    # As `entries.merge_records` writes it; empty once it can no longer be undone.
    moved = models.JSONField(default=dict)
    merged_by = models.CharField(max_length=150)
    merged_at = models.DateTimeField()
    undone_by = models.CharField(max_length=150, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = RecordedQuerySet["PlayerMerge"].as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["gone"], condition=models.Q(undone_at=None), name="one_merge_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"

    @property
    def undone_until(self) -> datetime:
        return self.merged_at + UNDONE_WITHIN


class TwoPeople(models.Model):
    """Two players marked as two people: they are no longer proposed as duplicates."""

    one = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    said_by = models.CharField(max_length=150)
    said_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "two people"
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="two_people_once"),
            models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name="two_people_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one} ≠ {self.other}"


class ErasureProposal(models.Model):
    """The proposal to erase a person who left all clubs long ago; an organiser decides, never the program."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="erasure_proposal")
    # The club that they left last, and when.
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="erasure_proposals")
    left = models.DateField()
    proposed_at = models.DateTimeField()
    # Postponed by an organiser until this day; then proposed again.
    kept_until = models.DateField(null=True, blank=True)
    kept_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["left", "pk"]

    def __str__(self) -> str:
        return f"{self.player}, {self.left}"


class MergedPlayer(models.Model):
    """A player merged into another one: its old number redirects to the one that remains."""

    # The primary key that they had there.
    number = models.PositiveBigIntegerField(primary_key=True)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_numbers")

    objects = RecordedQuerySet["MergedPlayer"].as_manager()

    def __str__(self) -> str:
        return f"{self.number}: {self.player}"
