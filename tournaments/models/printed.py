"""Sheets to be ticked, as they were printed: a photograph of one is read by this, whatever the rules say by then."""

from __future__ import annotations

from django.db import models

from tournaments.models.events import Tournament
from tournaments.models.seating import Table


class Printed(models.Model):
    """A page. `layout` is what `slip.reading.geometry.read_layout` reads, `code` its short print."""

    page = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=8)
    layout = models.JSONField()
    printed_at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering = ["pk"]


class PrintedSheet(Printed):
    """A page for a table."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="printed_sheets")

    class Meta(Printed.Meta):
        constraints = [
            models.UniqueConstraint(fields=["table", "code"], name="a_layout_is_kept_once_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.code}"


class PrintedList(Printed):
    """A page of the list on which people are ticked at the door."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="printed_lists")

    class Meta(Printed.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tournament", "code"], name="a_list_is_kept_once_a_tournament"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.code}"
