"""All that is kept of results counted anew, as a job: for the program's owner, as `manage.py count_anew` does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.jobs.kinds import JobResult
from tournaments.files.verifying import Recount
from tournaments.models import DealSum, EveningResult, Rating
from tournaments.people.club_years import keep_what_is_lacking
from tournaments.seasons.results import count_what_is_lacking, forget_everything

if TYPE_CHECKING:
    from core.jobs.kinds import JobRun
    from core.jobs.models import Job

COUNT_ANEW = "anew"


class CountedAnew(Recount):
    """Ratings, what each evening is to its season, sums of deals. Stopped early it leaves the rest to the pages."""

    code = COUNT_ANEW

    def title(self, job: Job) -> str:
        del job
        return _("Ratings, ladders and statistics recalculated")

    def make(self, work: JobRun) -> JobResult:
        forget_everything()
        count_what_is_lacking(work.tell)
        keep_what_is_lacking()
        kept = {
            "ratings": Rating.objects.count(),
            "results": EveningResult.objects.count(),
            "sums": DealSum.objects.count(),
        }
        return JobResult(said=kept)

    def far(self, job: Job) -> str:
        return _("%(done)d of %(total)d evenings and clubs recalculated.") % {
            "done": job.done,
            "total": job.total,
        }

    def came_to(self, job: Job) -> list[str]:
        # A job of an earlier Spadille has counted no sums.
        return [
            _("%(ratings)d ratings, %(results)d season results and %(sums)d sums of deals recalculated.")
            % ({"sums": 0} | job.said)
        ]

    def warnings(self, job: Job) -> list[str]:
        del job
        return []
