"""When the database, or the disk, cannot do what it is asked: too many writers, no room, a server that is away.

Nothing has been stored then, and nothing is lost: a phone keeps its reports and sends them again by itself, and a
person is told what to do. The answer is 503, never an error page.
"""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Callable

from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.defaults import server_error

from core.database_errors import is_damaged

logger = logging.getLogger(__name__)

RETRY_AFTER = 5  # seconds
FULL = ("disk is full", "No space left on device", "could not extend file", "File too large")
NO_ROOM = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG)  # Windows knows no quota
TAKEN = ("UNIQUE constraint failed", "duplicate key value violates unique constraint")
BUSY = ("is locked", "deadlock detected", "lock timeout")


class ExplainTrouble:
    """Middleware: a page that stumbles over the database says so in words."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.answer(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return explained(request, error)


def fault(request: HttpRequest) -> HttpResponse:
    """The page of an error that no view could answer for, as where the session itself cannot be read."""
    error = sys.exc_info()[1]
    return (explained(request, error) if error else None) or server_error(request)


def explained(request: HttpRequest, error: BaseException) -> HttpResponse | None:
    """503 in words for trouble with the database or its disk; None for anything else."""
    if not is_trouble(error):
        return None
    message = what_happened(error)
    logger.error(
        "The database or its disk: %s", str(error).splitlines()[0] if str(error) else type(error).__name__
    )
    response: HttpResponse
    # Programs of ours ask for anything; a person's browser, which sends a form, for a page.
    by_program = request.path.startswith("/c/") and "text/html" not in request.headers.get("Accept", "")
    if by_program and (request.method == "POST" or request.path.endswith("/state")):
        response = JsonResponse({"error": "busy", "message": message}, status=503)
    else:
        response = HttpResponse(render_to_string("503.html", {"message": message}), status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


def is_taken(error: BaseException) -> bool:
    """Whether somebody else has stored meanwhile what may be there once: the same name, number or code."""
    return isinstance(error, IntegrityError) and any(words in str(error) for words in TAKEN)


def is_trouble(error: BaseException) -> bool:
    if is_taken(error):
        return True
    if isinstance(error, OSError):  # a file beside the database
        return error.errno in NO_ROOM
    return isinstance(error, (OperationalError, InterfaceError)) or (
        isinstance(error, DatabaseError)
        and (is_damaged(error) or any(words in str(error) for words in FULL + BUSY))
    )


def what_happened(error: BaseException) -> str:
    said = str(error)
    if isinstance(error, OSError) or any(words in said for words in FULL):
        return _("The disk of the machine running Spadille is full. Make room on it, then try again.")
    if is_damaged(error):
        return _(
            "Spadille’s database is damaged. Whoever runs the server should stop it and start it "
            "again: the terminal says how to restore the latest backup."
        )
    if is_taken(error):
        return _("Someone else saved the same thing at the same moment. Check it before you go on.")
    if any(words in said for words in BUSY):
        return _("Too much is being saved at once. Try again in a few seconds.")
    return _("Spadille’s database is not answering. Try again in a few seconds.")
