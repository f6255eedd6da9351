"""Boards (kortmapper): which cards lie in the folders of a round, and where another folder was played than planned.

Which folder a deal is played with stands at its table (`Table.folders`).
"""

from __future__ import annotations

import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Tournament
from tournaments.models.ledger import Report
from tournaments.models.seating import Table


def make_seed() -> str:
    """128 bits: nobody finds it by trying until its fingerprint comes out."""
    return secrets.token_hex(16)


class BoardSet(models.Model):
    """The cards of a round: a seed that is kept back until the round is over, so its fingerprint alone is told.

    It belongs to the round's number and not to its draw, since folders are made ready before, and outlive a new draw.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="board_sets_dealt")
    round_number = models.PositiveSmallIntegerField(_("round"))
    seed = models.CharField(max_length=64, default=make_seed)
    dealt_at = models.DateTimeField()

    class Meta:
        ordering = ["round_number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round_number"], name="one_set_of_boards_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.round_number}"


class FolderChange(models.Model):
    """A deal was played with another folder than was thought: kept for good, with the reason."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="folder_changes")
    deal_number = models.PositiveSmallIntegerField()
    was = models.PositiveSmallIntegerField()
    now = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=200)
    source = models.CharField(max_length=10, choices=Report.Source.choices)
    author = models.CharField(max_length=150, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table} {self.deal_number}: {self.was} > {self.now}"
