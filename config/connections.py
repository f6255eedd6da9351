"""Connections of a process for pages: closes idle ones where one address has too many, or where few handles are left.

The server accepts whoever connects, and waits 20 s for the head of a request. Whoever opens thousands of connections
and sends nothing would take up all that a process may have, and nobody else could connect. So a thread looks at the
sockets of this process a few times a second where there are many, and shuts down idle ones: first those of addresses
with more than their share, then those that have never asked anything. A connection with a request under way is never
closed, however slowly it sends or however long it waits for an answer.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from core.throttle import by_address

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

# Where a system lists the open files of a process; Windows has no such place, and nothing is closed there.
FOLDERS = ("/proc/self/fd", "/dev/fd")
Peer = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Limits:
    """Connections of one process. A hall's phones may share an address; a proxy's address has no limit of its own.

    With fewer than `watched` open files nothing is looked at. Above `most` connections idle ones are closed until
    there are `left`. `fresh` are the seconds in which a request may be on its way; `pause` those between two looks.
    """

    watched: int = 512
    of_address: int = 1500
    most: int = 3000
    left: int = 2400
    fresh: float = 0.5
    pause: float = 0.25


@dataclass(slots=True)
class Open:
    """An open connection: its handle, whose it is, whether it has asked anything yet, since when it is idle."""

    handle: int
    peer: Peer
    address: str
    has_asked: bool
    idle_since: float


@dataclass
class Connections:
    """The connections of this process: told by the listener of each request, and looked through by a thread."""

    limits: Limits = field(default_factory=Limits)
    proxies: Collection[str] = ()
    asking: Counter[Peer] = field(default_factory=Counter)
    answered: dict[Peer, float] = field(default_factory=dict)
    seen: dict[Peer, float] = field(default_factory=dict)

    def begin(self, client: Iterable[object]) -> Peer:
        """A request has come on the connection of this client."""
        peer = normalized(client)
        self.asking[peer] += 1
        return peer

    def end(self, peer: Peer) -> None:
        """It is answered, or given up."""
        self.answered[peer] = time.monotonic()
        self.asking[peer] -= 1
        if self.asking[peer] <= 0:
            del self.asking[peer]

    def watch(self, port: int) -> None:
        """Look through the connections to this port for as long as the process is there."""
        if any(Path(folder).is_dir() for folder in FOLDERS):
            threading.Thread(target=self._watch, args=(port,), name="connections", daemon=True).start()

    def _watch(self, port: int) -> None:
        while True:
            time.sleep(self.limits.pause)
            with suppress(
                OSError, RuntimeError
            ):  # no handle left to look with; a request came while it was counted
                self.look_through(port)

    def look_through(self, port: int) -> int:
        """Close idle connections above the limits; how many."""
        handles = _handles()
        if len(handles) < self.limits.watched:
            if len(self.answered) > self.limits.watched:
                self._forget(set())
            return 0
        now = time.monotonic()
        here = list(self._open(handles, port, now))
        self._forget({one.peer for one in here})
        victims = self._victims(here, now)
        for one in victims:
            _shut(one)
        return len(victims)

    def _open(self, handles: Iterable[int], port: int, now: float) -> Iterator[Open]:
        for handle in handles:
            peer = _peer_of(handle, port)
            if peer is None:
                continue
            answered = self.answered.get(peer)
            since = self.seen.setdefault(peer, now) if answered is None else answered
            yield Open(handle, peer, by_address("", peer[0]), answered is not None, since)

    def _forget(self, there: Collection[Peer]) -> None:
        """Forget connections that are closed."""
        for peer in [peer for peer in list(self.answered) if peer not in there and peer not in self.asking]:
            self.answered.pop(peer, None)
        for peer in [peer for peer in self.seen if peer not in there]:
            del self.seen[peer]

    def _victims(self, here: Collection[Open], now: float) -> list[Open]:
        """What to close: of an address above its limit, then of everybody, what has never asked and is idle longest."""
        limits = self.limits
        proxies = {by_address("", proxy) for proxy in self.proxies}
        of_address = Counter(one.address for one in here)
        idle = [one for one in here if one.peer not in self.asking]
        idle.sort(key=lambda one: (one.has_asked, one.idle_since))
        closed: dict[int, Open] = {}
        for one in idle:
            if of_address[one.address] > limits.of_address and one.address not in proxies:
                of_address[one.address] -= 1
                closed[one.handle] = one
        too_many = len(here) - len(closed) - limits.left if len(here) - len(closed) > limits.most else 0
        # Who has most of them loses them first; a request may just be on its way.
        old = [one for one in idle if one.idle_since <= now - limits.fresh]
        old.sort(key=lambda one: (one.has_asked, -of_address[one.address], one.idle_since))
        for one in old:
            if too_many <= 0:
                break
            if one.handle not in closed:
                closed[one.handle] = one
                too_many -= 1
        return list(closed.values())


def normalized(client: Iterable[object]) -> Peer:
    """An address and a port as they are compared: IPv4 is written as such, however it came."""
    host, port, *_more = client
    try:
        address = ip_address(str(host).partition("%")[0])
    except ValueError:
        return str(host), int(str(port) or 0)
    return str(getattr(address, "ipv4_mapped", None) or address), int(str(port))


def _handles() -> list[int]:
    for folder in FOLDERS:
        with suppress(OSError):
            return [int(name) for name in os.listdir(folder)]  # noqa: PTH208 - names alone, of thousands
    return []


def _peer_of(handle: int, port: int) -> Peer | None:
    """Who is connected to our port by this handle; None for any other file."""
    try:
        one = socket.socket(fileno=handle)
    except (OSError, ValueError):
        return None
    try:
        if one.family not in (socket.AF_INET, socket.AF_INET6) or one.getsockname()[1] != port:
            return None
        return normalized(one.getpeername())
    except OSError:  # it listens, or is closed already
        return None
    finally:
        one.detach()  # the server's, who closes it


def _shut(connection: Open) -> None:
    """Let the server read the end of it; only if the handle is still that connection's."""
    try:
        one = socket.socket(fileno=connection.handle)
    except (OSError, ValueError):
        return
    try:
        if normalized(one.getpeername()) == connection.peer:
            one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    finally:
        one.detach()
