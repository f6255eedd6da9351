"""How our processes end when the one that began them is killed."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys

KILLED = """
import os, signal, subprocess
from core.platform import end_with_parent
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
from core.platform import end_with_parent
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
