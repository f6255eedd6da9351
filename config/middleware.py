"""What holds for every request, whichever page it is for."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

Answering = Callable[[HttpRequest], HttpResponseBase]

METHOD_NOT_ALLOWED = 405
TOO_LARGE = 413
# The largest thing anybody sends is a photograph of 10 MB, in a form.
MOST_BYTES = 12 * 1024 * 1024


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


def refuse_what_is_too_large(answer: Answering) -> Answering:
    """Say no before anything of it is read: what is sent as a file would be laid on this disk first."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        told = request.META.get("CONTENT_LENGTH") or "0"
        if len(told) > len(str(MOST_BYTES)) or not told.isdecimal() or int(told) > MOST_BYTES:
            return render(request, "413.html", status=TOO_LARGE)
        return answer(request)

    return middleware


def explain_wrong_method(answer: Answering) -> Answering:
    """Words instead of an empty page, where a button's address is opened like a page: after signing in anew, say."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if response.status_code != METHOD_NOT_ALLOWED or not isinstance(response, HttpResponse):
            return response
        page = render(request, "405.html", status=METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page

    return middleware
