"""The ASGI application: runs the WSGI application in lanes of threads, once a request has been received completely.

The event loop receives requests (`core.serving.limits`) and never blocks. Each lane has its own threads, so that a
report never queues behind a photograph, a long page, or a stranger.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from core.http.long_poll import AWAY_PAUSE, AWAY_WITHIN, LONGEST
from core.serving.groups import Answer, Begun, Groups, Together
from core.serving.hub import Hub, ReadVersions, Topic, has_redis
from core.serving.limits import (
    MOST_BYTES,
    REFUSED,
    TOO_LARGE,
    TOO_MANY,
    ClientDisconnected,
    Receive,
    UploadPace,
    UploadSlots,
    declared_length,
    has_body,
    receive_body,
)
from core.serving.streams import Streams

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

Send = Callable[[dict[str, Any]], Awaitable[None]]
Scope = dict[str, Any]

# Threads of a process by kind of request. The database's writer is one at a time anyway, and so is a picture. A
# password takes Argon2 a tenth of a second of all cores: who guesses waits for other guessers alone.
LANES = {"phones": 1, "pages": 2, "files": 1, "sign-in": 1}
SIGNING_IN = ("/clubs/login/", "/clubs/password/", "/clubs/password-again/", "/desk/first/")
# Threads of a lane take turns so often (seconds): a report waits for Python once for each question to the database.
TURN = 0.001
OK, NOTHING_NEW = 200, 204
# Headers of responses from here: scripts recognise the program's responses by one (`core.middleware.MARK`).
OURS = [(b"cache-control", b"no-store"), (b"x-spadille", b"1"), (b"x-content-type-options", b"nosniff")]
IN_MEMORY = 256 * 1024  # bytes of a body; a larger one is spooled to the disk
# URLs of a tournament or a captain's table that are handled here.
EVENTS = re.compile(r"/([ct])/([^/]+)/events")
STATE = re.compile(r"/(c)/([^/]+)/state")
VERSION = re.compile(r"/(t)/([^/]+)/version")
# Reports of a table, which are stored in groups.
REPORTS = re.compile(r"/c/[^/]+/reports")


class Application:
    """A WSGI application as an ASGI application."""

    def __init__(
        self,
        program: WSGIApplication,
        read_versions: ReadVersions = lambda _topics: {},
        *,
        pace: UploadPace | None = None,
        slots: UploadSlots | None = None,
        together: Together = nullcontext,
    ) -> None:
        """`together` is entered around reports that are stored in one transaction."""
        self.program = program
        self.pace, self.slots = pace or UploadPace(), slots or UploadSlots()
        self.hub = Hub(read_versions)
        self.streams = Streams(self.hub, self.ask, shares=has_redis())
        self.lanes = {name: ThreadPoolExecutor(threads, name) for name, threads in LANES.items()}
        self.reports = Groups(program, self.lanes["phones"], together)
        # Held requests while the database is away: who tries holds the lock.
        self.trying, self.database_is_away = asyncio.Lock(), False
        sys.setswitchinterval(TURN)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        environ = environment(scope)
        topic: Topic | None = None
        if environ["REQUEST_METHOD"] == "GET":
            if topic := topic_of(EVENTS, environ):
                await self.streams.serve(environ, topic, receive, send)
                return
            topic = topic_of(VERSION, environ)
            if topic and (version := self.hub.known(topic)):
                await _tell_version(send, version)
                return
            topic = topic_of(STATE, environ)
            if topic and f"v={self.hub.known(topic) or '?'}" in environ["QUERY_STRING"].split("&"):
                self.hub.lease(topic)
                await send({"type": "http.response.start", "status": NOTHING_NEW, "headers": OURS})
                await send({"type": "http.response.body", "body": b""})
                return
        try:
            with SpooledTemporaryFile(IN_MEMORY) as body:
                environ["wsgi.input"] = body
                if not has_body(environ):
                    status = await self._answer(environ, send)
                    if topic and topic[0] == "c" and status in (OK, NOTHING_NEW):
                        self.hub.lease(topic)
                    return
                with self.slots.slot(declared_length(environ)) as has_slot:
                    refused = await self._receive(environ, receive, body) if has_slot else TOO_MANY
                    if refused:
                        environ |= {REFUSED: refused, "CONTENT_LENGTH": "0"}
                    body.seek(0)
                    await self._answer(environ, send)
        except ClientDisconnected:
            await _refuse(send)

    async def _receive(self, environ: WSGIEnvironment, receive: Receive, body: IO[bytes]) -> str:
        declared = declared_length(environ)
        if declared is not None and declared > MOST_BYTES:
            return TOO_LARGE
        refused = await receive_body(receive, body, self.pace)
        environ["CONTENT_LENGTH"] = str(body.tell())
        return refused

    async def _answer(self, environ: WSGIEnvironment, send: Send) -> int:
        """Send the WSGI response, long ones in chunks; returns its status."""
        loop, lane = asyncio.get_running_loop(), self.lanes[lane_of(environ)]
        answer, piece, more = await self._begin(environ)
        if answer.held_back:
            await self._wait_for_news(environ, *answer.held_back)
            answer, piece, more = await self._begin(environ)
        if answer.is_away and not more:
            answer, piece, more = await self._hold(environ, Begun(answer, piece, more))
        await send(answer.head)
        await send({"type": "http.response.body", "body": piece, "more_body": more})
        while more:
            piece, more = await loop.run_in_executor(lane, answer.next_piece)
            await send({"type": "http.response.body", "body": piece, "more_body": more})
        return int(answer.head["status"])

    async def _hold(self, environ: WSGIEnvironment, begun: Begun) -> Begun:
        """Make a request again until the database responds, for a while; of all that are held, one at a time tries."""
        loop = asyncio.get_running_loop()
        until, self.database_is_away = loop.time() + AWAY_WITHIN, True
        while begun.answer.is_away and not begun.more and loop.time() < until:
            try:
                async with asyncio.timeout_at(until):
                    await self.trying.acquire()
            except TimeoutError:
                break
            try:
                if self.database_is_away:
                    await asyncio.sleep(AWAY_PAUSE)
                    begun = await self._begin(environ)
                    self.database_is_away = begun.answer.is_away
                    continue
            finally:
                self.trying.release()
            begun = await self._begin(environ)
            self.database_is_away |= begun.answer.is_away  # again: the next to try pauses first
        return begun

    async def _begin(self, environ: WSGIEnvironment) -> Begun:
        """Call the program: its response, the first bytes of it, and whether there may be more."""
        environ["wsgi.input"].seek(0)
        if environ["REQUEST_METHOD"] == "POST" and REPORTS.fullmatch(environ["PATH_INFO"]):
            return await self.reports.answer(environ)
        answer, lane = Answer(self.program, environ), self.lanes[lane_of(environ)]
        return Begun(answer, *await asyncio.get_running_loop().run_in_executor(lane, answer.next_piece))

    async def _wait_for_news(self, environ: WSGIEnvironment, seconds: int, version: int) -> None:
        """Wait until the requested tournament, whose code is the last path segment but one, has a newer version."""
        code = environ["PATH_INFO"].split("/")[-2].upper()
        await self.hub.wait(("t", code), version, min(seconds, LONGEST))

    async def ask(self, environ: WSGIEnvironment) -> tuple[int, bytes]:
        """Status and body of the program's response to an internal request."""
        loop, lane = asyncio.get_running_loop(), self.lanes[lane_of(environ)]
        answer, body, more = Answer(self.program, environ | {"wsgi.input": BytesIO()}), b"", True
        while more:
            piece, more = await loop.run_in_executor(lane, answer.next_piece)
            body += piece
        return answer.head["status"], body


