"""Long member lists: saved as a file, or imported, as jobs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.club_log import write_down
from clubs.clubs import hold
from clubs.exports import MemberLine, export_members, member_lines
from clubs.import_plan import Kind as KindOfRow
from clubs.import_said import in_words, why_not
from clubs.imports import confirm
from clubs.members import memberships_of
from clubs.models import Account, Club, MemberImport
from clubs.roles import may_organise
from clubs.table_file import CONTENT_TYPES
from clubs.tables import MemberTable
from jobs.kinds import CannotDo, Kind, Made, numbered
from jobs.models import Job

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.contrib.auth.models import AbstractUser

    from jobs.kinds import About
    from jobs.working import Work

EXPORT, IMPORT = "members", "import"
# From so many rows on, of which one core does as many in two seconds, it is a job.
ROWS_AT_ONCE = {"csv": 30_000, "xlsx": 12_000}
IMPORTED_AT_ONCE = 2_000
TOLD_EVERY = 500

SAVED = gettext_noop("Saved the member list as a file")
GONE = gettext_noop("This list is imported already, or was dropped.")


def of_club(club: Club) -> str:
    """What these jobs are of."""
    return f"club {club.pk}"


class OfMembers(Kind):
    """What organisers of the club see."""

    def things(self, names: Iterable[str]) -> dict[str, Club]:
        return numbered("club", Club.objects.select_related("union"), names)

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        club = self.thing(job)
        return club is not None and isinstance(account, Account) and may_organise(account, club)

    def page(self, job: Job) -> str:
        club = self.thing(job)
        return club.get_absolute_url() if club is not None else reverse("clubs")


class SavedMembers(OfMembers):
    """The members found and sorted as on the club's page: `kind`, `who`, `query` and `sort` say which and how."""

    code = EXPORT

    def title(self, job: Job) -> str:
        return _("The members of %(club)s as %(kind)s") % {
            "club": self.thing(job) or "–",
            "kind": job.about["kind"].upper(),
        }

    def version(self, job: Job) -> str:
        """The newest line of the club's log that tells of a change."""
        club = self.thing(job)
        newest = club.log.exclude(text=SAVED).order_by("-pk").first() if club is not None else None
        return str(newest.pk if newest is not None else 0)

    def make(self, work: Work) -> Made:
        club, about = self.thing(work.job), work.job.about
        if club is None:
            raise CannotDo(GONE)
        found = memberships_of(club, who=about["who"], query=about["query"], today=timezone.localdate())
        table = MemberTable(found, order_by=about["sort"] or None)
        work.tell(0, found.count())
        target = work.folder / "members"
        told = _counting(work, member_lines(table.data.data))
        with target.open("wb") as file:
            export_members(file, club, told, about["kind"])
        name = work.keep(target, about["kind"])
        write_down(club, work.job.asked_by, SAVED, now=timezone.now())
        return Made(name, f"{club.slug}.{about['kind']}")

    def came_to(self, job: Job) -> list[str]:
        said = ngettext("%(total)d member.", "%(total)d members.", job.total)
        return [said % {"total": job.total}]

    def file_type(self, job: Job) -> str:
        return CONTENT_TYPES[job.about["kind"]]


def _counting(work: Work, lines: Iterator[MemberLine]) -> Iterator[MemberLine]:
    for count, line in enumerate(lines, start=1):
        if not count % TOLD_EVERY:
            work.tell(count)
        yield line


class ImportedMembers(OfMembers):
    """A member list after its dry run: `upload`, the `choices` for its doubtful rows, and what was `seen` of it."""

    code = IMPORT

    def key(self, thing: str, about: About, language: str) -> str:
        """One at a time in a club."""
        del about, language
        return f"{self.code} {thing}"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        """Only who uploaded it, and the program's owner: its doubtful rows name people of their other clubs."""
        return (account.pk == job.asked_by_id or account.is_superuser) and super().may_see(account, job)

    def may_repeat(self, job: Job) -> bool:
        """It is looked at once more, in its dry run."""
        del job
        return False

    def title(self, job: Job) -> str:
        return _("Import the member list %(file)s") % {"file": job.about["file"]}

    def page(self, job: Job) -> str:
        club = self.thing(job)
        if club is None or job.state == Job.State.DONE:
            return super().page(job)
        return reverse("import_dry_run", args=[club.slug, job.about["upload"]])

    def make(self, work: Work) -> Made:
        """All of it or nothing; what it came to is written down with it, so that it is done once."""
        job, club = work.job, self.thing(work.job)
        upload = MemberImport.objects.filter(pk=job.about["upload"], club=club, account=job.asked_by).first()
        if upload is None or club is None:
            raise CannotDo(GONE)
        if upload.applied_at is not None:
            if job.said:  # its process fell after that
                return Made(said=job.said)
            raise CannotDo(GONE)
        choices = {int(row): choice for row, choice in job.about["choices"].items()}
        with transaction.atomic():
            hold(club)
            run = confirm(upload, choices, job.about["seen"], timezone.now())
            if upload.applied_at is None:
                raise CannotDo(why_not(run, job.about["seen"]))
            text = gettext_noop("Imported the member list {file}")
            write_down(club, job.asked_by, text, now=timezone.now(), file=upload.file_name)
            said = {kind.value: count for kind, count in run.plan.counts.items()}
            work.still_mine(said=said)
        return Made(said=said)

    def came_to(self, job: Job) -> list[str]:
        counts = Counter({KindOfRow(kind): count for kind, count in job.said.items()})
        return [_("Imported: %(counts)s.") % {"counts": in_words(counts)}]


def not_imported(upload: MemberImport) -> Job | None:
    """The newest job of a list that was put by; what was chosen is in it."""
    jobs = Job.objects.filter(kind=IMPORT, thing=of_club(upload.club), about__upload=upload.pk)
    return jobs.first()
