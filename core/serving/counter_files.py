"""The files in which the worker processes store their counters, so that any of them can sum all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from django.conf import settings

# The metrics library reads this environment variable when it is imported.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def begin_to_count() -> None:
    """Create an empty folder for this server, before its worker processes; none where metrics are disabled."""
    if not settings.METRICS_TOKEN:
        return
    folder = Path(settings.DATA_DIR) / f"figures-{settings.PORT}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    os.environ[FOLDER] = str(folder)
