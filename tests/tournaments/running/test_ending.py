"""How our processes end."""

from __future__ import annotations

import os
import select
import signal
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


KILLED = """
import os, signal, subprocess
from tournaments.running.system import end_with_parent
print(subprocess.Popen(["sleep", "60"], preexec_fn=end_with_parent, stdout=subprocess.DEVNULL).pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_nothing_goes_on_serving_after_the_first_process_was_killed() -> None:
    told = subprocess.run([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, check=False)
    assert told.returncode == -signal.SIGKILL
    try:
        left = os.pidfd_open(int(told.stdout))
    except ProcessLookupError:
        return
    assert select.select([left], [], [], 10)[0] == [left]


LATE = """
import os, select, signal
from tournaments.running.system import end_with_parent
parent = os.pidfd_open(os.getpid())
if os.fork():
    os.kill(os.getpid(), signal.SIGKILL)
select.select([parent], [], [], 10)
end_with_parent()
print("goes on")
"""


def test_who_asks_to_end_with_the_first_process_after_it_was_killed_ends_too() -> None:
    told = subprocess.run(
        [sys.executable, "-c", LATE], stdout=subprocess.PIPE, check=False
    )  # until both have ended
    assert (told.returncode, told.stdout) == (-signal.SIGKILL, b"")
