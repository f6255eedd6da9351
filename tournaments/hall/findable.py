"""Pages that search engines may list where a club has opened them, and nobody who is on them has objected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.http.response import HttpResponseBase
from django.shortcuts import render

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

Answer = TypeVar("Answer", bound=HttpResponseBase)


def shown(
    request: HttpRequest, template: str, context: dict[str, Any], *, may_be_found: bool
) -> HttpResponse:
    """A page, which says so where it may not be listed."""
    answer = render(request, template, context | {"unlisted": not may_be_found})
    return answer if may_be_found else unlisted(answer)


def unlisted(answer: Answer) -> Answer:
    """Whatever a page leads to, a picture or a file: not to be listed either."""
    answer["X-Robots-Tag"] = "noindex"
    return answer
