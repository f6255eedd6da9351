"""A PDF as an answer: the file under a name of its own, or the page that says why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, TypeVar, cast

from csp.decorators import csp_exempt
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _

from core.http.responses import HTML, PDF, a_file_of
from core.throttle import by_address
from tournaments.paper.making import CannotMake
from tournaments.running.addresses import site_address

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

View = TypeVar("View", bound="Callable[..., HttpResponseBase]")
Sheet = TypeVar("Sheet", bound="HttpResponseBase")
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src 'self'; frame-ancestors 'none'"
)


def a_pdf(view: View) -> View:
    """A browser's PDF reader is no page of ours: the pages' content policy may stop it."""
    return cast("View", csp_exempt()(cast("Callable[[HttpRequest], HttpResponse]", view)))


def pdf_answer(request: HttpRequest, make: Callable[[], bytes], *said: object, instead: str) -> HttpResponse:
    """The file that `make` makes, named by what is `said` of it.

    Where it cannot be made, the page `instead` says why.
    """
    try:
        data = make()
    except CannotMake as problem:
        messages.error(request, _(str(problem)))
        return HttpResponseRedirect(instead)
    if data.startswith(b"%PDF"):
        return a_file_of(data, PDF, *said)
    return with_its_policy(a_file_of(data, HTML, *said, kind="html"))


def with_its_policy(answer: Sheet) -> Sheet:
    """A sheet for the browser to print has its looks in it, and does nothing."""
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


class ForVisitor(TypedDict):
    printed_at: datetime
    asker: str


def for_visitor(request: HttpRequest) -> ForVisitor:
    """When a sheet is printed, and for whom, where anybody may ask for it; a site in the making is nobody."""
    asker = "" if site_address(request) else by_address("sheets", request.META.get("REMOTE_ADDR", ""))
    return {"printed_at": timezone.localtime(), "asker": asker}
