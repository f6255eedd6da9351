"""Middleware: response marks, proxies, errors for programs and people, incomplete uploads, database errors.

If the database or its disk fails (too many writers, a full disk, a server that is down), nothing was stored and nothing
is lost: a phone stores its reports and retries, and a person gets instructions. The response is 503, never an
error page.
"""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import cast

from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.conf import settings
from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.defaults import server_error

from core.database_errors import is_damaged
from core.http.long_poll import DATABASE_AWAY
from core.http.responses import CONTENT_TYPE as PROBLEM
from core.http.responses import problem_response
from core.serving.limits import MOST_BYTES, REFUSED, TOO_LARGE, TOO_SLOW

Answering = Callable[[HttpRequest], HttpResponseBase]

METHOD_NOT_ALLOWED = 405
RETRY_AFTER = 30  # seconds
MARK = "X-Spadille"
# The paths of other programs' requests, which get errors in the format of all their responses.
PROGRAMS = settings.API_PATH
PASSED_ON = ("Allow", "Retry-After", "WWW-Authenticate")


def mark_as_ours(answer: Answering) -> Answering:
    """Set a header on every response, by which the program's scripts distinguish it from a portal's response.

    A captive portal responds to any URL with 200 and HTML; see `static/js/answers.js`.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        response.headers[MARK] = "1"
        return response

    return middleware


def see_behind_proxy(answer: Answering) -> Answering:
    """Set REMOTE_ADDR to the client's address from X-Forwarded-For: attempts are counted by address.

    Only our own proxy is trusted, and only its last entry: clients can forge the others.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        told = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        if settings.HTTPS and told and request.META.get("REMOTE_ADDR") in settings.PROXIES:
            request.META["REMOTE_ADDR"] = told
        return answer(request)

    return middleware


def tell_programs(answer: Answering) -> Answering:
    """Return errors of the API as JSON: upload too large, no such URL, trouble of the database, server errors."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if response.status_code < HTTPStatus.BAD_REQUEST or not request.path_info.startswith(PROGRAMS):
            return response
        if response.headers.get("Content-Type", "") == PROBLEM:
            return response
        told = {name: response.headers[name] for name in PASSED_ON if name in response.headers}
        return problem_response(response.status_code, headers=told)

    return middleware


def refuse_what_did_not_come(answer: Answering) -> Answering:
    """Return an error page if the request body is missing, before any view reads it.

    A body that is too large is refused before it is received: it would be stored on this disk first.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        why = request.META.get(REFUSED, "")
        told = request.META.get("CONTENT_LENGTH") or "0"
        if len(told) > len(str(MOST_BYTES)) or not told.isdecimal() or int(told) > MOST_BYTES:
            why = TOO_LARGE
        if not why:
            return answer(request)
        if why == TOO_LARGE:
            return render(request, "413.html", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if why == TOO_SLOW:
            return render(request, "408.html", status=HTTPStatus.REQUEST_TIMEOUT)
        message = _("Too many files are being uploaded at once. Try again in a minute.")
        page = render(request, "503.html", {"message": message}, status=HTTPStatus.SERVICE_UNAVAILABLE)
        page["Retry-After"] = str(RETRY_AFTER)
        return page

    return middleware


def _page_above(address: str) -> str:
    """The nearest page above the URL of a button or form; "" if there is none."""
    while address.count("/") > 2:  # below the root of an audience
        address = address.rstrip("/").rpartition("/")[0] + "/"
        with suppress(Resolver404):
            if resolve(address).url_name not in settings.URLS_WITHOUT_PAGE:
                return address
    return ""


class SamePolicy(CSPMiddleware):
    """Content security policy, built once: it is the same for nearly all pages."""

    @cached_property
    def policy(self) -> str:
        return build_policy()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        parts = self.get_policy_parts(request=request, response=response)
        if settings.DEBUG or parts != PolicyParts() or getattr(response, "_csp_exempt", False):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self.policy)
        return response


def explain_wrong_method(answer: Answering) -> Answering:
    """Redirect a GET of a button's or form's URL to the page above it.

    That happens on reload after a form error, after choosing another language, and after signing in again. Permission
    has been checked by then.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if response.status_code != METHOD_NOT_ALLOWED or not isinstance(response, HttpResponse):
            return response
        above = (
            _page_above(request.path_info) if request.path_info.startswith(tuple(settings.PAGE_PATHS)) else ""
        )
        if request.method == "GET" and above:
            _say_once(request, _("Your last entry was not saved. This is the page as it is now."))
            page: HttpResponse = redirect(above)
        else:
            page = render(request, "403_csrf.html", status=METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page

    return middleware


def _say_once(request: HttpRequest, text: str) -> None:
    """Add a message unless it is there already: the page above may redirect in its turn."""
    waiting = cast(BaseStorage, messages.get_messages(request))
    said = [message.message for message in waiting]
    waiting.used = False  # looked at, not shown
    if text not in said:
        messages.warning(request, text)


logger = logging.getLogger(__name__)

DATABASE_RETRY_AFTER = 5  # seconds
FULL = ("disk is full", "No space left on device", "could not extend file", "File too large")
NO_ROOM = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG)  # Windows knows no quota
TAKEN = ("UNIQUE constraint failed", "duplicate key value violates unique constraint")
BUSY = ("is locked", "deadlock detected", "lock timeout")


class ExplainTrouble:
    """Return a readable 503 for errors of the database or its disk.

    Nothing is at a path with NUL, which PostgreSQL does not compare with anything; the API says so by itself.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "\x00" in request.path_info and not request.path_info.startswith(PROGRAMS):
            raise Http404
        return self.answer(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return explained(request, error)


def fault(request: HttpRequest) -> HttpResponse:
    """The handler of errors outside of views, such as a session that cannot be read."""
    error = sys.exc_info()[1]
    return (explained(request, error) if error else None) or server_error(request)


def explained(request: HttpRequest, error: BaseException) -> HttpResponse | None:
    """A 503 response for trouble with the database or its disk; None for other errors."""
    if not is_trouble(error):
        return None
    message = what_happened(error)
    logger.error(
        "Database or disk error: %s", str(error).splitlines()[0] if str(error) else type(error).__name__
    )
    response: HttpResponse
    # Programs of ours ask for anything; a person's browser, which sends a form, for a page.
    by_program = request.path.startswith(settings.SCRIPT_PATH) and "text/html" not in request.headers.get(
        "Accept", ""
    )
    if by_program and (request.method == "POST" or request.path.endswith("/state")):
        response = JsonResponse({"error": "busy", "message": message}, status=503)
    else:
        response = HttpResponse(render_to_string("503.html", {"message": message}), status=503)
    response["Retry-After"] = str(DATABASE_RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    if is_away(error) and (request.method in ("GET", "HEAD") or request.path.endswith("/reports")):
        response[DATABASE_AWAY] = "1"  # a report is stored once, however often it is sent
    return response


def is_away(error: BaseException) -> bool:
    """Whether the database does not respond at all, as while it is restarted."""
    words = str(error)
    if is_damaged(error) or any(said in words for said in FULL + BUSY):
        return False
    return isinstance(error, (OperationalError, InterfaceError))


def is_taken(error: BaseException) -> bool:
    """Whether a unique constraint failed: another request stored the same name, number or code."""
    return isinstance(error, IntegrityError) and any(words in str(error) for words in TAKEN)


def is_trouble(error: BaseException) -> bool:
    if is_taken(error):
        return True
    if isinstance(error, OSError):  # a file other than the database
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
