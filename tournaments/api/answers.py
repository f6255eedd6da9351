"""How a shape becomes an answer: bytes with a name of their own (ETag), drawn once for all who ask the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.utils.translation import get_language

from tournaments.api.shapes import MOST_ON_A_PAGE
from tournaments.changes.versions import OWN, PAGE, mark_shared
from tournaments.hall.live import Drawn, drawn_for_all, kept

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from pydantic import BaseModel

    from tournaments.models import Tournament

CONTENT_TYPE = "application/json; charset=utf-8"
# Only what many ask for is kept beside the hall's pages: else one who makes up questions could push these out.
KEPT_QUESTIONS = ("", f"limit={MOST_ON_A_PAGE}")


def answered(request: HttpRequest, shape: BaseModel) -> HttpResponseBase:
    """The shape; to who has it already, that it is the same."""
    return _answer(request, shape.model_dump_json())


def of_tournament(
    request: HttpRequest, tournament: Tournament, make: Callable[[], BaseModel]
) -> HttpResponseBase:
    """What hangs on the tournament's version, the language and the address alone: made once for all who ask."""
    question, match = request.META.get("QUERY_STRING", ""), request.resolver_match
    # The code as it is, however it was typed.
    typed = match.kwargs.get("code", "") if match else ""
    path = request.path.replace(typed, tournament.code, 1) if typed else request.path
    address, keep = f"{path}?{question}", question in KEPT_QUESTIONS
    key = f"api:{tournament.pk}:{sha256(address.encode()).hexdigest()[:32]}:{get_language()}"
    version, text = (kept(key, tournament.version) if keep else None) or (tournament.version, "")
    answer = get_conditional_response(request, etag=_etag(tournament.pk, version, address))
    if answer is None:

        def draw() -> Drawn:
            return tournament.version, make().model_dump_json()

        if not text:
            version, text = drawn_for_all(key, version, draw) if keep else draw()
        answer = HttpResponse(text.encode(), content_type=CONTENT_TYPE)
    etag = _etag(tournament.pk, version, address)
    answer.headers["ETag"] = etag
    patch_cache_control(answer, no_cache=True)
    if isinstance(answer, HttpResponse) and not any(name in request.COOKIES for name in OWN):
        mark_shared(answer, tournament.pk, version, PAGE)
    return answer


def _answer(request: HttpRequest, text: str) -> HttpResponseBase:
    etag = _etag(text)
    answer = get_conditional_response(request, etag=etag) or HttpResponse(
        text.encode(), content_type=CONTENT_TYPE
    )
    answer.headers["ETag"] = etag
    patch_cache_control(answer, no_cache=True)
    return answer


def private(shape: BaseModel, status: int = 200) -> HttpResponse:
    """What is for the one who asks with a key, and for nobody's cache."""
    return _private(shape.model_dump_json(), status)


def private_again(stored: object) -> HttpResponse:
    """A stored answer of `private`, as it was: a newer version may have added fields since."""
    return _private(json.dumps(stored, ensure_ascii=False), 200)


def _private(text: str, status: int) -> HttpResponse:
    answer = HttpResponse(text.encode(), status=status, content_type=CONTENT_TYPE)
    patch_cache_control(answer, private=True, no_store=True)
    return answer


def _etag(*about: object) -> str:
    """Of what is told, the language it is told in, and the program that tells it."""
    told = (*about, get_language(), getattr(staticfiles_storage, "manifest_hash", ""))
    return "W/" + quote_etag(sha256(repr(told).encode()).hexdigest()[:32])
