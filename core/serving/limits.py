"""Limits that no server has: on heads, bodies and connections, so that no stranger holds up those who play.

- A head must be here within `HEAD_WITHIN` seconds and `LARGEST_HEAD` bytes.
- A body is received before the program is called, without a thread: at most `MOST_BYTES`, with a least rate and a
  deadline (`UploadPace`), and so many large ones at a time (`UploadSlots`). `REFUSED` has the reason of a refusal.
- One address has so many connections (`Connections`), and idle ones are closed first.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import IO, TYPE_CHECKING, Any, Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

Receive = Callable[[], Awaitable[dict[str, Any]]]

# Key of a request's environment: why its body is missing; one of the three below.
REFUSED = "spadille.refused"
TOO_LARGE, TOO_SLOW, TOO_MANY = "too large", "too slow", "too many"

# The largest upload is a photograph of 10 MB, in a form.
MOST_BYTES = 12 * 1024 * 1024
# Seconds and bytes for a request's head. Browsers send 1 to 4 kB; cookies may make it more.
HEAD_WITHIN = 20
LARGEST_HEAD = 64 * 1024


# Above so many times the most connections none is spared because it is new: handles would run out.
FLOOD = 1.25


class ClientDisconnected(Exception):
    """Raised where the client has closed the connection before its body was complete."""


@dataclass(frozen=True, slots=True)
class UploadPace:
    """The least rate of an upload; seconds, and bytes a second.

    The first `grace` seconds are free, for a phone that looks for its network; after them the body must have come at
    `least_rate` on average, never pausing for `silence`, and be complete by `deadline`.
    """

    grace: float = 15
    least_rate: int = 8 * 1024
    silence: float = 15
    deadline: float = 600

    def patience(self, elapsed: float, size: int) -> float:
        """Seconds to wait for the next bytes, after so many seconds and bytes."""
        slowest = min(self.deadline, self.grace + size / self.least_rate)
        return min(self.silence, slowest - elapsed)


class UploadSlots:
    """The number of large bodies received at the same time: each is on the disk until the response is sent."""

    def __init__(self, most: int = 64, small: int = 64 * 1024) -> None:
        """A body of at most `small` bytes, as every report, needs no slot."""
        self.most, self.small = most, small
        self.taken = 0

    @contextmanager
    def slot(self, declared: int | None) -> Iterator[bool]:
        """Hold a slot for a body of so many bytes, None where it does not say; False where none is free."""
        needed = declared is None or declared > self.small
        if needed and self.taken >= self.most:
            yield False
            return
        self.taken += needed
        try:
            yield True
        finally:
            self.taken -= needed


async def receive_body(receive: Receive, body: IO[bytes], pace: UploadPace) -> str:
    """Write a request's body into `body`; return why it was refused, "" if it is complete.

    Raises `ClientDisconnected`.
    """
    clock = asyncio.get_running_loop().time
    begun, size = clock(), 0
    while True:
        try:
            async with asyncio.timeout(pace.patience(clock() - begun, size)):
                message = await receive()
        except TimeoutError:
            return TOO_SLOW
        if message["type"] != "http.request":
            raise ClientDisconnected
        piece = message.get("body", b"")
        size += len(piece)
        if size > MOST_BYTES:
            return TOO_LARGE
        body.write(piece)
        if not message.get("more_body"):
            return ""


def has_body(environ: WSGIEnvironment) -> bool:
    return environ.get("CONTENT_LENGTH", "0") != "0" or "HTTP_TRANSFER_ENCODING" in environ


def declared_length(environ: WSGIEnvironment) -> int | None:
    """The body's length by its header; None where there is none."""
    length = environ.get("CONTENT_LENGTH", "")
    if not length.isascii() or not length.isdecimal():
        return None
    return int(length) if len(length) <= len(str(MOST_BYTES)) else MOST_BYTES + 1


def network_of(host: str) -> str:
    """The network that connections are counted by: an IPv4 address, or the first half of an IPv6 one.

    By IPv6 everybody has as many addresses as they like in their half.
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = getattr(address, "ipv4_mapped", None)
    if isinstance(address, IPv6Address) and mapped is None:
        return f"{int(address) >> 64:x}"
    return str(mapped or address)


class Connection(Protocol):
    """The interface of a connection for `Connections`."""

    network: str

    def abort(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Connections of one process. A hall's phones may share an address; a proxy's address has no limit of its own.

    Above `most` connections idle ones are closed until there are `left`; those younger than `fresh` seconds, whose
    first request may be on its way, are spared.
    """

    of_network: int = 1500
    most: int = 3000
    left: int = 2400
    fresh: float = 0.5


