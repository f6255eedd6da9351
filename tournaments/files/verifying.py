"""The recount as a job: of a tournament for its organisers, of everything for the program's owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account
from clubs.roles import may_organise
from core.errors import JobError
from core.jobs.kinds import JobKind, JobResult, subjects_by_name
from tournaments.files.kept_recount import kept_differences
from tournaments.files.recount_all import check_register, one_after_the_other
from tournaments.models import Report, Tournament
from tournaments.models.append_only import unprotected

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import About, JobRun
    from core.jobs.models import Job

VERIFY, EVERYTHING = "verify", "everything"
MOST_TOLD = 200
LONGEST = 300

GONE = gettext_noop("This tournament no longer exists.")


def of_tournament(tournament: Tournament) -> str:
    return f"tournament {tournament.pk}"


class Recount(JobKind):
    """As `manage.py verify --all`: what is counted and what is wrong, in English as there."""

    code = VERIFY

    def things(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("tournament", Tournament.objects.select_related("host__union"), names)

    def key(self, thing: str, about: About, language: str) -> str:
        del about, language
        return f"{self.code} {thing}"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        if account.is_superuser:
            return job.thing == EVERYTHING or self.thing(job) is not None
        tournament = self.thing(job)
        return (
            tournament is not None and isinstance(account, Account) and may_organise(account, tournament.host)
        )

    def title(self, job: Job) -> str:
        if job.thing == EVERYTHING:
            return _("Recount of everything")
        return _("Recount of %(tournament)s") % {"tournament": getattr(self.thing(job), "name", "–")}

    def page(self, job: Job) -> str:
        tournament = self.thing(job)
        return reverse("desk_backup") if tournament is None else reverse("desk_log", args=[tournament.code])

    def context(self, job: Job) -> dict[str, Any]:
        tournament = self.thing(job)
        return {} if tournament is None else {"tournament": tournament}

    def version(self, job: Job) -> str:
        tournament = self.thing(job)
        return "" if tournament is None else str(tournament.version)

    def make(self, work: JobRun) -> JobResult:
        job = work.job
        tournaments = Tournament.objects.order_by("pk")
        if job.thing != EVERYTHING:
            tournaments = tournaments.filter(pk=int(job.thing.removeprefix("tournament ")))
        keys = list(tournaments.values_list("pk", flat=True))
        if job.thing != EVERYTHING and not keys:
            raise JobError(GONE)
        work.tell(0, len(keys))
        wrong = [f"The database does not protect reports: {problem}." for problem in unprotected(connection)]
        told: list[str] = []
        for count, recounted in enumerate(one_after_the_other(keys), start=1):
            wrong += recounted.differences
            told += recounted.notices
            work.tell(count)
        if job.thing == EVERYTHING:
            register = check_register()
            wrong += [*kept_differences(), *register.differences]
            told += register.notices
        reports = Report.objects.filter(table__round__tournament__in=tournaments)
        return JobResult(
            said={
                "reports": reports.count(),
                "differences": len(wrong),
                "wrong": [text[:LONGEST] for text in wrong[:MOST_TOLD]],
                "notices": [text[:LONGEST] for text in told[:MOST_TOLD]],
            }
        )

    def far(self, job: Job) -> str:
        return _("%(done)d of %(total)d tournaments checked.") % {"done": job.done, "total": job.total}

    def came_to(self, job: Job) -> list[str]:
        said, wrong = job.said, job.said["differences"]
        text = ngettext("%(number)d report was counted.", "%(number)d reports were counted.", said["reports"])
        counted = text % {"number": said["reports"]}
        if not wrong:
            return [counted, _("Every total agrees, and nothing has been changed by hand.")]
        text = ngettext("%(number)d difference was found:", "%(number)d differences were found:", wrong)
        return [counted, text % {"number": wrong}]

    def warnings(self, job: Job) -> list[str]:
        return [*job.said["wrong"], *job.said["notices"]]
