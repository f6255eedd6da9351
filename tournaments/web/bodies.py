"""What a script sends as JSON, read with care: anything can arrive, nothing may end in an error page."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, UnreadablePostError
from django.utils.translation import gettext as _


class NotTheProtocol(Exception):  # noqa: N818 - says what it is
    """A request that is not as our scripts send it; `message` says so in words."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def read_body(request: HttpRequest, most: int) -> dict[str, Any]:
    """The request's JSON object, of so many bytes at most; raises `NotTheProtocol`."""
    try:
        if int(request.META.get("CONTENT_LENGTH") or 0) > most or len(request.body) > most:
            raise NotTheProtocol(_("That is more than a phone may send at once."))
        body = json.loads(request.body, parse_constant=_no_such_number)
    except (RequestDataTooBig, UnreadablePostError):
        raise NotTheProtocol(_("The request could not be read.")) from None
    except (ValueError, RecursionError):
        raise NotTheProtocol(_("The request is not JSON.")) from None
    if not isinstance(body, dict):
        raise NotTheProtocol(_("The request must be a JSON object."))
    return body


def _no_such_number(name: str) -> NoReturn:
    raise ValueError(name)
