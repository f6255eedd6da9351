"""Registry for backups and the journal: the models and files that they count, copy and protect.

`settings.DATA_HOOKS` names the class that implements `DataHooks`; so `core` needs no import of the program's models.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from django.db.models import Model


class DataHooks(ABC):
    """The models and files of a program, as backups and the journal need to know them."""

    # Models that no step of the program deletes rows of while a backup is written: counted before and after.
    counted: tuple[type[Model], ...]
    # The model without whose rows there is nothing to back up, and what such a backup's message says is missing.
    root: type[Model]
    lacking: str
    # Models that people write and no migration does: their newest rows show whether the program was used.
    written: tuple[type[Model], ...]
    # Models that the journal leaves out, by label, or by the label of their app; each with the reason.
    not_followed: Mapping[str, str]
    # Tables whose rows are only ever added, which triggers enforce.
    append_only: frozenset[str]

    @abstractmethod
    def describe(self, counts: Mapping[str, int]) -> str:
        """The contents of a backup in English, by the number of rows of each counted table."""

    @abstractmethod
    def files_folder(self) -> Path:
        """The folder of the files that rows refer to by name."""

    @abstractmethod
    def files(self) -> set[str]:
        """The names of all files in that folder that a backup must have."""

    @abstractmethod
    def has_file(self, model: type[Model], row: Mapping[str, Any]) -> bool:
        """Whether a row, by attribute name, has a file that a backup must have, named by its `file`."""


@cache
def data_hooks() -> DataHooks:
    """The hooks of this program."""
    hooks: DataHooks = import_string(settings.DATA_HOOKS)()
    return hooks


def counted_tables() -> Collection[str]:
    """The tables whose rows are counted before and after a backup."""
    return [model._meta.db_table for model in data_hooks().counted]
