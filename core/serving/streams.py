"""Server-sent events: pages and phones are notified of changes, of a page's rows only those that differ.

A stream sends a topic's versions (`event: version`). One that names a part of its page is sent the part itself: the
rows that changed since the page's version, or the complete part (`event: part`). A part is rendered once a version for
all clients (of all processes: `core.serving.streams`), compressed once, and rendering takes at most a share of a
process.

A row is an element of `ROWS` without another one in it, or an element of `LEAVES` outside rows that has text alone;
`static/js/live_rows.js` finds the same elements in the page.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
import zlib
from collections import OrderedDict, defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs

from django.conf import settings
from django.core.cache import cache as shared_cache

from core.serving.hub import Hub, Topic, Watched

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


# The others take its HTML with the message that changes the part before into it, so they neither call the program nor
# compare rows. Without Redis, or while it is away, each process renders by itself.

# Seconds: a rendering is stored for so long; one that has not come by then is not waited for any longer.
KEPT, PATIENCE = 60, 2


class Rendering(NamedTuple):
    """A part at a version, and the message (plain and compressed) that changes a part with the sum `base` into it."""

    version: int
    html: str
    fingerprint: bytes
    base: str  # "": there is no such message
    plain: bytes
    packed: bytes
    seconds: float  # what it took


class Shared:
    """The renderings of a part, by all that it depends on."""

    def __init__(self, about: Iterable[str]) -> None:
        self.key = f"part:{blake2b(repr(tuple(about)).encode(), digest_size=16).hexdigest()}"
        self.turn = f"{self.key}:turn"

    def find_or_begin(self, version: int) -> tuple[Rendering | None, bool]:
        """The rendering of a version or a newer one; or whether this process is the one to render it now."""
        if found := self._find(version):
            return found, False
        if not shared_cache.add(self.turn, 1, PATIENCE):
            return None, False
        if found := self._find(version):  # stored since the look before
            shared_cache.delete(self.turn)
        return found, found is None

    def _find(self, version: int) -> Rendering | None:
        found: Rendering | None = shared_cache.get(self.key)
        return found if found and found.version >= version else None

    def put(self, rendering: Rendering | None) -> None:
        """Store what this process was to render; None where that failed."""
        if rendering:
            shared_cache.set(self.key, rendering, KEPT)
        shared_cache.delete(self.turn)


ROWS = ("tr", "li", "p", "h2", "h3", "dt", "dd", "svg")
LEAVES = ("h1", "progress", "span", "b", "strong", "td")
_NAMES = "|".join(ROWS)
# Text, then tags of others with the text behind them: in steps of a tag, since a page has thousands of rows.
_ROW = re.compile(rf"<({_NAMES})\b[^>]*>[^<]*(?:<(?!/?(?:{_NAMES})\b)[^<]*)*</\1>")
# In a frame, whose rows are marked.
_MARK = "\0"
_MARK_OR_LEAF = re.compile(rf"{_MARK}|<({'|'.join(LEAVES)})\b[^>]*>[^<{_MARK}]*</\1>")
_NUMBER = re.compile(r'/(\d+)/"')
_VERSION = re.compile(r' data-version="\d+"')
_SAYS_VERSION = re.compile(r' data-(?:version|sum)="[^"]*"')
# Another one at each rendering; the one that a page has is valid as well.
_TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")[^"]*')

# A run of rows that stay: the place of the first, and how many; or a row's HTML.
Change = list[int] | str
# Digests of the frame and of each row, `DIGEST` bytes each.
Fingerprint = bytes
DIGEST = 8


@dataclass(frozen=True)
class Drawn:
    """A part as it was drawn: its rows, and the frame around them."""

    html: str
    known: Fingerprint = b""  # its fingerprint, if another process has made it

    @cached_property
    def _taken_apart(self) -> tuple[list[str], str]:
        """The rows, and the frame with a mark for each."""
        if _MARK in self.html:
            return [], self.html
        whole = (found.group() for found in _ROW.finditer(self.html))
        rows: list[str] = []

        def take(found: re.Match[str]) -> str:
            rows.append(next(whole) if found.group() == _MARK else found.group())
            return _MARK

        frame = _MARK_OR_LEAF.sub(take, _ROW.sub(_MARK, self.html))
        return rows, _SAYS_VERSION.sub("", frame)

    @property
    def rows(self) -> list[str]:
        return self._taken_apart[0]

    @property
    def frame(self) -> str:
        """The HTML around the rows, without the version."""
        return self._taken_apart[1]

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What an older rendering is compared by; tokens of forms do not count."""
        if self.known:
            return self.known
        pieces = [self.frame, *self.rows]
        if "csrfmiddlewaretoken" in self.html:
            pieces = [_TOKEN.sub("", piece) for piece in pieces]
        return b"".join([blake2b(piece.encode(), digest_size=DIGEST).digest() for piece in pieces])

    @cached_property
    def by_number(self) -> dict[str, str]:
        """Rows of a table by the number in their first link: a player's."""
        found = ((_NUMBER.search(row), row) for row in self.rows if row.startswith("<tr"))
        return {number.group(1): row for number, row in reversed(list(found)) if number}


