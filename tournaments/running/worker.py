"""The worker: runs each job in a child process of its own, at low priority; deliveries in processes besides.

A forked process starts at once, frees all its memory at the end, can be stopped at any point, and may crash
without affecting others. The worker renews the lease of its running jobs every few seconds, and takes over jobs
whose lease has expired.

Letters, webhooks and push messages are delivered by other processes, so that a slow recipient delays no sheet.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from types import FrameType
from typing import TYPE_CHECKING, NoReturn, Protocol

from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections, connections
from django.db.models import F
from django.urls import get_resolver
from django.utils import timezone

from clubs import webhooks as messages
from clubs.mail import sending as letters
from core import platform
from core.jobs.kinds import kind_of
from core.jobs.models import Job
from core.jobs.queue import FELL, MOST_TRIES, Watch, clear_begun, do, end, give_back, myself, take
from core.processes import settle_garbage
from tournaments.changes import push_subscriptions as pushes

if TYPE_CHECKING:
    from collections.abc import Sequence


NICE = 10
# Where memory runs out, a job is to go before what serves pages: from -1000 to 1000.
FIRST_TO_GO = "500"


class Process(Protocol):
    """A process at work."""

    def exit_status(self) -> int | None:
        """Its exit status; None while it is there."""

    def ask_to_end(self) -> None: ...

    def kill(self) -> None: ...

    def wait(self) -> None:
        """Wait until the process has ended."""


class Copied:
    """A forked process: starts at once, and shares unchanged memory."""

    def __init__(self, work: Callable[[], None]) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        stops = (signal.SIGTERM, signal.SIGINT)
        # Until each of the two has its own way of being stopped, neither is.
        signal.pthread_sigmask(signal.SIG_BLOCK, stops)
        self.number = os.fork()
        if not self.number:
            _be_a_copy(work, stops)
        self.handle = os.pidfd_open(self.number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, stops)

    def exit_status(self) -> int | None:
        if not select.select([self.handle], [], [], 0)[0]:
            return None
        return self._status()

    def ask_to_end(self) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGTERM)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def wait(self) -> None:
        self._status()

    def _status(self) -> int:
        _number, status = os.waitpid(self.number, 0)
        os.close(self.handle)
        return os.waitstatus_to_exitcode(status)


class Begun:
    """A new process: imports the program itself, which takes a second."""

    def __init__(self, *asked: str) -> None:
        command = [sys.executable, "manage.py", "jobs", *asked]
        self.process = platform.begin(command, cwd=settings.BASE_DIR, apart=True)

    def exit_status(self) -> int | None:
        return self.process.poll()

    def ask_to_end(self) -> None:
        self.process.terminate()

    def kill(self) -> None:
        self.process.kill()

    def wait(self) -> None:
        self.process.wait()


def begin_on(job: int, work: Callable[[int], None]) -> Process:
    """A process that does `work` on the job with this primary key."""
    return begin(lambda: work(job), "--do", str(job))


def begin(work: Callable[[], None], *asked: str) -> Process:
    """A child process that runs `work`, or `manage.py jobs` with these arguments."""
    return Copied(work) if platform.COPIES else Begun(*asked)


def wait_for_one(processes: Sequence[Process], seconds: float) -> None:
    """Wait until one of them has ended, or so many seconds."""
    if platform.COPIES:
        handles = [process.handle for process in processes if isinstance(process, Copied)]
        select.select(handles, [], [], seconds)
    else:
        time.sleep(seconds)


def stand_behind() -> None:
    """Prepare a job's process: it ends with its parent, has low priority, and is killed first without memory."""
    platform.end_with_parent()
    platform.step_back(NICE)
    platform.be_first_to_go(FIRST_TO_GO)


def _be_a_copy(work: Callable[[], None], stops: tuple[signal.Signals, ...]) -> NoReturn:
    status = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, stops)
        stand_behind()
        work()
        status = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


logger = logging.getLogger(__name__)

# Between two looks for what is due.
DUE_EVERY = 2.0
AFTER_A_FAULT = 60.0


class Errand:
    """`name` is what `manage.py jobs --errand` calls it."""

    def __init__(self, name: str, is_due: Callable[[datetime], bool], run: Callable[[], object]) -> None:
        self.name, self.is_due, self.run = name, is_due, run
        self.process: Process | None = None
        self.looked = 0.0

    def see_to_it(self) -> None:
        """Start a process for the due deliveries, if none is running."""
        if self.process is not None and (status := self.process.exit_status()) is not None:
            self.process = None
            self.looked += AFTER_A_FAULT if status else 0.0  # the log has room for other things too
        if self.process is None and time.monotonic() - self.looked > DUE_EVERY:
            self.looked = time.monotonic()
            if self.is_due(timezone.now()):
                _ = get_resolver().url_patterns  # for links: read here once, not by each who is copied off
                connections.close_all()
                self.process = begin(self.do, "--errand", self.name)

    def stop(self) -> None:
        if self.process is not None:
            self.process.ask_to_end()
            self.process.wait()
            self.process = None

    def do(self) -> None:
        try:
            self.run()
        except Exception:
            logger.exception("Errand %s", self.name)
            raise
        finally:
            connections.close_all()

    def do_alone(self) -> None:
        """The entry point of a new process (not a forked one) for this delivery."""
        stand_behind()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.do()


def errands() -> list[Errand]:
    return [
        Errand("letters", letters.is_due, letters.send_due),
        Errand("messages", messages.is_due, messages.deliver_due),
        Errand("pushes", pushes.is_due, pushes.tell_due),
    ]


LOOK_AGAIN = 0.5  # seconds
BEAT = 5.0
# Seconds between SIGTERM and SIGKILL.
GRACE = 5.0
# Between two looks for what waits for a moment alone.
DUE_AFTER_A_FAULT = 60.0


