"""The job that chooses the deals of a season's booklet: for each a line of best play is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.models import Account
from core.jobs import queue
from core.jobs.kinds import JobKind, JobResult, subject_name, subjects_by_name
from tournaments.changes.permissions import may_organise_season
from tournaments.models import Season
from tournaments.seasons.deals import choose_deals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import About, JobRun
    from core.jobs.models import Job

DEALS = "deals"


def ask(season: Season, *, account: Account) -> Job:
    """The job that chooses the season's deals."""
    wish = queue.JobRequest(DEALS, subject_name("season", season.pk), get_language() or "en", total=1)
    return queue.enqueue(wish, account=account, now=timezone.now())


class ChosenDeals(JobKind):
    """The most instructive deals of a season."""

    code = DEALS

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("season", Season.objects.select_related("host"), names)

    def key(self, thing: str, about: About, language: str) -> str:
        del about, language
        return f"{self.code} {thing}"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        season = self.thing(job)
        if season is None or not isinstance(account, Account):
            return False
        return may_organise_season(account, season)

    def title(self, job: Job) -> str:
        return _("Deals of the season · %(season)s") % {"season": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        season = self.thing(job)
        if season is None:
            return reverse("desk")
        return reverse("club_season_deals", args=[season.host.slug, season.pk])

    def make(self, work: JobRun) -> JobResult:
        season = self.thing(work.job)
        work.tell(0, 1)
        count = choose_deals(season) if season is not None else 0
        work.tell(1)
        return JobResult(said={"deals": count})

    def progress_text(self, job: Job) -> str:
        del job
        return _("The deals of the season are being compared.")

    def result_messages(self, job: Job) -> list[str]:
        count = job.said["deals"]
        said = ngettext("%(count)d deal is chosen.", "%(count)d deals are chosen.", count)
        return [said % {"count": count}]
