"""The process that does jobs: it may be killed with what it does, and whoever comes next takes that up again."""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.utils import timezone

from clubs.mail.outbox import enqueue_letter
from clubs.models import Letter
from core.jobs import kinds, queue
from core.jobs.kinds import JobKind, JobResult, kind_of
from core.jobs.models import Job, jobs_folder
from core.jobs.queue import JobRequest
from tests.patience import PATIENCE
from tournaments.management.commands import jobs as command
from tournaments.running.worker import PeriodicTask, Worker

pytestmark = pytest.mark.django_db(transaction=True)


class Napping(JobKind):
    """Goes on until there is the file that it waits for; kills itself where it is told to."""

    code = "napping"

    def may_see(self, _account, _job):
        return True

    def title(self, job):
        return f"Napping {job.thing}"

    def page(self, _job):
        return "/desk/"

    def make(self, work):
        work.tell(0, 2)
        (work.folder / "half").write_text("half")
        if work.job.about.get("falls"):
            os.kill(os.getpid(), signal.SIGKILL)
        while not (jobs_folder() / f"wake-{work.job.thing}").exists():
            time.sleep(0.02)
        (work.folder / "whole").write_text(f"{os.nice(0)}")
        return JobResult(work.keep(work.folder / "whole", "txt"), "whole.txt")


class Hurried(Napping):
    waits_for_long_ones = False


@pytest.fixture(autouse=True)
def _kinds(settings, monkeypatch):
    kind_of.cache_clear()
    settings.JOB_KINDS = {"napping": "Napping", "hurried": "Hurried"}
    monkeypatch.setattr(kinds, "import_string", {"Napping": Napping, "Hurried": Hurried}.__getitem__)
    yield
    kind_of.cache_clear()


@pytest.fixture
def ask(alice):
    def asked(thing, kind="napping", **about):
        return queue.enqueue(JobRequest(kind, thing, "en", about), account=alice, now=timezone.now())

    return asked


def wake(thing):
    (jobs_folder() / f"wake-{thing}").touch()


@contextmanager
def a_worker():
    worker = Worker()
    try:
        yield worker
    finally:
        worker.stop()


def look_until(worker, came_to):
    until = time.monotonic() + PATIENCE
    while not came_to():
        worker.look()
        time.sleep(0.02)
        assert time.monotonic() < until, list(Job.objects.values())


def states():
    return list(Job.objects.order_by("pk").values_list("state", flat=True))


def making():
    return sorted(path.name for path in jobs_folder().iterdir() if path.name.startswith(".making"))


def test_a_job_is_done_in_a_process_of_its_own_that_is_nice_to_all_others(ask):
    job = ask("one")
    with a_worker() as worker:
        look_until(worker, making)
        assert Job.objects.get().worker.split("/")[-2] == str(os.getpid())
        wake("one")
        look_until(worker, lambda: states() == ["done"] and not worker.children)
    job.refresh_from_db()
    assert int(job.path.read_text()) == min(19, os.nice(0) + 10)
    assert making() == []


def test_an_evenings_sheets_wait_for_no_long_work_but_long_work_for_long_work(ask):
    ask("one")
    ask("two")
    ask("sheets", "hurried")
    with a_worker() as worker:
        look_until(worker, lambda: len(making()) == 2)
        assert states() == ["running", "waiting", "running"]
        wake("one")
        look_until(worker, lambda: states() == ["done", "running", "running"])


def test_stopped_from_elsewhere_its_process_is_ended_in_the_midst(ask):
    job = ask("one")
    with a_worker() as worker:
        look_until(worker, making)
        queue.stop(job, who="Alice", now=timezone.now())
        # Where it tells its progress just then, it stops by itself, and says so before it is gone.
        look_until(worker, lambda: states() == ["stopped"] and not worker.children)
        assert making() == []


def test_when_spadille_is_stopped_the_next_start_takes_it_up(ask):
    ask("one")
    with a_worker() as worker:
        look_until(worker, making)
    assert (states(), making()) == (["waiting"], [])
    wake("one")
    with a_worker() as worker:
        look_until(worker, lambda: states() == ["done"])
    assert Job.objects.get().tries == 1


