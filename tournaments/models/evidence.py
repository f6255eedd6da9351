"""What is attached to a table as evidence."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import models

from tournaments.models.seating import Table


class Photograph(models.Model):
    """A photograph of a table's paper slip. The picture is a JPEG in the folder of photographs."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="photographs")
    # Random, so that nobody finds it by guessing.
    file = models.CharField(max_length=60, unique=True)
    attached_by = models.CharField(max_length=150)
    attached_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table}: {self.file}"

    @property
    def path(self) -> Path:
        return photographs_folder() / self.file

    @property
    def is_there(self) -> bool:
        """Whether the picture is in this data folder: an exported tournament leaves it out."""
        return self.path.is_file()


def photographs_folder() -> Path:
    """Where photographs are kept; nothing in it is served but by a view that asks who it is."""
    folder = Path(settings.MEDIA_ROOT) / "photographs"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def pieces_of(picture: Path) -> Path:
    """Where the lines of a sheet that was read are kept, cut from its picture; they can be cut again."""
    return picture.with_suffix(".lines.webp")
