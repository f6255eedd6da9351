"""System checks (`manage.py check`, and before every command) of what is well formed in the settings, but not there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core import checks

if TYPE_CHECKING:
    from collections.abc import Sequence


@checks.register()
def check_journal(app_configs: Sequence[Any] | None, **_options: Any) -> list[checks.CheckMessage]:
    """Warn if the journal's folder does not exist: a stick may be inserted later, a misspelt name stays missing."""
    del app_configs
    where = settings.JOURNAL
    if not where or where.startswith("sftp:") or Path(where).is_dir():
        return []
    return [
        checks.Warning(
            f"JOURNAL: {where} is not there, so nothing is written to it.",
            hint="Make the folder, put the stick in, or correct the name.",
            id="spadille.W001",
        )
    ]
