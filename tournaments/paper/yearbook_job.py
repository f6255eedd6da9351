"""Making a season's yearbook: a job, since a long season takes some seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from clubs.roles import may_organise
from core.errors import JobError
from core.jobs import queue
from core.jobs.kinds import WithdrawReason, subject_name, subjects_by_name
from core.pdf.job import OfPages, made_of_pages, ready_of
from tournaments.changes.versions import print_of_versions
from tournaments.models import Season
from tournaments.paper.yearbook import yearbook_pages
from tournaments.paper.yearbook_told import yearbook_told

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import JobResult, JobRun
    from core.jobs.models import Job

YEARBOOK = "yearbook"
GONE = gettext_noop("This season no longer exists.")


def ask(season: Season, *, language: str, account: Account) -> Job:
    """The job that makes the yearbook, or has made it of the season as it stands."""
    wish = queue.JobRequest(YEARBOOK, of_season(season), language)
    return queue.enqueue(wish, account=account, now=timezone.now())


def of_season(season: Season) -> str:
    """What the job is of."""
    return subject_name("season", season.pk)


def made_of(season: Season) -> list[Job]:
    """Yearbooks of a season that can still be opened, the newest first."""
    return ready_of(YEARBOOK, of_season(season))


class Yearbook(OfPages):
    """A season's yearbook as one PDF."""

    code = YEARBOOK
    withdrawn = frozenset(WithdrawReason)

    def things(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("season", Season.objects.select_related("host__union"), names)

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        season = self.thing(job)
        return season is not None and isinstance(account, Account) and may_organise(account, season.host)

    def title(self, job: Job) -> str:
        return _("Yearbook · %(season)s") % {"season": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        season = self.thing(job)
        return (
            reverse("desk") if season is None else reverse("club_season", args=[season.host.slug, season.pk])
        )

    def version(self, job: Job) -> str:
        """What changes with its rule and evenings, and with what these say of anybody: names, settings, objections."""
        season = self.thing(job)
        if season is None:
            return ""
        evenings = season.evenings.order_by().aggregate(all=print_of_versions())["all"]
        return f"{season.version} {evenings}"

    def make(self, work: JobRun) -> JobResult:
        season = self.thing(work.job)
        if season is None:
            raise JobError(GONE)
        pages = yearbook_pages(yearbook_told(season), timezone.localtime())
        title = _("Yearbook · %(season)s") % {"season": season}
        return made_of_pages(work, pages, title, season.host, season.name, _("Yearbook"))

    def far(self, job: Job) -> str:
        return super().far(job) if job.total else _("The season is being calculated.")
