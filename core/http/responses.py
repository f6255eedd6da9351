"""Responses: files to download, pages with a secret URL; and the JSON body of a request, parsed and checked."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _

LONGEST = 150
PDF = "application/pdf"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"


def file_name(*said: object, kind: str) -> str:
    """A file name from words, with its extension."""
    return f"{slugify(' '.join(map(str, said)), allow_unicode=True)[:LONGEST]}.{kind}"


def file_response(
    data: bytes | str, content_type: str, *said: object, kind: str = "pdf", attached: bool = False
) -> HttpResponse:
    """A response with a file, shown by the browser, or saved where `attached`."""
    header = content_disposition_header(attached, file_name(*said, kind=kind))
    return HttpResponse(data, content_type=content_type, headers={"Content-Disposition": header})


class BadBody(Exception):  # noqa: N818 - named after the cause
    """An invalid request body, which our scripts would not send; `message` is the reason."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def parse_body(request: HttpRequest, most: int) -> dict[str, Any]:
    """The JSON object of a request, at most `most` bytes. Raises `BadBody`."""
    try:
        if int(request.META.get("CONTENT_LENGTH") or 0) > most or len(request.body) > most:
            raise BadBody(_("That is more than a phone can send at once."))
        body = json.loads(request.body, parse_constant=_no_such_number)
    except (RequestDataTooBig, UnreadablePostError):
        raise BadBody(_("The request could not be read.")) from None
    except (ValueError, RecursionError):
        raise BadBody(_("The request is not JSON.")) from None
    if not isinstance(body, dict):
        raise BadBody(_("The request must be a JSON object."))
    return body


def _no_such_number(name: str) -> NoReturn:
    raise ValueError(name)


Answer = TypeVar("Answer", bound=HttpResponseBase)


def hide_address(response: Answer) -> Answer:
    """Set headers that keep the page out of caches, search engines, referrers and proxy logs: its URL is secret."""
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex, nofollow"
    # Neither the target of a link from here gets the secret, nor a proxy's log by what the page loads. Only the
    # origin is sent: without it a form of ours, such as the choice of language, is taken for a stranger's.
    response["Referrer-Policy"] = "strict-origin"
    return response
