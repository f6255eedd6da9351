"""A pool of child processes: what it returns and raises, also where no thread can be started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from core.platform import COPIES
from core.processes import Call, Workers
from tests.patience import PATIENCE

STARTS = ["spawn", *(["fork"] if COPIES else [])]
# Those who test have threads; what is copied here does not wait for them.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
# A process with 4 MB left, too little for the stack of a thread, that asks for a result.
NO_THREADS = """
import resource, sys
from core.processes import Workers

if __name__ == "__main__":
    with Workers(1, "fork") as workers:
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 4 * 2**20, used + 4 * 2**20))
        print(workers.submit(pow, 2, 5).result())
"""


@pytest.mark.parametrize("start", STARTS)
def test_calls_are_made_in_other_processes_and_return_in_any_order(start):
    with Workers(2, start) as workers:
        calls = [workers.submit(pow, 2, number) for number in range(5)]
        assert [call.result() for call in reversed(calls)] == [16, 8, 4, 2, 1]
        assert workers.submit(os.getpid).result() != os.getpid()


@pytest.mark.parametrize("start", STARTS)
def test_at_most_so_many_processes_are_begun(start):
    with Workers(2, start) as workers:
        calls = [workers.submit(os.getpid) for _number in range(9)]
        assert len({call.result() for call in calls}) <= 2


def test_waiting_ends_with_the_first_that_is_done():
    with Workers(2, "spawn") as workers:
        calls = [workers.submit(abs, -1), workers.submit(signal.pause)]
        workers.wait()
        assert [call.is_done for call in calls] == [True, False]
        workers.workers[1].process.terminate()
        with pytest.raises(BrokenProcessPool):
            workers.wait()


def test_each_process_begins_with_what_it_is_given():
    with Workers(1, "spawn", os.putenv, "CHILDREN_BEGUN", "yes") as workers:
        told = workers.submit(subprocess.check_output, ["sh", "-c", "echo $CHILDREN_BEGUN"])
        assert told.result() == b"yes\n"


def test_an_error_is_raised_where_its_result_is_asked_for_with_where_it_came_from():
    with Workers(1, "spawn") as workers:
        wrong, right = workers.submit(int, "x"), workers.submit(int, "7")
        assert right.result() == 7
        with pytest.raises(ValueError, match="invalid literal") as raised:
            wrong.result()
    assert "in _work" in raised.value.__notes__[0]


class UnsentError(Exception):
    """An error with what no pickle can hold."""

    def __init__(self):
        super().__init__("a lambda", lambda: None)


class UnreadError(Exception):
    """An error that pickle can hold, and not make again."""

    def __init__(self, what, where):
        super().__init__(f"{what} at {where}")


def unsent():
    raise UnsentError


def unread():
    raise UnreadError("a fault", "table 3")


@pytest.mark.parametrize(
    ("function", "words"), [(unsent, "UnsentError: .*a lambda"), (unread, "UnreadError: a fault at table 3")]
)
def test_an_error_that_cannot_be_sent_is_named_with_where_it_came_from(function, words):
    with Workers(1, "spawn") as workers:
        wrong, right = workers.submit(function), workers.submit(abs, -1)
        with pytest.raises(RuntimeError, match=words) as raised:
            wrong.result()
        assert right.result() == 1
    assert f"in {function.__name__}" in raised.value.__notes__[0]


def test_a_result_that_cannot_be_sent_is_an_error_of_its_call():
    with Workers(1, "spawn") as workers:
        unsent = workers.submit(compile, "1", "", "eval")
        with pytest.raises(TypeError, match="code"):
            unsent.result()
        assert workers.submit(abs, -1).result() == 1


@pytest.mark.parametrize("start", STARTS)
def test_a_process_that_is_killed_breaks_the_pool(start):
    with pytest.raises(BrokenProcessPool), Workers(2, start) as workers:
        workers.submit(os._exit, 1).result()


def test_what_is_still_at_work_is_ended_where_the_caller_stops():
    workers = Workers(1, "spawn")
    with pytest.raises(IndexError), workers:
        [workers.submit(signal.pause)].pop(1)
    assert [worker.process.exitcode for worker in workers.workers] == [-signal.SIGKILL]


def test_a_call_that_was_made_here_has_its_result():
    made = Call.done("x")
    assert (made.is_done, made.result()) == (True, "x")


def test_where_no_thread_can_be_started_nothing_waits_for_one(tmp_path):
    (tmp_path / "no_threads.py").write_text(NO_THREADS)
    command = [sys.executable, str(tmp_path / "no_threads.py")]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(root)}, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.stdout, done.stderr) == ("32\n", "")