def changes(before: Fingerprint, now: Drawn) -> list[Change] | None:
    """The changes from the rows of `before` to those of `now`; None where the frame or the set of rows has changed."""
    if len(before) != len(now.fingerprint) or before[:DIGEST] != now.fingerprint[:DIGEST]:
        return None
    old, new = (
        [print_[start : start + DIGEST] for start in range(DIGEST, len(print_), DIGEST)]
        for print_ in (before, now.fingerprint)
    )
    free: dict[bytes, deque[int]] = defaultdict(deque)
    for place, digest in enumerate(old):
        if digest != new[place]:
            free[digest].append(place)
    found: list[Change] = []
    for place, (digest, row) in enumerate(zip(new, now.rows, strict=True)):
        stays = place if old[place] == digest else free[digest].popleft() if free[digest] else None
        last = found[-1] if found else None
        if stays is None:
            found.append(row)
        elif isinstance(last, list) and last[0] + last[1] == stays:
            last[1] += 1
        else:
            found.append([stays, 1])
    return found


def with_sum(html: str) -> str:
    """Add a checksum to a part with `data-version`, by which the rows that changed since are found."""
    content = _VERSION.sub("", html, count=1)
    if "csrfmiddlewaretoken" in content:
        content = _TOKEN.sub("", content)
    checksum = sha256(content.encode()).hexdigest()[:16]
    return _VERSION.sub(lambda said: f' data-sum="{checksum}"{said.group()}', html, count=1)


def attribute(html: str, name: str) -> str:
    """The value of the first `data-…` attribute of this name; "" if there is none."""
    return html.partition(f' data-{name}="')[2].partition('"')[0]


Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
# Status and body of the WSGI application's response to such a request.
Ask = Callable[["WSGIEnvironment"], Awaitable[tuple[int, bytes]]]

# Limits of a process: streams, and parts of pages rendered for them; beyond these a page polls.
MOST, MOST_PARTS = 2000, 200
OK = 200
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{2,4})?")
# Seconds of pause for each second of drawing; versions of a part that changes are counted from.
PAUSE, VERSIONS_KEPT = 5, 12
MOMENT = 0.02  # seconds between two looks whether another process has rendered a part
LONGEST_PAUSE = 1.5
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, no-transform"),
    (b"x-accel-buffering", b"no"),  # nginx would keep it until it is full
    (b"x-spadille", b"1"),
    (b"x-content-type-options", b"nosniff"),
]
# Ten bytes that begin a gzip stream of unknown time on an unknown system.
GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def event(name: str, data: object) -> bytes:
    """One event of a stream."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


@dataclass(frozen=True, slots=True)
class Message:
    """Bytes of a stream, plain and compressed: each compressed alone, so that one serves all streams."""

    plain: bytes
    packed: bytes

    @classmethod
    def compressed_from(cls, plain: bytes) -> Message:
        packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        return cls(plain, packer.compress(plain) + packer.flush(zlib.Z_FULL_FLUSH))


STILL = Message.compressed_from(b"event: still\ndata:\n\n")


@cache
def beginning(heartbeat: float) -> Message:
    """The first message: after which silence a stream is dead though nobody closed it, as where a network vanishes."""
    return Message.compressed_from(b"retry: 3000\n\n" + event("every", heartbeat))


@lru_cache(maxsize=4096)
def version_message(version: int) -> Message:
    """The message of a version, which is a stream's sign of life too: hundreds of tables have the same few."""
    return Message.compressed_from(event("version", {"version": version}))


