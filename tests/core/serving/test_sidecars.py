"""Commands beside the server: begun again whenever they end, until the server stops."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from core.serving.sidecars import ForkedProcess, Sidecars, wait_until_answered
from tests.patience import PATIENCE

FAILS_ONCE = """
import pathlib, sys
marker = pathlib.Path(sys.argv[1])
failed = marker.exists()
marker.touch()
sys.exit(not failed)
"""


class Script:
    """A Python script as a process beside a server."""

    def __init__(self, script):
        self.process = subprocess.Popen([sys.executable, "-c", *script])
        self.terminate, self.kill = self.process.terminate, self.process.kill

    def has_ended(self):
        return self.process.poll() is not None


@pytest.fixture
def beside():
    """Sidecars of one script, and the processes that were begun."""
    begun = []

    def begin(script):
        begun.append(Script(script))
        return begun[-1]

    yield lambda *script: (Sidecars([list(script)], begin, pause=0), begun)
    for one in begun:
        one.kill()
        one.process.wait()


def check_until(sidecars, reached):
    until = time.monotonic() + PATIENCE
    while not reached():
        sidecars.check()
        assert time.monotonic() < until
        time.sleep(0.01)


SLEEPS = "import time; time.sleep(60)"


def test_a_command_begins_again_after_a_failure_or_an_end(beside, tmp_path):
    sidecars, begun = beside(FAILS_ONCE, str(tmp_path / "begun"))
    check_until(sidecars, lambda: len(begun) >= 3)
    sidecars.stop()
    sidecars.wait(PATIENCE)
    assert [one.process.returncode for one in begun][:2] == [1, 0]


def test_a_command_that_has_ended_waits_before_it_begins_again(beside):
    sidecars, begun = beside("")
    sidecars.pause = 60
    sidecars.check()
    begun[0].process.wait()
    for _time in range(3):
        sidecars.check()
    assert len(begun) == 1


def test_what_cannot_be_begun_is_tried_again(beside):
    sidecars, begun = beside(SLEEPS)
    begin, tries = sidecars.begin, []

    def second_time(command):
        tries.append(command)
        if len(tries) < 2:
            raise OSError("no memory")
        return begin(command)

    sidecars.begin = second_time
    check_until(sidecars, lambda: begun)
    assert len(tries) == 2


def test_a_command_ends_when_the_server_stops_and_is_not_begun_again(beside):
    sidecars, begun = beside(SLEEPS)
    sidecars.check()
    sidecars.stop()
    sidecars.wait(PATIENCE)
    sidecars.check()
    assert [one.process.returncode for one in begun] == [-signal.SIGTERM]


def test_a_command_that_does_not_end_in_time_is_killed(beside):
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    sidecars, begun = beside(deaf)
    sidecars.check()
    time.sleep(0.5)
    sidecars.stop()
    sidecars.wait(0.1)
    begun[0].process.wait(PATIENCE)
    assert begun[0].process.returncode in (-signal.SIGKILL, -signal.SIGTERM)


def test_nothing_is_begun_once_the_server_stops(beside):
    sidecars, begun = beside("raise SystemExit(1)")
    sidecars.stop()
    sidecars.check()
    assert begun == []


FORKED = """
import sys
from core.serving.sidecars import ForkedProcess
def work():
    {work}
process = ForkedProcess("a-name", work, lambda: print("closed", flush=True))
import os
print(os.waitstatus_to_exitcode(os.waitpid(process.number, 0)[1]), process.has_ended())
"""


@pytest.mark.parametrize(
    ("work", "said", "complaint"),
    [
        ("print('done')", "closed\ndone\n0 True\n", ""),
        ("sys.exit(3)", "closed\n3 True\n", ""),
        (
            "from django.core.management import CommandError; raise CommandError('no')",
            "closed\n1 True\n",
            "CommandError: no\n",
        ),
        ("1 / 0", "closed\n1 True\n", "a-name has failed"),
        (
            "print(open('/proc/self/comm').read().strip(), os.getpgrp() == os.getpid())",
            "closed\na-name True\n0 True\n",
            "",
        ),
    ],
    ids=["done", "ended", "refused", "failed", "named, in a group of its own"],
)
def test_a_fork_says_how_it_ended(work, said, complaint):
    ran = subprocess.run(
        [sys.executable, "-c", "import os" + FORKED.format(work=work)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == said
    assert complaint in ran.stderr


def test_a_fork_that_is_gone_already_is_asked_to_end_without_trouble():
    process = ForkedProcess.__new__(ForkedProcess)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    process.number = gone.pid
    process.terminate()
    process.kill()
    assert process.has_ended()


def test_what_runs_beside_the_server_waits_until_it_answers_and_not_for_ever():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert not wait_until_answered("127.0.0.1", port, 0.2)  # it listens, and says nothing

        def answer():
            asked, _address = server.accept()  # who gave up before
            asked.close()
            asked, _address = server.accept()
            with asked:
                assert asked.recv(100).startswith(b"GET /health/ ")
                asked.sendall(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")

        answering = threading.Thread(target=answer)
        answering.start()
        assert wait_until_answered("127.0.0.1", port, 20)
        answering.join()
    assert not wait_until_answered("127.0.0.1", port, 0.1)
