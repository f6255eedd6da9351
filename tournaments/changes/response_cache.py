"""WSGI middleware that sends the cached response to the same request, before Django is called.

The phones of a hall send the same requests at the same time: is there a new version, and what are the standings? Django
handles the first request and may set until when its response is valid (`tournaments.changes.versions`); the others get
the same bytes, compressed as they were, in microseconds instead of milliseconds. All that a response depends on is in
its cache key: URL, host, language, and the encodings that the browser accepts. A whole page is served only while
it has the stored version, and only to visitors without a cookie of their own.
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

# How URLs of a tournament begin; its code comes next.
OF_TOURNAMENTS = ("/t/", "/api/v1/tournaments/")
# Django renders the same response for both; the server leaves out the body of a HEAD.
METHODS = ("GET", "HEAD")
KEY = (
    "PATH_INFO",
    "QUERY_STRING",
    "wsgi.url_scheme",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_HOST",
    "HTTP_HX_REQUEST",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_ACCEPT_ENCODING",
)
MAX_RESPONSES, MAX_BYTES = 128, 256 * 1024  # cached responses, and the size of each
MAX_DIGITS = 12  # of a version number
CACHED_STATUSES = ("200", "204")

Headers = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A response and the version of the tournament that it shows.

    A part of a page is valid until phones are notified of a newer version; a whole page (`is_page`) as long as this is
    the stored version.
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


class ResponseCache:
    """The middleware around `program`, with its cache of `MAX_RESPONSES` responses; each process has its own."""

    def __init__(self, program: WSGIApplication, versions: Versions | None = None) -> None:
        self.program = program
        self.versions = versions or Versions()
        self.responses: OrderedDict[tuple[Any, ...], CachedResponse] = OrderedDict()
        self.tournaments: dict[str, int] = {}  # primary keys by the code in a URL

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        address = environ.get("PATH_INFO", "")
        if environ["REQUEST_METHOD"] not in METHODS or not address.startswith(OF_TOURNAMENTS):
            return self.program(environ, start_response)
        key = (*(environ.get(name) for name in KEY), _language(environ.get("HTTP_COOKIE", "")))
        response = self.responses.get(key)
        if response is None or not self._is_valid(response, environ):
            notified = self._notified_version(environ)
            if notified is not None:
                environ[TOLD] = notified
            return self._call_program(key, environ, start_response)
        with suppress(KeyError):  # another thread has just dropped it
            self.responses.move_to_end(key)
        if response.etag and response.etag == environ.get("HTTP_IF_NONE_MATCH"):
            headers = [header for header in response.headers if header[0] != "Content-Length"]
            start_response("304 Not Modified", headers)
            return [b""]
        start_response(response.status, response.headers)
        return [response.body]

    def _is_valid(self, response: CachedResponse, environ: WSGIEnvironment) -> bool:
        """Whether Django would give this visitor the same response now."""
        if response.is_page:
            cookies = environ.get("HTTP_COOKIE", "")
            is_shared = not any(name in cookies for name in OWN)
            return is_shared and self.versions.read_version(response.tournament) == response.version
        newest = self.versions.newest(response.tournament)
        return newest is not None and response.version >= max(newest, _known_version(environ))

    def _notified_version(self, environ: WSGIEnvironment) -> int | None:
        """The version that phones are notified of; None if this process does not know the tournament yet."""
        tournament = self.tournaments.get(_code(environ))
        return None if tournament is None else self.versions.newest(tournament)

    def _call_program(
        self, key: tuple[Any, ...], environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Let Django handle the request, and cache its response if it is marked with the version it is valid for."""
        begin = time.thread_time()
        started: list[tuple[str, Headers]] = []

        def start(status: str, headers: Headers, *_error: Any) -> Callable[[bytes], object]:
            started.append((status, headers))
            return lambda _data: None

        content = self.program(environ, start)
        status, headers = started[-1]
        valid_for = next((value for name, value in headers if name == HEADER), None)
        if valid_for is None:
            start_response(status, headers)
            return content
        headers = [header for header in headers if header[0] != HEADER]
        body = b"".join(content)
        _close(content)
        tournament, version, *kind = valid_for.split()
        self._note_version(environ, int(tournament), int(version), time.thread_time() - begin)
        if status.startswith(CACHED_STATUSES) and len(body) <= MAX_BYTES and not _sets_cookie(headers):
            self.responses[key] = CachedResponse(
                status, headers, body, int(tournament), int(version), is_page=PAGE in kind
            )
            while len(self.responses) > MAX_RESPONSES:
                self.responses.popitem(last=False)
        start_response(status, headers)
        return [body]

    def _note_version(self, environ: WSGIEnvironment, tournament: int, version: int, seconds: float) -> None:
        """Store the tournament's key and version, and how many seconds of CPU its response took to render."""
        is_first = _code(environ) not in self.tournaments
        self.tournaments[_code(environ)] = tournament
        self.versions.follow(tournament, version if is_first else min(version, _known_version(environ)))
        self.versions.record_cost(tournament, seconds)


def _code(environ: WSGIEnvironment) -> str:
    address = str(environ["PATH_INFO"])
    prefix = next(prefix for prefix in OF_TOURNAMENTS if address.startswith(prefix))
    return address[len(prefix) :].partition("/")[0]


def _known_version(environ: WSGIEnvironment) -> int:
    """The version that a browser was notified of, perhaps by another process; 0 if it does not say."""
    header = environ.get("HTTP_X_NEWEST", "")
    return int(header) if header.isascii() and header.isdecimal() and len(header) < MAX_DIGITS else 0


def _language(cookies: str) -> str:
    """The language that a visitor has chosen; "" if none."""
    name = settings.LANGUAGE_COOKIE_NAME
    return parse_cookie(cookies).get(name, "") if name in cookies else ""


def _sets_cookie(headers: Headers) -> bool:
    return any(name == "Set-Cookie" for name, _value in headers)


def _close(content: Iterable[bytes]) -> None:
    """Close the response once its body is consumed, as a server does."""
    close = getattr(content, "close", None)
    if close:
        close()
