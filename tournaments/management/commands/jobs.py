"""`manage.py jobs`: list background jobs, cancel one, or run the worker."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from contextlib import ExitStack
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.mail.outbox import is_set_up
from clubs.member_import import forget_old_uploads
from clubs.register import answer_by_silence
from core.database import refuse_empty_folder
from core.jobs.models import Job
from core.jobs.queue import stop
from tournaments.entries.erasing import propose_erasures
from tournaments.entries.merging import forget_merges
from tournaments.lifecycle.ending import finish_what_is_due
from tournaments.lifecycle.league_mail import post_rounds
from tournaments.lifecycle.mail import post_asking, post_results, post_seats
from tournaments.lifecycle.registration.decisions import forget_who_had_no_place
from tournaments.people.person_statistics import refresh_fit
from tournaments.reporting.scans.upload import clear_old
from tournaments.running.worker import PeriodicTask, Worker, do_alone, errands

# What becomes so by the clock alone. Letters go through the evenings of some days at each look.
DUE = (
    PeriodicTask(0.0, finish_what_is_due),
    PeriodicTask(30.0, post_asking, post_seats, post_results, post_rounds, where=is_set_up),
    PeriodicTask(60.0, refresh_fit),
    PeriodicTask(
        3600.0,
        forget_who_had_no_place,
        clear_old,
        forget_old_uploads,
        answer_by_silence,
        forget_merges,
        propose_erasures,
    ),
)


class Command(BaseCommand):
    help = "Lists the background jobs of the last day: sheets, checks, backups, lists. `serve` runs them "
    "by itself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--stop", type=int, metavar="NUMBER", help="cancel the job with this number")
        parser.add_argument("--work", action="store_true", help="run jobs until stopped, as `serve` does")
        # For who does jobs, where a process cannot be copied off another.
        parser.add_argument("--do", type=int, help=SUPPRESS)
        parser.add_argument("--errand", help=SUPPRESS)

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_empty_folder()
        if options["work"]:
            Worker(_do_what_is_due).run()
        if options["do"] is not None:
            do_alone(options["do"])
            return
        if options["errand"]:
            next(one for one in errands() if one.name == options["errand"]).do_alone()
            return
        if options["stop"] is not None:
            self._stop(options["stop"])
        for job in Job.objects.select_related("asked_by").order_by("pk"):
            self.stdout.write(_line(job))

    def _stop(self, number: int) -> None:
        job = Job.objects.filter(pk=number, state__in=Job.UNDER_WAY).first()
        if job is None:
            raise CommandError(f"No job {number} is under way.")
        stop(job, who="manage.py", now=timezone.now())


def _do_what_is_due(now: datetime) -> None:
    """Run all due tasks, regardless of errors of earlier ones."""
    with ExitStack() as stack:
        for done in reversed([done for again in DUE for done in again.due()]):  # the last one first
            stack.callback(done, now)


def _line(job: Job) -> str:
    """A line such as “12  running  sheets  round 4  3/40  since 20:14  anna”."""
    at = timezone.localtime(job.ended_at or job.begun_at or job.asked_at)
    far = f"{job.done}/{job.total}" if job.total else "-"
    said = [f"{job.pk:>5}", f"{job.state:<8}", f"{job.kind:<9}", f"{job.thing:<24}", f"{far:>9}"]
    stopping = " (to be stopped)" if job.is_running and job.stop_asked_by else ""
    who = job.asked_by.username if job.asked_by else "a visitor"
    return "  ".join([*said, f"{at:%d %b %H:%M:%S}", who]) + stopping
