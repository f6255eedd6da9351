"""Sheets to be ticked, as they were printed: a photograph of one is read by this, whatever the rules say by then."""

from __future__ import annotations

from django.db import models

from tournaments.models.seating import Table


class PrintedSheet(models.Model):
    """A page for a table. `layout` is what `slip.reading.geometry.read_layout` reads, `code` its short print."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="printed_sheets")
    page = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=8)
    layout = models.JSONField()
    printed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "code"], name="a_layout_is_kept_once_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.code}"
