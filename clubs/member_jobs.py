"""Background jobs for long member lists: export and import."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_noop, ngettext
from django.utils.translation import gettext as _

from clubs.clubs import lock_club, log_change
from clubs.import_plan import Kind as KindOfRow
from clubs.member_import import confirm, describe_refusal, dry_run, run_context, summarize_counts
from clubs.members import MemberLine, MemberTable, export_members, member_lines, memberships_of
from clubs.models import Account, Club, ClubLogEntry, MemberImport
from clubs.roles import may_organise
from core.errors import JobError
from core.jobs.kinds import JobKind, JobResult, WithdrawReason, subject_name, subjects_by_name
from core.jobs.models import Job
from core.jobs.queue import JobRequest
from core.tables.files import CONTENT_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.contrib.auth.models import AbstractUser
    from django.db.models import QuerySet

    from core.jobs.kinds import About, JobRun

EXPORT, IMPORT, PLAN = "members", "import", "plan"
# From so many rows on, of which one core does as many in two seconds, it is a job.
ROWS_AT_ONCE = {"csv": 30_000, "xlsx": 12_000}
IMPORTED_AT_ONCE = 1_000
TOLD_EVERY = 500
# A dry run finds who the rows may be, decides, and is written.
PLANNED_IN = 3

SAVED = gettext_noop("Saved the member list as a file")
GONE = gettext_noop("This list has already been imported or discarded.")


def of_club(club: Club) -> str:
    """The subject of jobs about this club."""
    return subject_name("club", club.pk)


class OfMembers(JobKind):
    """Base of jobs that only organisers of a club may see."""

    def subjects(self, names: Iterable[str]) -> dict[str, Club]:
        return subjects_by_name("club", Club.objects.all(), names)

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        club = self.thing(job)
        return club is not None and isinstance(account, Account) and may_organise(account, club)

    def page(self, job: Job) -> str:
        club = self.thing(job)
        return club.get_absolute_url() if club is not None else reverse("clubs")


class SavedMembers(OfMembers):
    """The members found and sorted as on the club's page: `kind`, `who`, `query` and `sort` say which and how."""

    code = EXPORT
    withdrawn = frozenset({WithdrawReason.ERASED})

    def title(self, job: Job) -> str:
        return _("Members of %(club)s as %(kind)s") % {
            "club": self.thing(job) or "–",
            "kind": job.about["kind"].upper(),
        }

    def version(self, job: Job) -> str:
        """The newest line of the club's log about a change of members."""
        club = self.thing(job)
        newest = club.log.exclude(text=SAVED).order_by("-pk").first() if club is not None else None
        return str(newest.pk if newest is not None else 0)

    def make(self, work: JobRun) -> JobResult:
        club, about = self.thing(work.job), work.job.about
        if club is None:
            raise JobError(GONE)
        found = memberships_of(club, who=about["who"], query=about["query"], today=timezone.localdate())
        table = MemberTable(found, order_by=about["sort"] or None)
        work.tell(0, found.count())
        target = work.folder / "members"
        told = _counting(work, member_lines(table.data.data))
        with target.open("wb") as file:
            export_members(file, club, told, about["kind"])
        name = work.keep(target, about["kind"])
        log_change(club, work.job.asked_by, SAVED, now=timezone.now())
        return JobResult(name, f"{club.slug}.{about['kind']}")

    def result_messages(self, job: Job) -> list[str]:
        said = ngettext("%(total)d member.", "%(total)d members.", job.total)
        return [said % {"total": job.total}]

    def file_type(self, job: Job) -> str:
        return CONTENT_TYPES[job.about["kind"]]


def _counting(work: JobRun, lines: Iterator[MemberLine]) -> Iterator[MemberLine]:
    for count, line in enumerate(lines, start=1):
        if not count % TOLD_EVERY:
            work.tell(count)
        yield line


class OfUpload(OfMembers):
    """An uploaded list: only who uploaded it sees it, and the program's owner.

    Its doubtful rows name people of their other clubs.
    """

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        return (account.pk == job.asked_by_id or account.is_superuser) and super().may_see(account, job)


