"""What each folder of boards could have been played for: worked out by a job once its round is closed."""

from __future__ import annotations

from django.db import models

from tournaments.models.events import Tournament


class FolderAnalysis(models.Model):
    """What each seat of a folder could have made (`tournaments.boards.analysis`); None until that is worked out.

    It holds for these cards, by the fingerprint of their seed, and these rules. A sealed round has none.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="folder_analyses")
    round_number = models.PositiveSmallIntegerField()
    folder = models.PositiveSmallIntegerField()
    cards = models.CharField(max_length=64)
    rules = models.CharField(max_length=64)
    found = models.JSONField(null=True)

    class Meta:
        ordering = ["round_number", "folder"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round_number", "folder"], name="one_analysis_a_folder"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.round_number}.{self.folder}"
