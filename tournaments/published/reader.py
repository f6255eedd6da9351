"""Reading the hall as somebody who has not signed in, brings nothing, and reads one language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import Http404, HttpRequest, QueryDict
from django.urls import resolve
from django.utils import translation

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from tournaments.published.addresses import Page

# What whole addresses begin with where nobody has said what the site's own is: nothing of it stays.
NO_ADDRESS = "https://site.invalid"
FOUND = 200
# What the hall answers where it has nothing, or leads elsewhere.
NOTHING = frozenset({301, 302, 303, 307, 308, 404, 410})
PDF = "application/pdf"


class NotShown(Exception):  # noqa: N818 - says what happened
    """The hall did not show what it has: no site is made without it; in English, for the command line."""


class Answer(NamedTuple):
    body: bytes
    content_type: str

    @property
    def is_page(self) -> bool:
        return self.content_type.startswith("text/html")


def request_for(page: Page, base: str) -> HttpRequest:
    """The request of a reader; `base` is what whole addresses begin with."""
    request = HttpRequest()
    request.method = "GET"
    request.path = request.path_info = page.path
    request.GET = QueryDict(page.part)
    request.META = {"SERVER_NAME": "localhost", "SERVER_PORT": "80", "QUERY_STRING": page.part}
    request.user = AnonymousUser()
    request._messages = CookieStorage(request)  # type: ignore[attr-defined]
    request.session = {}  # type: ignore[assignment]
    request.htmx = False  # type: ignore[attr-defined]
    request.LANGUAGE_CODE = translation.get_language()
    request.site_address = base or NO_ADDRESS  # type: ignore[attr-defined]
    request.is_for_site = True  # type: ignore[attr-defined]
    return request


def read(page: Page, base: str) -> Answer | None:
    """What the hall shows there; None where it has nothing, or leads elsewhere. In the language that is active.

    Raises `NotShown` where it has something and does not show it, so that nothing goes from the site unseen.
    """
    request = request_for(page, base)
    match = resolve(page.path)
    request.resolver_match = match
    try:
        answer: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    except Http404:
        return None
    if answer.status_code in NOTHING:
        return None
    if answer.status_code != FOUND:
        raise NotShown(f"{page.address} answers {answer.status_code}.")
    content_type = answer.headers.get("Content-Type", "")
    if (
        page.path.endswith(".pdf") and content_type != PDF
    ):  # a sheet for a browser to print, on a machine without PDF
        return None
    return Answer(answer.getvalue(), content_type)
