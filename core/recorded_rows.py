"""Rows on record: every write of them, by instance or queryset, sends the signal `rows_written`.

`tournaments.changes.register` receives it and extends the hash chain. Saved and deleted instances are observed by
Django's own signals; writes without instances, by this queryset.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import models
from django.dispatch import Signal

# Sent inside the transaction, with `keys`, the primary keys of the rows, and `fields`, None for all of them.
rows_written = Signal()

M = TypeVar("M", bound=models.Model)


class RecordedQuerySet(models.QuerySet[M]):
    """A queryset that sends `rows_written` for rows that are written without `save`."""

    def update(self, **values: Any) -> int:
        recorded = rows_written.has_listeners(self.model)
        keys = list(self.order_by().values_list("pk", flat=True)) if recorded else []
        updated = super().update(**values)
        if keys:
            rows_written.send(self.model, keys=keys, fields=set(values))
        return updated

    update.alters_data = True  # type: ignore[attr-defined]

    def bulk_create(self, objs: Any, *args: Any, **options: Any) -> list[M]:
        made = super().bulk_create(objs, *args, **options)
        rows_written.send(self.model, keys=[one.pk for one in made if one.pk is not None], fields=None)
        return made

    bulk_create.alters_data = True  # type: ignore[attr-defined]
