"""A backup of everything as a job: a file for a stick, for the program's owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import log_change
from clubs.models import Club
from core.backup.backups import back_up
from core.errors import BackupError, JobError
from core.jobs.kinds import JobKind, JobResult

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import JobRun
    from core.jobs.models import Job

BACKUP, EVERYTHING = "backup", "everything"
KILOBYTE = 1024


class BackupOfEverything(JobKind):
    """The same file as of `manage.py backup`; every club's log says who has it."""

    code = BACKUP
    content_type = "application/zip"

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        del job
        return account.is_superuser

    def title(self, job: Job) -> str:
        del job
        return _("A backup of everything")

    def page(self, job: Job) -> str:
        del job
        return reverse("desk_backup")

    def make(self, work: JobRun) -> JobResult:
        def tell(done: int, total: int) -> None:
            of_all = total // KILOBYTE + 1
            work.tell(done // KILOBYTE, None if work.job.total == of_all else of_all)

        try:
            made = back_up(work.folder, now=timezone.now(), tell=tell)
        except BackupError as problem:
            raise JobError(str(problem)) from problem
        kept, name = work.keep(made, "zip"), made.name
        for club in Club.objects.all():
            text = gettext_noop("Saved a backup of everything as a file")
            log_change(club, work.job.asked_by, text, now=timezone.now())
        return JobResult(kept, name)

    def came_to(self, job: Job) -> list[str]:
        size = job.path.stat().st_size / KILOBYTE / KILOBYTE
        return [_("%(name)s, %(megabytes).1f MB.") % {"name": job.file_name, "megabytes": size}]
