"""The ASGI application: runs the WSGI application in lanes of threads, once a request has been received completely.

The event loop receives requests (`core.serving.limits`) and never blocks. Each lane has its own threads, so that a
report never queues behind a photograph, a long page, or a stranger.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from core.http.long_poll import AWAY_PAUSE, AWAY_WITHIN, DATABASE_AWAY, HOLD_BACK, LONGEST
from core.serving.hub import Hub, ReadVersions, Topic
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
PIECE = 64 * 1024  # bytes of a response that are sent at once; the first chunk of a streamed file
HELD_BACK, AWAY = HOLD_BACK.lower().encode(), DATABASE_AWAY.lower().encode()
# URLs of a tournament or a captain's table that are handled here.
EVENTS = re.compile(r"/([ct])/([^/]+)/events")
STATE = re.compile(r"/(c)/([^/]+)/state")
VERSION = re.compile(r"/(t)/([^/]+)/version")


class Application:
    """A WSGI application as an ASGI application."""

    def __init__(
        self,
        program: WSGIApplication,
        read_versions: ReadVersions = lambda _topics: {},
        *,
        pace: UploadPace | None = None,
        slots: UploadSlots | None = None,
    ) -> None:
        self.program = program
        self.pace, self.slots = pace or UploadPace(), slots or UploadSlots()
        self.hub = Hub(read_versions)
        self.streams = Streams(self.hub, self.ask)
        self.lanes = {name: ThreadPoolExecutor(threads, name) for name, threads in LANES.items()}
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
        answer = Answer(self.program, environ)
        piece, more = await loop.run_in_executor(lane, answer.next_piece)
        if answer.held_back:
            await self._wait_for_news(environ, *answer.held_back)
            answer = Answer(self.program, environ)
            piece, more = await loop.run_in_executor(lane, answer.next_piece)
        until = loop.time() + AWAY_WITHIN
        while answer.is_away and not more and loop.time() < until:
            await asyncio.sleep(AWAY_PAUSE)
            environ["wsgi.input"].seek(0)
            answer = Answer(self.program, environ)
            piece, more = await loop.run_in_executor(lane, answer.next_piece)
        await send(answer.head)
        await send({"type": "http.response.body", "body": piece, "more_body": more})
        while more:
            piece, more = await loop.run_in_executor(lane, answer.next_piece)
            await send({"type": "http.response.body", "body": piece, "more_body": more})
        return int(answer.head["status"])

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


class Answer:
    """A response of the WSGI program; its parts are computed in the thread of a lane."""

    def __init__(self, program: WSGIApplication, environ: WSGIEnvironment) -> None:
        self.program, self.environ = program, environ
        self.head: dict[str, Any] = {}
        # For how many seconds it is not to be sent yet, while the tournament has which version; None for nearly all.
        self.held_back: tuple[int, int] | None = None
        self.is_away = False  # the database, and the request may be made again
        self.said: Iterable[bytes] = ()
        self.pieces: Iterator[bytes] | None = None

    def next_piece(self) -> tuple[bytes, bool]:
        """The next bytes, and whether there may be more."""
        try:
            if self.pieces is None:
                self.said = self.program(self.environ, self._begin)
                self.pieces = iter(self.said)
            piece, more = b"", True
            while len(piece) < PIECE and more:
                part = next(self.pieces, None)
                piece, more = piece + (part or b""), part is not None
        except BaseException:
            self.close()
            raise
        if not more:
            self.close()
        return piece, more

    def _begin(self, status: str, headers: list[tuple[str, str]], *_error: Any) -> Callable[[bytes], object]:
        told = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        held_back = next((value for name, value in told if name == HELD_BACK), b"")
        if held_back:
            seconds, version = held_back.split()
            self.held_back = int(seconds), int(version)
            told = [one for one in told if one[0] != HELD_BACK]
        self.is_away = any(name == AWAY for name, _value in told)
        told = [one for one in told if one[0] != AWAY]
        self.head = {"type": "http.response.start", "status": int(status[:3]), "headers": told}
        return lambda _data: None

    def close(self) -> None:
        close = getattr(self.said, "close", None)
        if close:
            close()


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
