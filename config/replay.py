"""Answers a question that has just been answered, before the program is asked.

A hall full of phones asks the same at the same time: is there something new, and what do the standings look like now?
The first to ask is answered by the program, which may say of its answer until when it holds
(`tournaments.changes.versions`); the others are told the same, word for word, compressed as it was. So a question
costs microseconds instead of milliseconds. Everything an answer hangs on is part of the question: address, host,
language, and what the browser can unpack. A whole page is as new as the database is when it is asked for, and is for
those alone who bring no cookie of their own.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http.cookie import parse_cookie

from tournaments.changes.versions import HEADER, OWN, PAGE, TOLD, Versions

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# How addresses of a tournament begin; its code comes next.
OF_TOURNAMENTS = ("/t/", "/api/v1/tournaments/")
# The program answers both alike; the server leaves out the body that is not asked for.
METHODS = ("GET", "HEAD")
ASKED = (
    "PATH_INFO",
    "QUERY_STRING",
    "wsgi.url_scheme",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_HOST",
    "HTTP_HX_REQUEST",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_ACCEPT_ENCODING",
)
MOST_ANSWERS, LARGEST = 128, 256 * 1024  # so many are kept, of so many bytes at most
LONGEST_NUMBER = 12  # digits
KEPT = ("200", "204")

Headers = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered, and for which version of the tournament: it is good until phones are told of a newer one.

    A whole page is good as long as that is the version.
    """

    status: str
    headers: Headers
    body: bytes
    tournament: int
    version: int
    is_page: bool

    @property
    def etag(self) -> str:
        return next((value for name, value in self.headers if name == "ETag"), "")


class Replay:
    """The program, with an ear for questions that it has answered already."""

    def __init__(self, program: WSGIApplication, versions: Versions | None = None) -> None:
        self.program = program
        self.versions = versions or Versions()
        self.answers: OrderedDict[tuple[Any, ...], Answer] = OrderedDict()
        self.tournaments: dict[str, int] = {}  # their primary keys by the code in an address

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        address = environ.get("PATH_INFO", "")
        if environ["REQUEST_METHOD"] not in METHODS or not address.startswith(OF_TOURNAMENTS):
            return self.program(environ, start_response)
        question = (*(environ.get(name) for name in ASKED), _language(environ.get("HTTP_COOKIE", "")))
        answer = self.answers.get(question)
        if answer is None or not self._holds(answer, environ):
            told = self._told(environ)
            if told is not None:
                environ[TOLD] = told
            return self._ask(question, environ, start_response)
        with suppress(KeyError):  # another thread has just let it go
            self.answers.move_to_end(question)
        if answer.etag and answer.etag == environ.get("HTTP_IF_NONE_MATCH"):
            start_response("304 Not Modified", [one for one in answer.headers if one[0] != "Content-Length"])
            return [b""]
        start_response(answer.status, answer.headers)
        return [answer.body]

    def _holds(self, answer: Answer, environ: WSGIEnvironment) -> bool:
        """Whether it is what this visitor would be answered now."""
        if answer.is_page:
            cookies = environ.get("HTTP_COOKIE", "")
            is_anybodys = not any(name in cookies for name in OWN)
            return is_anybodys and self.versions.stored(answer.tournament) == answer.version
        told = self.versions.newest(answer.tournament)
        return told is not None and answer.version >= max(told, _heard_of(environ))

    def _told(self, environ: WSGIEnvironment) -> int | None:
        """The version that phones are told of; None where the tournament is not known here yet."""
        tournament = self.tournaments.get(_code(environ))
        return None if tournament is None else self.versions.newest(tournament)

    def _ask(
        self, question: tuple[Any, ...], environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        begun = time.thread_time()
        told: list[tuple[str, Headers]] = []

        def hear(status: str, headers: Headers, *_error: Any) -> Callable[[bytes], object]:
            told.append((status, headers))
            return lambda _data: None

        said = self.program(environ, hear)
        status, headers = told[-1]
        holds_for = next((value for name, value in headers if name == HEADER), None)
        if holds_for is None:
            start_response(status, headers)
            return said
        headers = [one for one in headers if one[0] != HEADER]
        body = b"".join(said)
        _close(said)
        tournament, version, *what = holds_for.split()
        self._learn(environ, int(tournament), int(version), time.thread_time() - begun)
        if status.startswith(KEPT) and len(body) <= LARGEST and not _has_cookie(headers):
            self.answers[question] = Answer(
                status, headers, body, int(tournament), int(version), is_page=PAGE in what
            )
            while len(self.answers) > MOST_ANSWERS:
                self.answers.popitem(last=False)
        start_response(status, headers)
        return [body]

    def _learn(self, environ: WSGIEnvironment, tournament: int, version: int, seconds: float) -> None:
        """Note which tournament this is, what version others have told of, and what drawing it took."""
        is_first = _code(environ) not in self.tournaments
        self.tournaments[_code(environ)] = tournament
        self.versions.follow(tournament, version if is_first else min(version, _heard_of(environ)))
        self.versions.drawn(tournament, seconds)


def _code(environ: WSGIEnvironment) -> str:
    address = str(environ["PATH_INFO"])
    begins = next(begins for begins in OF_TOURNAMENTS if address.startswith(begins))
    return address[len(begins) :].partition("/")[0]


def _heard_of(environ: WSGIEnvironment) -> int:
    """The version that a browser has been told of, perhaps by another process; 0 if it does not say."""
    said = environ.get("HTTP_X_NEWEST", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < LONGEST_NUMBER else 0


def _language(cookies: str) -> str:
    """The language that a visitor has chosen; "" if none."""
    name = settings.LANGUAGE_COOKIE_NAME
    return parse_cookie(cookies).get(name, "") if name in cookies else ""


def _has_cookie(headers: Headers) -> bool:
    return any(name == "Set-Cookie" for name, _value in headers)


def _close(said: Iterable[bytes]) -> None:
    """Tell the program that its answer has been read, as a server does."""
    close = getattr(said, "close", None)
    if close:
        close()
