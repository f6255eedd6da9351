"""On the path of a server under test Python loads this first: its clock is ahead by what a file says, at once."""

import os
import time
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

_file = Path(os.environ["CLOCK_AHEAD"])
_time, _now = time.time, timezone.now


def _ahead() -> float:
    """Seconds; behind if below 0."""
    try:
        return float(_file.read_text())
    except (OSError, ValueError):
        return 0.0


time.time = lambda: _time() + _ahead()
timezone.now = lambda: _now() + timedelta(seconds=_ahead())