class PlannedImport(OfUpload):
    """Render the preview of a long list, of an `upload` with the `choices` made so far.

    With `same_names`, people with exactly the same name are chosen too.
    """

    code = PLAN
    withdrawn = frozenset({WithdrawReason.ERASED})

    def title(self, job: Job) -> str:
        return _("What importing %(file)s will do") % {"file": job.about["file"]}

    def page(self, job: Job) -> str:
        club = self.thing(job)
        return reverse("import_upload", args=[club.slug]) if club is not None else reverse("clubs")

    def leads_to(self, job: Job) -> str:
        return reverse("import_dry_run", args=[self.thing(job).slug, job.about["upload"]])

    def version(self, job: Job) -> str:
        """The newest line of any club's log about a change: its rows may be people of many clubs."""
        del job
        newest = ClubLogEntry.objects.exclude(text=SAVED).order_by("-pk").values_list("pk", flat=True).first()
        return str(newest or 0)

    def make(self, work: JobRun) -> JobResult:
        job = work.job
        upload = _upload(job)
        if upload is None or upload.applied_at is not None:
            raise JobError(GONE)
        work.tell(0, PLANNED_IN)
        by_name = "same_names" in job.about
        run = dry_run(upload, chosen_in(job), same_names=by_name, found=lambda: work.tell(1))
        work.tell(2)
        target = work.folder / "plan"
        target.write_text(
            render_to_string("clubs/import_dry_run.html#plan", run_context(upload, run)), "utf-8"
        )
        return JobResult(work.keep(target, "html"))


class ImportedMembers(OfUpload):
    """A member list after its dry run: `upload`, the `choices` for its doubtful rows, and what was `seen` of it."""

    code = IMPORT

    def key(self, thing: str, about: About, language: str) -> str:
        """The key of the club's imports: one at a time."""
        del about, language
        return f"{self.code} {thing}"

    def may_repeat(self, job: Job) -> bool:
        """Refuse to repeat an import: it is previewed again."""
        del job
        return False

    def title(self, job: Job) -> str:
        return _("Import the member list %(file)s") % {"file": job.about["file"]}

    def page(self, job: Job) -> str:
        club = self.thing(job)
        if club is None or job.state == Job.State.DONE:
            return super().page(job)
        return reverse("import_dry_run", args=[club.slug, job.about["upload"]])

    def make(self, work: JobRun) -> JobResult:
        """Import in one transaction, in which the job's result is stored too, so that it is done once."""
        job, club = work.job, self.thing(work.job)
        upload = _upload(job)
        if upload is None or club is None:
            raise JobError(GONE)
        if upload.applied_at is not None:
            if job.said:  # its process fell after that
                return JobResult(said=job.said)
            raise JobError(GONE)
        with transaction.atomic():
            lock_club(club)
            run = confirm(upload, chosen_in(job), job.about["seen"], timezone.now())
            if not run.is_done:
                raise JobError(describe_refusal(run, job.about["seen"]))
            text = gettext_noop("Imported the member list {file}")
            log_change(club, job.asked_by, text, now=timezone.now(), file=upload.file_name)
            said = {kind.value: count for kind, count in run.plan.counts.items()}
            work.still_mine(said=said)
        forget_plans(upload)
        return JobResult(said=said)

    def result_messages(self, job: Job) -> list[str]:
        counts = Counter({KindOfRow(kind): count for kind, count in job.said.items()})
        return [_("Imported: %(counts)s.") % {"counts": summarize_counts(counts)}]


def _upload(job: Job) -> MemberImport | None:
    found = MemberImport.objects.filter(pk=job.about["upload"], account=job.asked_by)
    return found.select_related("club", "account").first()


def is_long(upload: MemberImport) -> bool:
    return len(upload.contents["lines"]) > IMPORTED_AT_ONCE


def plan_of(upload: MemberImport, choices: Mapping[int, str], *, same_names: bool) -> JobRequest:
    """The wish to know what a list would do; the same choices are the same wish."""
    about = {"upload": upload.pk, "file": upload.file_name, "choices": _as_kept(choices)}
    about |= {"same_names": True} if same_names else {}
    about |= {"clubs": upload.contents["clubs"]} if upload.contents.get("clubs") else {}
    return JobRequest(PLAN, of_club(upload.club), get_language() or "en", about)


def _as_kept(choices: Mapping[int, str]) -> dict[str, str]:
    return {str(row): choice for row, choice in choices.items()}


def chosen_in(job: Job) -> dict[int, str]:
    """The choices for doubtful rows in a form, by the rows' places."""
    return {int(row): choice for row, choice in job.about["choices"].items()}


def job_of(upload: MemberImport) -> Job | None:
    """The newest job of a list that was put by; what was chosen is in it."""
    return _jobs_of(upload).first()


def _jobs_of(upload: MemberImport) -> QuerySet[Job]:
    of_it = Job.objects.filter(thing=of_club(upload.club), about__upload=upload.pk)
    return of_it.filter(kind__in=(IMPORT, PLAN))


def forget_plans(upload: MemberImport) -> None:
    """Keep nothing of what a list would have done, which names people, once it is done or dropped."""
    for job in _jobs_of(upload).filter(kind=PLAN, state=Job.State.DONE):
        job.path.unlink(missing_ok=True)
        job.delete()