class PeriodicTask:
    """A periodic task: run at most every so many seconds, if `where` is true."""

    def __init__(
        self, seconds: float, *does: Callable[[datetime], object], where: Callable[[], bool] = lambda: True
    ) -> None:
        self.seconds, self.does, self.where = seconds, does, where
        self.looked = float("-inf")

    def due(self) -> tuple[Callable[[datetime], object], ...]:
        """The functions to call now, if the task is due; then none until the time has passed."""
        if time.monotonic() - self.looked < self.seconds or not self.where():
            return ()
        self.looked = time.monotonic()
        return self.does


@dataclass
class Child:
    """A job, and the process at work on it."""

    job: Job
    process: Process
    told_to_end: float = 0.0


class Worker:
    """Does jobs until it is stopped: one that sheets need not wait for, and one of the others, at a time."""

    def __init__(self, do_what_is_due: Callable[[datetime], object] = lambda _now: None) -> None:
        """`do_what_is_due` is called again and again with the time, for what becomes so by the clock alone."""
        self.do_what_is_due = do_what_is_due
        self.children: list[Child] = []
        self.errands = errands()
        self.watch = Watch()
        self.beaten = time.monotonic()
        self.looked_for_due = 0.0

    def run(self) -> NoReturn:
        platform.end_if_held()
        signal.signal(signal.SIGTERM, _stop)
        signal.signal(signal.SIGINT, _stop)
        settle_garbage()  # a copy shares what is never looked through
        try:
            while True:
                # A database that is away for a moment, or a writer that takes long: the jobs are there afterwards.
                with suppress(OperationalError, InterfaceError):
                    self.look()
                    self.see_what_is_due()
                    for errand in self.errands:
                        errand.see_to_it()
                close_old_connections()
                wait_for_one([child.process for child in self.children], LOOK_AGAIN)
        finally:
            self.stop()

    def look(self) -> None:
        """One iteration: reap ended processes, stop withdrawn jobs, mark lost ones, start waiting ones."""
        self._see_who_ended()
        under_way = list(Job.objects.filter(state__in=Job.UNDER_WAY).order_by("pk"))
        self._end_what_was_stopped({job.pk: job for job in under_way})
        if time.monotonic() - self.beaten > BEAT:
            self.beaten = time.monotonic()
            mine = Job.objects.filter(pk__in=[child.job.pk for child in self.children], worker=myself())
            mine.update(beats=F("beats") + 1, touched_at=timezone.now())
        lost = self.watch.lost(job for job in under_way if job.is_running)
        for job in lost:
            logger.warning("Job %s was left unfinished by its worker and is started again", job)
        for job in [*lost, *(job for job in under_way if job.is_waiting)]:
            if self._has_room_for(job) and take(job, myself()):
                clear_begun(job.pk)
                self._begin(Job.objects.get(pk=job.pk))

    def see_what_is_due(self) -> None:
        if time.monotonic() - self.looked_for_due > DUE_EVERY:
            self.looked_for_due = time.monotonic()
            try:
                self.do_what_is_due(timezone.now())
            except (OperationalError, InterfaceError):
                raise
            except Exception:  # whatever it is, sheets are made all the same
                logger.exception("Periodic work failed")
                self.looked_for_due += DUE_AFTER_A_FAULT  # the log has room for other things too

    def _has_room_for(self, job: Job) -> bool:
        waits = kind_of(job.kind).waits_for_long_ones
        return all(kind_of(child.job.kind).waits_for_long_ones != waits for child in self.children)

    def _begin(self, job: Job) -> None:
        kind_of(job.kind).prepare()
        connections.close_all()
        self.children.append(Child(job, begin_on(job.pk, _do)))

    def _see_who_ended(self) -> None:
        for child in list(self.children):
            status = child.process.exit_status()
            if status is None:
                continue
            self.children.remove(child)
            clear_begun(child.job.pk)
            self._say_how_it_ended(child, status)

    def _say_how_it_ended(self, child: Child, status: int) -> None:
        """Record a job's end that its process did not record: stopped, or crashed."""
        job = Job.objects.filter(pk=child.job.pk, state=Job.State.RUNNING, worker=myself()).first()
        if job is None:
            return
        if job.stop_asked_by:
            end(job, Job.State.STOPPED)
        elif job.tries >= MOST_TRIES:
            end(job, Job.State.FAILED, error=FELL)
        else:
            logger.warning("Job %s crashed (%s) and is started again", job, status)
            Job.objects.filter(pk=job.pk, worker=myself()).update(state=Job.State.WAITING, worker="", done=0)

    def _end_what_was_stopped(self, under_way: dict[int, Job]) -> None:
        """Stop processes whose job was cancelled, leased by another worker, or deleted."""
        for child in self.children:
            job = under_way.get(child.job.pk)
            if job is not None and not job.stop_asked_by and job.worker == myself():
                continue
            if not child.told_to_end:
                child.told_to_end = time.monotonic()
                child.process.ask_to_end()
            elif time.monotonic() - child.told_to_end > GRACE:
                child.process.kill()

    def stop(self) -> None:
        """End what is at work; the next worker takes it up."""
        connections.close_all()
        for errand in self.errands:
            errand.stop()
        for child in self.children:
            child.process.kill()
            child.process.wait()
            clear_begun(child.job.pk)
            with suppress(OperationalError, InterfaceError):
                give_back(child.job)
        self.children.clear()


def do_alone(pk: int) -> None:
    """The entry point of a new process (not a forked one) for one job."""
    stand_behind()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _do(pk)


def _do(pk: int) -> None:
    try:
        do(pk)
    except BaseException:
        logger.exception("Job %s", pk)
        raise
    finally:
        connections.close_all()


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)
