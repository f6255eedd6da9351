"""The one door to a PDF: pages go in, a file comes out, or why there is none in words.

The renderer (`core.pdf.render`) needs system libraries, which a machine may lack: it is imported here,
where a file is made, and nowhere else. Without them the file is a page that the browser prints.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from core.errors import JobError
from core.http.responses import HTML, PDF, file_name
from core.jobs.kinds import JobKind, JobResult, kind_of, load_subjects
from core.jobs.models import Job
from core.pdf import render_html

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from core.jobs.kinds import JobRun
    from core.pdf.page import Page


MISSING = {
    "linux": gettext_noop(
        "The system’s library for PDFs is missing. As root: apt-get install libpango-1.0-0 "
        "libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
    ),
    "darwin": gettext_noop("The system’s library for PDFs is missing. In a terminal: brew install pango"),
    "win32": gettext_noop(
        "The PDF library Pango is missing. WeasyPrint’s documentation, under “Installation”, "
        "explains how to install it on Windows."
    ),
}
NO_PANGO = MISSING.get(sys.platform, MISSING["linux"])
NO_ROOM = gettext_noop("The file could not be written. Is the disk full?")


class CannotMake(JobError):
    """The file cannot be made; a text marked with gettext_noop, stored and translated when shown."""


def write_pdf(
    pages: Sequence[Page],
    title: str,
    target: Path,
    *,
    folded: bool = False,
    tell: Callable[[int], None] | None = None,
) -> None:
    """Write all pages to `target`, atomically; `tell` is called with the pages finished. Raises CannotMake."""
    engine = _engine()
    try:
        engine.write(pages, title, target, folded=folded, tell=tell)
    except OSError as problem:
        raise CannotMake(NO_ROOM) from problem


def pdf_of(pages: Sequence[Page], title: str) -> bytes:
    """The file of all pages, in the user's language, not stored. Raises CannotMake."""
    with TemporaryDirectory() as folder:
        target = Path(folder, "whole.pdf")
        write_pdf(pages, title, target)
        return target.read_bytes()


def pdf_of_one(variants: Sequence[Page], title: str) -> bytes:
    """The file of the first variant that fits on one page; of the last if none does. Raises CannotMake."""
    data: bytes = _engine().fitting(variants, title)
    return data


def page_that_fits(variants: Sequence[Page], title: str) -> Page:
    """The first variant that fits on one page, to be one of several; the last, where none does."""
    page: Page = _engine().that_fits(variants, title)
    return page


def load() -> None:
    """Import the renderer, so that forked processes have it. Raises CannotMake."""
    _pdfs()


def ending() -> str:
    """The suffix of printed files here: "pdf", or "html" for the browser to print."""
    return "html" if _engine() is render_html else "pdf"


def _engine() -> ModuleType:
    try:
        return _pdfs()
    except CannotMake:
        return render_html


def _pdfs() -> ModuleType:
    try:
        from core.pdf import render  # noqa: PLC0415 - loads the system's libraries, which may be missing
    except OSError as problem:
        raise CannotMake(NO_PANGO) from problem
    return render


# Base class of jobs that make a file of pages.

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
