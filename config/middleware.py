"""What holds for every request, whichever page it is for."""

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
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from clubs import first_page
from core.http.problem_json import CONTENT_TYPE as PROBLEM
from core.http.problem_json import problem
from core.serving.limits import MOST_BYTES, REFUSED, TOO_LARGE, TOO_SLOW

Answering = Callable[[HttpRequest], HttpResponseBase]

METHOD_NOT_ALLOWED = 405
PEOPLES_PAGES = ("/desk/", "/clubs/")  # elsewhere programs ask, and are told what they did wrong
NO_PAGES = {"desk_photograph"}  # a picture and nothing around it
RETRY_AFTER = 30  # seconds
MARK = "X-Spadille"
# Here programs of others ask: whatever goes wrong on the way to them, they are told as they are told everything.
PROGRAMS = "/api/"
PASSED_ON = ("Allow", "Retry-After", "WWW-Authenticate")
# What opens while there is no organiser yet; static files are served before.
BEFORE_THE_FIRST = {"desk_first", "health", "metrics", "set_language", "manual", "manual_chapter"}


def mark_as_ours(answer: Answering) -> Answering:
    """Set a header on every response, by which the program's scripts know it from what others answer in its place.

    A captive portal answers any address with 200 and HTML; see `static/js/answers.js`.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        response.headers[MARK] = "1"
        return response

    return middleware


def see_behind_proxy(answer: Answering) -> Answering:
    """The visitor's own address, as our proxy tells it: guessing is counted by address.

    Only a proxy of ours is believed, and only the last entry of what it says: the others anybody can make up.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        told = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        if settings.HTTPS and told and request.META.get("REMOTE_ADDR") in settings.PROXIES:
            request.META["REMOTE_ADDR"] = told
        return answer(request)

    return middleware


def tell_programs(answer: Answering) -> Answering:
    """Say in JSON what people are told on a page: too much sent, no such address, trouble of the database or ours."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if response.status_code < HTTPStatus.BAD_REQUEST or not request.path_info.startswith(PROGRAMS):
            return response
        if response.headers.get("Content-Type", "") == PROBLEM:
            return response
        told = {name: response.headers[name] for name in PASSED_ON if name in response.headers}
        return problem(response.status_code, headers=told)

    return middleware


def refuse_what_did_not_come(answer: Answering) -> Answering:
    """Say in words why what was sent is not here, before any view asks for it.

    What is too large is refused before anything of it is read: it would be laid on this disk first.
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
    """The nearest page that an address of a button or form belongs to; empty where there is none."""
    while address.count("/") > 2:  # noqa: PLR2004 - below the root of an audience
        address = address.rstrip("/").rpartition("/")[0] + "/"
        with suppress(Resolver404):
            if resolve(address).url_name not in NO_PAGES:
                return address
    return ""


class SamePolicy(CSPMiddleware):
    """What a page may load is said with each answer, and is the same for nearly all: it is worded once."""

    @cached_property
    def policy(self) -> str:
        return build_policy()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        parts = self.get_policy_parts(request=request, response=response)
        if settings.DEBUG or parts != PolicyParts() or getattr(response, "_csp_exempt", False):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self.policy)
        return response


def lead_to_first_page(answer: Answering) -> Answering:
    """Redirect pages to the first page while there is no organiser; answer 503 to forms and programs meanwhile.

    Once there is one, this process never asks the database again.
    """
    over: set[str] = set()

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not settings.FIRST_PAGE_SECRET or settings.FIRST_PAGE_SECRET in over or _opens_before(request):
            return answer(request)
        if not first_page.is_awaited():
            over.add(settings.FIRST_PAGE_SECRET)
            return answer(request)
        by_program = request.path_info.startswith(PROGRAMS)
        wants_page = "text/html" in request.headers.get("Accept", "text/html") and not by_program
        page: HttpResponse
        if request.method in ("GET", "HEAD") and wants_page:
            page = redirect("desk_first")
        else:
            message = _("Spadille is being set up and has no organiser yet. Try again later.")
            page = render(request, "503.html", {"message": message}, status=HTTPStatus.SERVICE_UNAVAILABLE)
            page["Retry-After"] = str(RETRY_AFTER)
        page["Cache-Control"] = "no-store"
        return page

    return middleware


def _opens_before(request: HttpRequest) -> bool:
    with suppress(Resolver404):
        return resolve(request.path_info).url_name in BEFORE_THE_FIRST
    return False


def explain_wrong_method(answer: Answering) -> Answering:
    """Lead on where the address of a button or form is opened like a page: nothing else is behind it.

    So it is loaded anew with a mistake in the form, after another language is chosen, and after signing in anew.
    Only who may press the button gets there.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if response.status_code != METHOD_NOT_ALLOWED or not isinstance(response, HttpResponse):
            return response
        above = _page_above(request.path_info) if request.path_info.startswith(PEOPLES_PAGES) else ""
        if request.method == "GET" and above:
            _say_once(request, _("Your last entry was not saved. Here is its page as it is now."))
            page: HttpResponse = redirect(above)
        else:
            page = render(request, "405.html", status=METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page

    return middleware


def _say_once(request: HttpRequest, text: str) -> None:
    """The page above may be a button's address too, and lead on in its turn."""
    waiting = cast(BaseStorage, messages.get_messages(request))
    said = [message.message for message in waiting]
    waiting.used = False  # looked at, not shown
    if text not in said:
        messages.warning(request, text)