def test_a_worker_that_was_killed_leaves_what_another_takes_up_again(ask, caplog):
    """As by kill -9 or for want of memory: nothing tells of it but that the process is gone."""
    ask("one")
    connections.close_all()
    first = os.fork()
    if not first:
        worker = Worker()
        while True:
            worker.look()
            time.sleep(0.02)
    until = time.monotonic() + PATIENCE
    while not making() and time.monotonic() < until:
        time.sleep(0.02)
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    assert states() == ["running"]
    wake("one")
    with a_worker() as worker:
        look_until(worker, lambda: states() == ["done"])
    assert Job.objects.get().tries == 2
    assert "is started again" in caplog.text
    assert making() == []


def test_what_makes_its_process_fall_is_given_up_after_three_times(ask):
    ask("one", falls=True)
    with a_worker() as worker:
        look_until(worker, lambda: states() == ["failed"])
    job = Job.objects.get()
    assert (job.tries, making()) == (3, [])
    assert "three times" in job.error_words


def test_the_command_lists_jobs_and_ends_one(ask, monkeypatch):
    monkeypatch.setattr("tournaments.management.commands.jobs.refuse_empty_folder", lambda: None)
    job = ask("one")
    said = StringIO()
    call_command("jobs", stdout=said)
    assert said.getvalue().split()[:4] == [str(job.pk), "waiting", "napping", "one"]
    call_command("jobs", stop=job.pk, stdout=said)
    assert states() == ["stopped"]
    with pytest.raises(CommandError, match=f"No job {job.pk} is under way"):
        call_command("jobs", stop=job.pk)


def test_what_the_clock_makes_due_is_done_now_and_then_and_stops_no_job(caplog):
    asked = []

    def falls(now):
        asked.append(now)
        raise ValueError("a tournament that cannot be")

    worker = Worker(falls)
    worker.see_what_is_due()
    worker.see_what_is_due()
    assert len(asked) == 1
    worker.looked_for_due -= 10  # as if so many seconds had passed: after a fault it waits a minute
    worker.see_what_is_due()
    assert len(asked) == 1
    worker.looked_for_due -= 60
    worker.see_what_is_due()
    assert len(asked) == 2
    assert "Periodic work failed" in caplog.text


def test_the_process_beside_the_pages_makes_final_what_nobody_objects_to_and_clears_old_pictures(monkeypatch):
    given = []
    monkeypatch.setattr(command, "refuse_empty_folder", lambda: None)

    def worker(due):
        given.append(due)
        return SimpleNamespace(run=lambda: None)

    monkeypatch.setattr(command, "Worker", worker)
    call_command("jobs", "--work")
    done, mail = [], []

    def does(name):
        def do(now):
            done.append((name, now))
            assert name != "falls", "those behind it are done all the same"

        return do

    each, seldom = PeriodicTask(0, does("falls"), does("finish")), PeriodicTask(60, does("clear"))
    monkeypatch.setattr(command, "DUE", (each, seldom, PeriodicTask(60, does("post"), where=lambda: mail)))
    for now in (1, 2):
        with pytest.raises(AssertionError, match="falls"):
            given[0](now)
    mail.append("is set up")
    with pytest.raises(AssertionError, match="falls"):
        given[0](3)
    assert done == [
        *[("falls", 1), ("finish", 1), ("clear", 1)],
        *[("falls", 2), ("finish", 2)],
        *[("falls", 3), ("finish", 3), ("post", 3)],
    ]


def test_two_who_send_at_once_send_each_letter_once_and_hold_up_no_job(post_office):
    addresses = [f"{number}@example.dk" for number in range(5)]
    for address in addresses:
        enqueue_letter("trial", address, language="en", facts={})
    with a_worker() as one, a_worker() as other:
        for worker in (one, other):
            for errand in worker.errands:
                errand.see_to_it()
        until = time.monotonic() + PATIENCE
        while Letter.objects.filter(state__in=Letter.UNDER_WAY).exists() and time.monotonic() < until:
            time.sleep(0.05)
    assert set(Letter.objects.values_list("state", "tries")) == {("sent", 1)}
    assert sorted(letter["To"] for letter in post_office.came) == sorted(addresses)
