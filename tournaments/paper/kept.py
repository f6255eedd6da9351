"""Sheets for everybody in the hall: each is made once, and kept for all who ask.

What is kept is known by what is printed on it, but for the hour: as long as that is the same, the file is the same,
whatever has changed elsewhere. It takes up to a second of a core, so it is made by one process at a time, and so many a
minute for each address; what is kept is given to everybody at any time.
"""

from __future__ import annotations

from dataclasses import is_dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language, gettext_noop

from core.files import one_at_a_time, write_whole
from core.jobs.models import KEPT
from core.jobs.runner import clear_folder
from core.throttle import count_try, has_tried_enough
from tournaments.paper.looks import rules
from tournaments.paper.making import NO_ROOM, CannotMake, ending, pdf_of_one, write_pdf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.paper.pages import Page

MOST_KEPT = 300
# A hall behind one address asks for the same few; somebody who asks for all there are has to wait.
MADE_A_MINUTE = 30
PATIENCE = 20  # seconds until whoever waits for another sheet to be made is sent away
PREFIX = "hall-"
NO_HOUR = datetime(2000, 1, 1, tzinfo=UTC)

# A cell of a table takes 1.5 ms, and nobody else's sheet is made meanwhile: whoever waits for theirs has patience for
# as many. A ladder of a year is half of it; one of a whole union over the years would be some thousand pages.
MOST_CELLS = 10_000

TOO_MANY = gettext_noop("Very many sheets are being made just now. Wait a minute, then try again.")


def sheets_folder() -> Path:
    """Where they are kept; nothing in it is served but by a view that knows its pages."""
    folder = Path(settings.MEDIA_ROOT) / "sheets"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def refuse_many_cells(cells: int, why: str) -> None:
    """Before anything is made of a table of so many. Raises CannotMake, for `why`, which says what there is instead."""
    if cells > MOST_CELLS:
        raise CannotMake(why)


def kept_file(
    pages: Sequence[Page], title: str, *, printed_at: datetime, asker: str, fitting: bool = False
) -> bytes:
    """The file of these pages, or with `fitting` of the first of them that fits on one page.

    `asker` (see `core.throttle.by_address`), "" for members, may have so many made a minute. Raises CannotMake.
    """
    path = sheets_folder() / f"{PREFIX}{_printed(pages[:1] if fitting else pages, title)}.{ending()}"
    found = _found(path)
    if found is not None:
        return found
    if asker and has_tried_enough(asker, most=MADE_A_MINUTE):
        raise CannotMake(TOO_MANY)
    if asker:
        count_try(asker)
    try:
        with one_at_a_time("hall-sheets", Path(settings.MEDIA_ROOT), PATIENCE):
            return _found(path) or _made(pages, title, path, printed_at, fitting=fitting)
    except TimeoutError as problem:
        raise CannotMake(TOO_MANY) from problem
    except OSError as problem:
        raise CannotMake(NO_ROOM) from problem


def _found(path: Path) -> bytes | None:
    try:
        data = path.read_bytes()
        path.touch()
    except OSError:
        return None
    return data


def _made(pages: Sequence[Page], title: str, path: Path, now: datetime, *, fitting: bool) -> bytes:
    if fitting:
        write_whole(path, pdf_of_one(pages, title))
    else:
        write_pdf(pages, title, path)
    clear_folder(sheets_folder(), now - KEPT)
    newest_first = sorted(sheets_folder().glob(f"{PREFIX}*"), key=lambda file: -file.stat().st_mtime)
    for file in newest_first[MOST_KEPT:]:
        file.unlink(missing_ok=True)
    return path.read_bytes()


def _printed(pages: Sequence[Page], title: str) -> str:
    """Tells apart whatever would not look the same on paper, but for the hour at its foot."""
    told = sha256(rules().encode())
    for number, page in enumerate(pages, start=1):
        context = {**page.context, "occasion": _without_hour(page.context["occasion"])}
        shown = render_to_string(
            page.template, {**context, "css": page.css, "number": number, "of": len(pages)}
        )
        told.update(f"{shown}\0{page.styles}\0{page.name}".encode())
    told.update(f"{title}\0{get_language()}".encode())
    return told.hexdigest()


def _without_hour(occasion: Any) -> Any:
    if is_dataclass(occasion) and not isinstance(occasion, type):
        return replace(occasion, printed_at=NO_HOUR)
    return {**occasion, "printed_at": NO_HOUR}
