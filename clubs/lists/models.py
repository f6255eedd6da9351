"""Models: uploaded lists whose columns are not chosen yet, and the choices that a club made before."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.db import models

from clubs.lists.choice import ListTable

if TYPE_CHECKING:
    from clubs.lists.choice import Choice, ListFields

# An uploaded list is deleted after this.
KEPT_FOR = timedelta(days=1)


class UploadedList(models.Model):
    """A file as it was uploaded, until what was chosen of it is stored, or for a day."""

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="uploaded_lists")
    account = models.ForeignKey("clubs.Account", on_delete=models.CASCADE, related_name="uploaded_lists")
    # The code of its `ListFields`.
    kind = models.CharField(max_length=20)
    file_name = models.CharField(max_length=200)
    # What `ListTable.as_json` makes of the file.
    contents = models.JSONField()
    # The form values sent with the file: on which day new members joined, what the results are of.
    about = models.JSONField(default=dict)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.club})"

    @classmethod
    def put_by(
        cls, table: ListTable, file_name: str, *, now: datetime, about: dict[str, Any], **whose: Any
    ) -> Self:
        """Keep a file until its columns are chosen and its rows are stored, and no longer than a day."""
        cls.objects.filter(made_at__lt=now - KEPT_FOR).delete()
        return cls.objects.create(
            kind=table.fields.code,
            file_name=file_name[:200],
            contents=table.as_json(),
            about=about,
            made_at=now,
            **whose,
        )

    def table(self, fields: ListFields, *, has_headings: bool | None = None) -> ListTable:
        return ListTable.from_json(fields, self.contents, has_headings=has_headings)


class ColumnChoice(models.Model):
    """A club's mapping of a column heading to a field; "" for an ignored column."""

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="column_choices")
    kind = models.CharField(max_length=20)
    column = models.CharField(max_length=110)
    field = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "kind", "column"], name="a_column_is_chosen_once")
        ]

    def __str__(self) -> str:
        return f"{self.column}: {self.field}"


def remembered(club: Any, kind: str) -> dict[str, str]:
    """The fields of the columns that the club has chosen before, by their keys."""
    return dict(ColumnChoice.objects.filter(club=club, kind=kind).values_list("column", "field"))


def remember(club: Any, kind: str, table: ListTable, choice: Choice) -> None:
    """Keep what was chosen for the club's next list. A column without a heading is another one each time."""
    chosen = [
        ColumnChoice(club=club, kind=kind, column=column.key, field=choice.fields.get(column.key, ""))
        for column in choice.columns(table)
        if not column.key.startswith("#")
    ]
    ColumnChoice.objects.bulk_create(
        chosen,
        update_conflicts=True,
        unique_fields=["club", "kind", "column"],
        update_fields=["field"],
    )
