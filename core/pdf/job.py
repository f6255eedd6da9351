"""Base class of jobs that make a file of pages."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.http.responses import HTML, PDF, file_name
from core.jobs.kinds import JobKind, JobResult, kind_of, load_subjects
from core.jobs.models import Job
from core.pdf.files import CannotMake, ending, load, write_pdf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.jobs.kinds import JobRun
    from core.pdf.page import Page

# This many pages are rendered within the request: about a second.
PAGES_AT_ONCE = 2
FILES_SHOWN = 10


class OfPages(JobKind):
    """A kind of job that makes pages to be printed."""

    is_shown = True

    def prepare(self) -> None:
        with suppress(CannotMake):
            load()

    def file_type(self, job: Job) -> str:
        return HTML if job.file.endswith(".html") else PDF

    def progress_text(self, job: Job) -> str:
        said = _("%(done)d of %(total)d pages made.")
        return said % {"done": job.done, "total": job.total}

    def result_messages(self, job: Job) -> list[str]:
        said = ngettext("Ready: %(pages)d page.", "Ready: %(pages)d pages.", job.total)
        return [said % {"pages": job.total}]


def made_of_pages(
    work: JobRun, pages: Sequence[Page], title: str, *said: object, folded: bool = False
) -> JobResult:
    """The file of these pages, named by `said`; `folded` as a booklet. Raises CannotMake."""
    work.tell(0, sum(page.sides for page in pages))
    target = work.folder / "pages"
    write_pdf(pages, title, target, folded=folded, tell=work.tell)
    return JobResult(work.keep(target, ending()), file_name(*said, kind=ending()))


def ready_of(kind: str, thing: str) -> list[Job]:
    """Files of a thing that can still be opened, the newest first."""
    made = Job.objects.filter(kind=kind, thing=thing, state=Job.State.DONE)
    ready = [job for job in made if job.is_ready]
    load_subjects(ready)
    return ready


def shown_with_titles(ready: Sequence[Job]) -> list[tuple[Job, str, bool]]:
    """The newest of these files, each with its title, and whether nothing has changed since."""
    made = [(job, kind_of(job.kind)) for job in ready[:FILES_SHOWN]]
    return [(job, kind.title(job), kind.version(job) == job.version) for job, kind in made]


@cache
def look() -> str:
    """A fingerprint of the modules, styles and templates of print, to recognise files of an earlier version."""
    told = sha256()
    for folder in (Path(__file__).parent, *map(Path, settings.PRINT_SOURCES)):
        for file in sorted(folder.iterdir()):
            if file.suffix in (".py", ".css", ".html"):
                told.update(file.read_bytes())
    return told.hexdigest()[:8]