@dataclass(eq=False)
class Part:
    """The last rendering of a part of a page, for all streams that show it."""

    environ: WSGIEnvironment
    shared: Shared | None = None
    version: int = 0
    sum: str = ""
    drawn: Drawn = field(default_factory=lambda: Drawn(""))
    prints: OrderedDict[str, Fingerprint] = field(default_factory=OrderedDict)  # of the last ones, by sum
    messages: dict[str, Message] = field(default_factory=dict)
    wakes: set[asyncio.Event] = field(default_factory=set)  # one of each stream that shows it
    task: asyncio.Task[None] | None = None

    def take(self, html: str, seconds: float) -> Rendering:
        """Store a new rendering, and wake all streams; what other processes need of it, and how long it took."""
        base, drawn = self.sum, Drawn(html)
        self._store(drawn)
        self.wake()
        message = self.message(base) if base else Message(b"", b"")
        return Rendering(self.version, html, drawn.fingerprint, base, message.plain, message.packed, seconds)

    def take_over(self, rendering: Rendering) -> None:
        """The same with another process's rendering."""
        self._store(Drawn(rendering.html, rendering.fingerprint))
        if rendering.base:
            self.messages[rendering.base] = Message(rendering.plain, rendering.packed)
        self.wake()

    def _store(self, drawn: Drawn) -> None:
        self.version, self.sum = int(attribute(drawn.html, "version")), attribute(drawn.html, "sum")
        self.drawn = drawn
        self.prints[self.sum] = drawn.fingerprint
        self.prints.move_to_end(self.sum)
        while len(self.prints) > VERSIONS_KEPT:
            self.prints.popitem(last=False)
        self.messages.clear()

    def wake(self) -> None:
        for wake in self.wakes:
            wake.set()

    def message(self, base: str) -> Message:
        """The message that changes a part with this sum into its current version."""
        if base not in self.messages:
            self.messages[base] = Message.compressed_from(self._event(base))
        return self.messages[base]

    def _event(self, base: str) -> bytes:
        about: dict[str, object] = {"version": self.version, "sum": self.sum}
        if base == self.sum:
            return event("version", about)
        before = self.prints.get(base)
        rows = changes(before, self.drawn) if before else None
        if rows is not None:
            return event("part", about | {"base": base, "rows": rows})
        return event("part", about | {"html": self.drawn.html})


