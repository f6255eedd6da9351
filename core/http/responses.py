"""Responses: files, pages with a secret URL, JSON errors (RFC 9457); the JSON body of a request, parsed and checked."""

from __future__ import annotations

import json
from http import HTTPStatus
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


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


def streamed_file(
    pieces: Iterator[bytes], content_type: str, *said: object, kind: str
) -> StreamingHttpResponse:
    """A response with a long file to be saved, sent while it is made.

    The first piece is made at once: what cannot be made is an error of the view, whose request may be tried again.
    """
    header = content_disposition_header(True, file_name(*said, kind=kind))
    return StreamingHttpResponse(
        begun(pieces), content_type=content_type, headers={"Content-Disposition": header}
    )


def begun(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same pieces, the first two of them made already: that of the file's head, and that of its first rows."""
    return chain(list(islice(pieces, 2)), pieces)


class BadBody(Exception):
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


CONTENT_TYPE = "application/problem+json"
# The default text of each status.
MEANS = {
    400: gettext_lazy("The request could not be read."),
    401: gettext_lazy(
        "This needs a key, as “Authorization: Bearer …”. A club’s organisers make keys at the desk."
    ),
    403: gettext_lazy("This key may not do that."),
    404: gettext_lazy("Nothing was found here."),
    405: gettext_lazy("This address does not support that method."),
    408: gettext_lazy("The request body arrived too slowly."),
    409: gettext_lazy("This cannot be done now."),
    413: gettext_lazy("The request is too large."),
    415: gettext_lazy("The request must be JSON, with “Content-Type: application/json”."),
    422: gettext_lazy("The request is not valid."),
    429: gettext_lazy("Too many requests. Wait a minute and try again."),
    500: gettext_lazy("Something went wrong here. The details are in the server’s log."),
    503: gettext_lazy("The server is busy. Try again in a moment."),
}

# The default code of each status. Python renames its own (413 and 422 in 3.13): ours stay.
CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    409: "not_possible",
    413: "request_entity_too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "too_many_requests",
    500: "internal_server_error",
    503: "service_unavailable",
}
# The more exact codes, with the status that each comes with.
EXACT_CODES = {"bad_cursor": 400, "other_club": 403, "no_room": 429}


def codes_of(status: int) -> list[str]:
    """The codes that a status can come with, the usual one first."""
    return [CODES[status], *(code for code, its in EXACT_CODES.items() if its == status)]


def problem_response(
    status: int,
    detail: str = "",
    *,
    code: str = "",
    errors: Sequence[dict[str, Any]] = (),
    headers: dict[str, str] | None = None,
) -> HttpResponse:
    """The response of a failed request (RFC 9457); `errors` name the fields."""
    known = HTTPStatus(status)
    said = {
        "type": "about:blank",
        "title": known.phrase,
        "status": status,
        "code": code or CODES.get(status) or known.name.lower(),
        "detail": detail or str(MEANS.get(status) or _("This cannot be done.")),
        "errors": list(errors),
    }
    return HttpResponse(
        json.dumps(said, ensure_ascii=False).encode(),
        status=status,
        content_type=CONTENT_TYPE,
        headers={"Cache-Control": "no-store"} | (headers or {}),
    )
