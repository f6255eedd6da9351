"""The job that analyses the folders of a round once it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.models import Account
from core.jobs import queue
from core.jobs.kinds import JobKind, JobResult, subject_name, subjects_by_name
from tournaments.boards.analysis import analyse_next, await_analysis, forget_analysis
from tournaments.boards.folders import is_sealed
from tournaments.changes.permissions import may_help_at
from tournaments.changes.versions import announce
from tournaments.models import FolderAnalysis, Round

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import About, JobRun
    from core.jobs.models import Job

ANALYSIS = "folders"


def update_analysis(round_: Round, *, account: AbstractUser | None, now: datetime) -> Job | None:
    """Have a round's folders analysed if it is over, or forget their analysis if it is sealed; the job, if any.

    Called within whatever may open or seal a round.
    """
    if not round_.tournament.boards:
        return None
    if is_sealed(round_):
        forget_analysis(round_)
        return None
    waiting = await_analysis(round_)
    if not waiting:
        return None
    wish = queue.JobRequest(ANALYSIS, subject_name("round", round_.pk), get_language() or "en", total=waiting)
    return queue.enqueue(wish, account=account, now=now)


class AnalysedFolders(JobKind):
    """Analyse each seat of a round's folders. After a stop the rest can be queued at the desk."""

    code = ANALYSIS

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name(
            "round", Round.objects.select_related("tournament__host", "tournament__held_by"), names
        )

    def key(self, thing: str, about: About, language: str) -> str:
        del about, language
        return f"{self.code} {thing}"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        round_ = self.thing(job)
        if round_ is None or not isinstance(account, Account):
            return False
        return may_help_at(account, round_.tournament)

    def title(self, job: Job) -> str:
        round_ = self.thing(job)
        return _("Analysis of the folders of round %(number)s") % {"number": getattr(round_, "number", "–")}

    def page(self, job: Job) -> str:
        round_ = self.thing(job)
        return (
            reverse("desk_boards", args=[round_.tournament.code]) if round_ is not None else reverse("desk")
        )

    def context(self, job: Job) -> dict[str, Any]:
        round_ = self.thing(job)
        return {"tournament": round_.tournament} if round_ is not None else {}

    def make(self, work: JobRun) -> JobResult:
        round_ = self.thing(work.job)
        if round_ is None:
            return JobResult(said={"folders": 0})
        rows = FolderAnalysis.objects.filter(tournament=round_.tournament, round_number=round_.number)
        work.tell(0, rows.filter(found__isnull=True).count())
        done = 0
        try:
            while analyse_next(
                Round.objects.select_related("tournament").get(pk=round_.pk), now=timezone.now()
            ):
                done += 1
                work.tell(done)
        finally:
            if done:
                with transaction.atomic():
                    announce(round_.tournament_id)
        return JobResult(said={"folders": done})

    def progress_text(self, job: Job) -> str:
        return _("%(done)d of %(total)d folders analysed.") % {"done": job.done, "total": job.total}

    def result_messages(self, job: Job) -> list[str]:
        folders = job.said["folders"]
        said = ngettext("%(count)d folder analysed.", "%(count)d folders analysed.", folders)
        return [said % {"count": folders}]
