"""How our processes end."""

from __future__ import annotations

import subprocess
import sys

from django.conf import settings

SCRIPT = """
import logging
from tournaments.running.ending import end_at_once

class Left:
    def __del__(self):
        print("Python is taken apart")

left = Left()
{ends}
logging.warning("a warning")
print("all is done")
"""


def said(ends):
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(ends=ends)],
        cwd=settings.BASE_DIR, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.splitlines(), run.stderr.splitlines()


def test_a_process_for_pages_says_all_and_is_not_taken_apart_under_the_threads_of_its_server():
    assert said("end_at_once()") == (["all is done"], ["WARNING:root:a warning"])
    assert said("") == (["all is done", "Python is taken apart"], ["WARNING:root:a warning"])
