"""Pages whose address is a secret: a captain's, a team's."""

from __future__ import annotations

from typing import TypeVar

from django.http.response import HttpResponseBase

Answer = TypeVar("Answer", bound=HttpResponseBase)


def quiet(response: Answer) -> Answer:
    """Keep the page's address to who has it: in no cache, search engine, other site or proxy's log."""
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex, nofollow"
    # Nobody who follows a link from here is told the secret, nor a proxy's log by what the page loads. The origin alone
    # may be told: without it a form of ours, such as the choice of language, is taken for a stranger's.
    response["Referrer-Policy"] = "strict-origin"
    return response