class Streams:
    """The streams of a process."""

    def __init__(self, hub: Hub, ask: Ask, *, shares: bool = False) -> None:
        """`shares`: whether other processes are given renderings, and their renderings are used here."""
        self.hub, self.ask, self.shares = hub, ask, shares
        self.parts: dict[tuple[str, ...], Part] = {}
        self.open = 0

    async def serve(self, environ: WSGIEnvironment, topic: Topic, receive: Receive, send: Send) -> None:
        """Send events of a topic until the client disconnects or the process stops."""
        if self.open >= MOST or self.hub.closed:
            await send({"type": "http.response.start", "status": 503, "headers": [(b"retry-after", b"30")]})
            await send({"type": "http.response.body", "body": b""})
            return
        self.open += 1
        telling = asyncio.current_task()
        leaving = asyncio.create_task(self._wait_for_end(receive, telling))
        try:
            await Stream(self, environ, topic, send).run()
        except asyncio.CancelledError:
            if not leaving.done():  # the server itself ends it
                raise
        finally:
            leaving.cancel()
            self.open -= 1

    async def _wait_for_end(self, receive: Receive, telling: asyncio.Task[Any] | None) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        if telling:
            telling.cancel()

    def close(self) -> None:
        """End all streams: the process is to stop."""
        self.hub.close()
        for part in self.parts.values():
            part.wake()

    @contextmanager
    def showing(
        self, environ: WSGIEnvironment, address: str, language: str
    ) -> Iterator[tuple[Part, asyncio.Event]]:
        """The part at a URL, for all clients in this language, and an event that is set when it is rendered."""
        key = (address, language, environ.get("HTTP_HOST", ""), environ.get("HTTP_X_FORWARDED_PROTO", ""))
        part = self.parts.get(key)
        if part is None:
            shared = Shared(key) if self.shares else None
            part = self.parts[key] = Part(request_of_part(environ, address, language), shared)
        wake = asyncio.Event()
        part.wakes.add(wake)
        try:
            yield part, wake
        finally:
            part.wakes.discard(wake)
            if not part.wakes:
                self.parts.pop(key, None)

    def keep_drawn(self, part: Part, watched: Watched) -> None:
        """Render a part at each version, while a page shows it."""
        if part.task is None or part.task.done():
            part.task = asyncio.create_task(self._draw_again_and_again(part, watched))

    async def _draw_again_and_again(self, part: Part, watched: Watched) -> None:
        drawn_for = -1
        while part.wakes and not self.hub.closed:
            if not await self.hub.newer(watched, drawn_for, settings.STREAM_HEARTBEAT):
                continue
            drawn_for = watched.version
            await asyncio.sleep(min(LONGEST_PAUSE, PAUSE * await self._render(part, drawn_for)))

    async def _render(self, part: Part, version: int) -> float:
        """Bring a part to a version; returns how many seconds its rendering took, here or in another process."""
        if part.shared and (elsewhere := await self._find_or_begin(part.shared, version)):
            part.take_over(elsewhere)
            return elsewhere.seconds
        begun, rendering = time.perf_counter(), None
        try:
            status, body = await self.ask(part.environ | {"HTTP_X_NEWEST": str(version)})
            seconds = time.perf_counter() - begun
            if status == OK and b" data-sum=" in body:
                rendering = part.take(body.decode(), seconds)
        finally:
            if part.shared:
                self.hub.thread.submit(part.shared.put, rendering)
        return seconds

    async def _find_or_begin(self, shared: Shared, version: int) -> Rendering | None:
        """Another process's rendering; None where this one is to render, or has waited long enough for another."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while loop.time() < until and not self.hub.closed:
            found, ours = await loop.run_in_executor(self.hub.thread, shared.find_or_begin, version)
            if found or ours:
                return found
            await asyncio.sleep(MOMENT)
        return None


def request_of_part(environ: WSGIEnvironment, address: str, language: str) -> WSGIEnvironment:
    """The request for a part, as of an anonymous reader of this language."""
    path, _mark, query = address.partition("?")
    ours = {name: value for name, value in environ.items() if not name.startswith("HTTP_")}
    ours |= {name: environ[name] for name in ("HTTP_HOST", "HTTP_X_FORWARDED_PROTO") if name in environ}
    ours |= {"PATH_INFO": path, "QUERY_STRING": query, "HTTP_HX_REQUEST": "true"}
    return ours | ({"HTTP_COOKIE": f"{settings.LANGUAGE_COOKIE_NAME}={language}"} if language else {})


class Stream:
    """One client's stream."""

    def __init__(self, streams: Streams, environ: WSGIEnvironment, topic: Topic, send: Send) -> None:
        self.streams, self.environ, self.topic, self.send = streams, environ, topic, send
        query = parse_qs(environ.get("QUERY_STRING", ""))
        self.asked = {name: values[0] for name, values in query.items()}
        self.packed = "gzip" in environ.get("HTTP_ACCEPT_ENCODING", "")

    async def run(self) -> None:
        headers = HEADERS + ([(b"content-encoding", b"gzip")] if self.packed else [])
        await self.send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._send_bytes(
            (GZIP_HEAD if self.packed else b"") + self._bytes(beginning(settings.STREAM_HEARTBEAT))
        )
        part = self.asked.get("part", "")
        is_known = part.startswith(f"/t/{self.environ['PATH_INFO'].split('/')[2]}/")
        with self.streams.hub.watching(self.topic) as watched:
            if is_known and len(self.streams.parts) < MOST_PARTS:
                await self._tell_part(watched, part)
            else:
                await self._tell_versions(watched)
        await self.send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell_versions(self, watched: Watched) -> None:
        told, hub = -1, self.streams.hub
        while not hub.closed:
            await hub.newer(watched, told, settings.STREAM_HEARTBEAT)
            told = watched.version
            if told >= 0 and not hub.closed:  # without news it is a sign of life
                await self._tell(version_message(told))

    async def _tell_part(self, watched: Watched, address: str) -> None:
        """Send the part's changes at each version, and the reader's own row where the part lacks it."""
        language = self.asked.get("language", "")
        language = language if LANGUAGE.fullmatch(language) else ""
        base, own, own_row = self.asked.get("sum", ""), self.asked.get("own", ""), ""
        told: tuple[int, str] = (-1, "")
        with ExitStack() as stack:
            part, wake = stack.enter_context(self.streams.showing(self.environ, address, language))
            whole: Part | None = None
            while not self.streams.hub.closed:
                self.streams.keep_drawn(part, watched)
                if part.sum and told != (part.version, part.sum):
                    told = part.version, part.sum
                    await self._tell(part.message(base))
                    base = part.sum
                if own and part.sum and own not in part.drawn.by_number:
                    if whole is None:
                        everything = f"{address}{'&' if '?' in address else '?'}all"
                        whole, _wake = stack.enter_context(
                            self.streams.showing(self.environ, everything, language)
                        )
                        whole.wakes.add(wake)
                        stack.callback(whole.wakes.discard, wake)
                    self.streams.keep_drawn(whole, watched)
                    row = whole.drawn.by_number.get(own, "") if whole.sum else ""
                    if row not in ("", own_row):
                        own_row = row
                        await self._tell(Message.compressed_from(event("own", {"html": row})))
                wake.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(settings.STREAM_HEARTBEAT):
                        await wake.wait()
                        continue
                await self._tell(STILL)

    async def _tell(self, message: Message) -> None:
        await self._send_bytes(self._bytes(message))

    def _bytes(self, message: Message) -> bytes:
        return message.packed if self.packed else message.plain

    async def _send_bytes(self, data: bytes) -> None:
        await self.send({"type": "http.response.body", "body": data, "more_body": True})
