"""Photographs of sheets to be ticked, sent to be read, and what was read of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection, models

from tournaments.models.events import Tournament
from tournaments.models.evidence import Photograph, photographs_folder
from tournaments.models.seating import Table

if TYPE_CHECKING:
    from pathlib import Path


class SheetPictureQuerySet(models.QuerySet["SheetPicture"]):
    def worth_keeping(self) -> SheetPictureQuerySet:
        """Without those that could not be read, which are put away after days: they may be of anything."""
        return self.exclude(state=SheetPicture.State.UNREADABLE)


class SheetPicture(models.Model):
    """A picture as it was sent, made anew as a JPEG; once it is read it is one of its table's photographs.

    `why` it was not read is a `Reason` of the reader, or what this tournament has against it: a code of
    `slip.photographed.words`. `reading` is what `slip.photographed.stored` writes. `answers` are what people made of
    it as they took the table in.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        READ = "read"
        UNREADABLE = "unreadable"
        # A sheet of another tournament, of a round that is not running, of another table than the captain's own.
        ASIDE = "aside"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="sheet_pictures")
    # The table whose sheet it is, and the one whose captain sent it; a desk's are of any.
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="sheet_pictures")
    captains = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="captains_pictures")
    photograph = models.OneToOneField(
        Photograph, on_delete=models.CASCADE, null=True, related_name="sheet_picture"
    )
    # Random, in the folder of photographs; and what it was called where it came from.
    file = models.CharField(max_length=60, unique=True)
    name = models.CharField(max_length=100, blank=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    sent_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    why = models.CharField(max_length=20, blank=True)
    # Marks that were not found, and [tournament, round, table, page, layout, version] of the sheet that it names.
    missing = models.JSONField(default=list)
    sheet = models.JSONField(default=list)
    # Whether whoever ticked it fills the boxes that are meant; None where nobody was asked.
    fills = models.BooleanField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    reading = models.JSONField(null=True)
    taken_at = models.DateTimeField(null=True)
    taken_by = models.CharField(max_length=150, blank=True)
    answers = models.JSONField(default=dict)
    # How many lines that were read for certain were wrong; None where nobody can tell.
    wrong = models.PositiveSmallIntegerField(null=True)

    objects = SheetPictureQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["tournament", "state"], name="sheet_pictures_by_state")]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.file}"

    @staticmethod
    def kept() -> set[str]:
        """The names of all pictures of paper that a backup has to have: photographs, and those that wait to be read.

        Data of an earlier version, which are backed up too, know those alone that it has a table for.
        """
        there = connection.introspection.table_names()
        kinds = (Photograph.objects.all(), SheetPicture.objects.worth_keeping())
        known = (kind for kind in kinds if kind.model._meta.db_table in there)
        return {name for kind in known for name in kind.values_list("file", flat=True)}

    @property
    def path(self) -> Path:
        return photographs_folder() / self.file

    @property
    def is_there(self) -> bool:
        return self.path.is_file()
