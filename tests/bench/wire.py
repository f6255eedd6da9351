"""Questions to a server on a connection that is kept, as cheap to send as can be: the sender runs beside the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from io import BytesIO
from typing import Any
from uuid import uuid4
from wsgiref.util import setup_testing_defaults

RESULT = {"contract": "simple_game", "trump": "H", "outcome": "won"}


class Wire:
    """One connection of one phone."""

    def __init__(self, address: str) -> None:
        self.host, _colon, port = address.removeprefix("http://").partition(":")
        self.port = int(port)
        self.in_turn = asyncio.Lock()
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, question: bytes) -> tuple[int, bytes]:
        """Send a request as it stands; status and body of the answer. Anything a phone would not expect is an error."""
        async with self.in_turn:
            if self.streams is None or self.streams[0].at_eof():
                # A server lets a connection go that has been silent for half a minute; a browser opens another.
                self.streams = await asyncio.open_connection(self.host, self.port)
            reader, writer = self.streams
            writer.write(question)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            status = int(head[9:12])
            if status in (204, 304):
                return status, b""
            return status, await reader.readexactly(
                int(head.partition(b"content-length:")[2].split(b"\r")[0])
            )

    def close(self) -> None:
        if self.streams:
            self.streams[1].close()


def get(path: str, *headers: str) -> bytes:
    lines = (f"GET {path} HTTP/1.1", "Host: localhost", "Accept-Encoding: gzip, deflate", *headers)
    return "\r\n".join((*lines, "\r\n")).encode()


def post_reports(secret: str, deals: Iterable[int]) -> bytes:
    """A phone's request that reports these deals of its table."""
    body = reports_body(deals)
    head = f"POST /c/{secret}/reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def reports_body(deals: Iterable[int]) -> bytes:
    reports = [
        {"key": str(uuid4()), "deal": deal, "base": 0, "result": RESULT | {"declarer": deal % 4}}
        for deal in deals
    ]
    return json.dumps({"reports": reports}).encode()


def wsgi_post(path: str, body: bytes) -> dict[str, Any]:
    """The WSGI environ of a request that sends this JSON, for code that is called without a server."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "REMOTE_ADDR": "192.0.2.7",
        "HTTP_HOST": "localhost",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
    }
    setup_testing_defaults(environ)
    return environ


def accepted(answer: tuple[int, bytes]) -> int:
    """How many reports were accepted. Anything else is an error."""
    status, body = answer
    count = body.count(b'"accepted"')
    if status != 200 or count != body.count(b'"status"'):
        raise RuntimeError(answer)
    return count
