"""Cache public PDFs on disk, and serve them.

The cache key is the digest of all printed text except the time. Rendering takes up to a second of CPU, so one process
at a time does it, and each IP address may cause a limited number a minute; a cached file is served without a limit.
"""

from __future__ import annotations

from dataclasses import is_dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast

from csp.decorators import csp_exempt
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from core.files import exclusive_lock, write_atomically
from core.http.responses import HTML, PDF, file_response
from core.jobs.models import KEPT
from core.jobs.queue import clear_folder
from core.pdf.files import NO_ROOM, CannotMake, ending, pdf_of_one, write_pdf
from core.pdf.fonts import rules
from core.pdf.page import numbered_pages, render_page
from core.serving.addresses import site_address
from core.throttle import by_address, count_attempt, is_throttled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from core.pdf.page import Page


MOST_KEPT = 300
# A hall behind one IP address requests the same few; a client that requests all of them has to wait.
MADE_A_MINUTE = 30
PATIENCE = 20  # seconds that a request waits while another sheet is rendered
PREFIX = "hall-"
NO_HOUR = datetime(2000, 1, 1, tzinfo=UTC)

# A cell of a table takes 1.5 ms, and no other sheet is rendered meanwhile: the timeout of other requests allows for
# as many. A ladder of a year is half of it; one of a large union over the years would be some thousand pages.
MOST_CELLS = 10_000

TOO_MANY = gettext_noop("Many sheets are being made right now. Wait a minute and try again.")


def sheets_folder() -> Path:
    """The folder of stored PDFs; only views that know the pages serve its files."""
    folder = Path(settings.MEDIA_ROOT) / "sheets"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def refuse_many_cells(cells: int, why: str) -> None:
    """Raise CannotMake with `why` if a table has too many cells."""
    if cells > MOST_CELLS:
        raise CannotMake(why)


def kept_file(
    pages: Sequence[Page],
    title: str,
    *,
    printed_at: datetime,
    asker: str,
    fitting: bool = False,
    folded: bool = False,
) -> bytes:
    """The file of these pages, stored or new; with `fitting`, of the first page that fits on one sheet.

    `asker` (see `core.throttle.by_address`) may cause a limited number a minute, "" any. Raises CannotMake.
    """
    printed = _printed(pages[:1] if fitting else pages, title)
    path = sheets_folder() / f"{PREFIX}{printed}{'-folded' if folded else ''}.{ending()}"
    found = _read_stored(path)
    if found is not None:
        return found
    if asker and is_throttled(asker, most=MADE_A_MINUTE):
        raise CannotMake(TOO_MANY)
    if asker:
        count_attempt(asker)
    try:
        with exclusive_lock("hall-sheets", Path(settings.MEDIA_ROOT), PATIENCE):
            return _read_stored(path) or _make_and_store(
                pages, title, path, printed_at, fitting=fitting, folded=folded
            )
    except TimeoutError as problem:
        raise CannotMake(TOO_MANY) from problem
    except OSError as problem:
        raise CannotMake(NO_ROOM) from problem


def _read_stored(path: Path) -> bytes | None:
    try:
        data = path.read_bytes()
        path.touch()
    except OSError:
        return None
    return data


def _make_and_store(
    pages: Sequence[Page], title: str, path: Path, now: datetime, *, fitting: bool, folded: bool
) -> bytes:
    if fitting:
        write_atomically(path, pdf_of_one(pages, title))
    else:
        write_pdf(pages, title, path, folded=folded)
    # Read before old files are removed: on a disk with a clock of its own the new one may count as old.
    data = path.read_bytes()
    clear_folder(sheets_folder(), now - KEPT)
    newest_first = sorted(sheets_folder().glob(f"{PREFIX}*"), key=lambda file: -file.stat().st_mtime)
    for file in newest_first[MOST_KEPT:]:
        file.unlink(missing_ok=True)
    return data


def _printed(pages: Sequence[Page], title: str) -> str:
    """A digest of everything that is printed, except the hour in the footer."""
    told = sha256(rules().encode())
    numbered, of = numbered_pages(pages)
    for number, page in numbered:
        shown = render_page(page, number, of, occasion=_without_hour(page.context["occasion"]))
        told.update(f"{shown}\0{page.styles}\0{page.name}".encode())
    told.update(f"{title}\0{get_language()}".encode())
    return told.hexdigest()


def _without_hour(occasion: Any) -> Any:
    if is_dataclass(occasion) and not isinstance(occasion, type):
        return replace(occasion, printed_at=NO_HOUR)
    return {**occasion, "printed_at": NO_HOUR}


View = TypeVar("View", bound="Callable[..., HttpResponseBase]")
Sheet = TypeVar("Sheet", bound="HttpResponseBase")
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src 'self'; frame-ancestors 'none'"
)


def a_pdf(view: View) -> View:
    """Exempt a view from the content security policy, which can block a browser's PDF viewer."""
    return cast("View", csp_exempt()(cast("Callable[[HttpRequest], HttpResponse]", view)))


def pdf_answer(request: HttpRequest, make: Callable[[], bytes], *said: object, instead: str) -> HttpResponse:
    """A response with the file from `make`, named by `said`; redirects to `instead` if it cannot be rendered."""
    try:
        data = make()
    except CannotMake as problem:
        messages.error(request, _(str(problem)))
        return HttpResponseRedirect(instead)
    if data.startswith(b"%PDF"):
        return file_response(data, PDF, *said)
    return with_its_policy(file_response(data, HTML, *said, kind="html"))


def with_its_policy(answer: Sheet) -> Sheet:
    """Set the content policy of a sheet that the browser prints: styles inside, no scripts."""
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


class ForVisitor(TypedDict):
    printed_at: datetime
    asker: str


def for_visitor(request: HttpRequest) -> ForVisitor:
    """Arguments for a public sheet: the time, and the address that it counts for; "" while a site is generated."""
    asker = "" if site_address(request) else by_address("sheets", request.META.get("REMOTE_ADDR", ""))
    return {"printed_at": timezone.localtime(), "asker": asker}
