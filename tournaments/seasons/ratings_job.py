"""The job that recalculates the ratings of a union, or of a club without one, after an older evening has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.models import Account, Club
from clubs.roles import may_organise
from core.jobs.kinds import JobKind, JobResult, subjects_by_name
from tournaments.seasons.ratings import RATINGS, counting, hosts_of, update_ratings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import About, JobRun
    from core.jobs.models import Job


class RecalculatedRatings(JobKind):
    """Queued by the next request for ratings; a job that was interrupted continues where it stopped."""

    code = RATINGS

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("club", Club.objects.all(), names)

    def key(self, thing: str, about: About, language: str) -> str:
        del about, language
        return f"{self.code} {thing}"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        club = self.thing(job)
        return club is not None and isinstance(account, Account) and may_organise(account, club)

    def title(self, job: Job) -> str:
        return _("Recalculation of the ratings · %(club)s") % {"club": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        club = self.thing(job)
        return reverse("desk") if club is None else reverse("hall_rating", args=[club.slug])

    def make(self, work: JobRun) -> JobResult:
        club = self.thing(work.job)
        if club is None:
            return JobResult()
        evenings = counting(hosts_of(club)).order_by()
        work.tell(0, evenings.count())

        def tell(until: date) -> None:
            work.tell(evenings.filter(date__lt=until).count())

        update_ratings(club, tell)
        return JobResult()

    def progress_text(self, job: Job) -> str:
        return _("%(done)d of %(total)d evenings recalculated.") % {"done": job.done, "total": job.total}
