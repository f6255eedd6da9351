"""How our processes end."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys

from django.conf import settings

from tournaments.running.serving import Server

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


class ToldAgain:
    """What a server notes in that it is to stop; told so once more in that instant."""

    def __init__(self) -> None:
        self.noted = 0

    def set(self) -> None:
        self.noted += 1
        if self.noted == 1:
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)


def test_who_presses_ctrl_c_twice_ends_the_server_as_who_presses_it_once() -> None:
    before = {stop: signal.getsignal(stop) for stop in (signal.SIGINT, signal.SIGTERM)}
    server = Server("not read:here")
    server.main_loop_interrupt = ToldAgain()
    try:
        for stop in before:
            signal.signal(stop, server.signal_handler_interrupt)
        signal.raise_signal(signal.SIGINT)
    finally:
        for stop, handler in before.items():
            signal.signal(stop, handler)
    assert (server.interrupt_signal, server.main_loop_interrupt.noted) == (True, 1)