class Connections:
    """The connections of this process. One with a request under way is never closed."""

    def __init__(
        self,
        limits: ConnectionLimits | None = None,
        *,
        proxies: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits, self.clock = limits or ConnectionLimits(), clock
        self.proxies = {network_of(proxy) for proxy in proxies}
        self.open: set[Connection] = set()
        self.of_network: Counter[str] = Counter()
        # Idle connections by network, and since when, the longest idle first: those that never sent a request, others.
        self.silent: dict[str, dict[Connection, float]] = {}
        self.idle: dict[str, dict[Connection, float]] = {}

    def add_connection(self, connection: Connection) -> None:
        """Count a new connection, and close idle ones where there are too many."""
        network = connection.network
        self.open.add(connection)
        self.of_network[network] += 1
        self.silent.setdefault(network, {})[connection] = self.clock()
        if self.of_network[network] > self.limits.of_network and network not in self.proxies:
            self._close_one(connection)
        if len(self.open) > self.limits.most:
            self._close_idle()

    def begun(self, connection: Connection) -> None:
        """Note that the connection has a request under way."""
        for idle in (self.silent, self.idle):
            among = idle.get(connection.network, {})
            among.pop(connection, None)
            if not among:
                idle.pop(connection.network, None)

    def answered(self, connection: Connection) -> None:
        """Record that the response to the connection's request has been sent."""
        if connection in self.open:
            self.idle.setdefault(connection.network, {})[connection] = self.clock()

    def closed(self, connection: Connection) -> None:
        """Forget a connection."""
        if connection not in self.open:
            return
        self.open.remove(connection)
        self.begun(connection)
        self.of_network[connection.network] -= 1
        if not self.of_network[connection.network]:
            del self.of_network[connection.network]

    def _close_one(self, newest: Connection) -> None:
        """Close the longest idle connection of a network, other than its newest."""
        for idle in (self.silent, self.idle):
            for connection in idle.get(newest.network, {}):
                if connection is not newest:
                    self._close([connection])
                    return

    def _close_idle(self) -> None:
        """Close idle connections until there are `left`, first of networks with the most."""
        limits = self.limits
        is_flood = len(self.open) > FLOOD * limits.most
        old = self.clock() - (0 if is_flood else limits.fresh)
        for idle in (self.silent, self.idle):
            found = [
                (self.of_network[network], since, connection)
                for network, among in idle.items()
                for connection, since in among.items()
                if since <= old
            ]
            found.sort(key=lambda one: (-one[0], one[1]))
            surplus = max(0, len(self.open) - limits.left)
            self._close([connection for _number, _since, connection in found[:surplus]])

    def _close(self, found: Iterable[Connection]) -> None:
        for connection in found:
            self.closed(connection)
            connection.abort()


class LimitedProtocol(HttpToolsProtocol):
    """Uvicorn's connection, with limits on heads and on the number of connections."""

    connections_here = Connections()  # of this process
    end_streams: Callable[[], object] = staticmethod(lambda: None)  # called when the process is to stop

    network = ""
    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _in_head = True
    _in_body = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.network = network_of((self.client or ("",))[0])
        self._limit_head()
        self.connections_here.add_connection(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_head()
        self.connections_here.closed(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head and not self._in_body:
            self._limit_head()
        super().data_received(data)
        if self._in_head and not self._in_body:
            self._head_bytes += len(data)
            if self._head_bytes > LARGEST_HEAD:
                self.abort()

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._end_head()
        self._in_head, self._in_body, self._head_bytes = False, True, 0
        self.connections_here.begun(self)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_head, self._in_body = True, False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:  # none is waiting behind it
            self.connections_here.answered(self)
            if self._in_body:  # the rest of a body that was refused
                self._limit_head()

    def shutdown(self) -> None:
        super().shutdown()
        self.end_streams()

    def abort(self) -> None:
        """Close the connection at once."""
        if self.transport:
            self.transport.abort()

    def _limit_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_WITHIN, self.abort)

    def _end_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