def topic_of(addresses: re.Pattern[str], environ: WSGIEnvironment) -> Topic | None:
    """The topic of such a URL; None for all others."""
    found = addresses.fullmatch(environ["PATH_INFO"])
    if not found:
        return None
    kind, key = found.groups()
    return kind, key.upper() if kind == "t" else key


async def _tell_version(send: Send, version: int) -> None:
    """Answer a request for a version that the hub watches, without calling the program."""
    body = json.dumps({"version": version}).encode()
    length = str(len(body)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", length), *OURS]
    await send({"type": "http.response.start", "status": OK, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _refuse(send: Send) -> None:
    """Respond to a truncated or malformed body: else the server sends 500. A disconnected client gets nothing."""
    with suppress(Exception):  # each server signals a closed connection in its own way
        await send({"type": "http.response.start", "status": 400, "headers": [(b"connection", b"close")]})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def environment(scope: Scope) -> WSGIEnvironment:
    """Build the WSGI environ of a request, except its body.

    Names of headers with underscores are left out: the program could not distinguish them from those that a proxy sets.
    Several headers of a name are joined to one list, cookies by their own separator (RFC 9113, 8.2.3).
    """
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    path = unquote_to_bytes(scope["raw_path"]) if scope.get("raw_path") else scope["path"].encode()
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": path.decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        name, told = raw.decode("latin-1").upper(), value.decode("latin-1")
        if "_" in name:
            continue
        key = name.replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        between = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{between}{told}" if key in environ else told
    return environ


def lane_of(environ: WSGIEnvironment) -> str:
    """Files come in forms of several parts, sheets take a second to make; what phones ask at the tables is short."""
    path = environ["PATH_INFO"]
    if environ["REQUEST_METHOD"] == "POST" and path.startswith(SIGNING_IN):
        return "sign-in"
    if path.endswith(".pdf") or environ.get("CONTENT_TYPE", "").lower().startswith("multipart/"):
        return "files"
    return "phones" if path.startswith(("/c/", "/health")) else "pages"
