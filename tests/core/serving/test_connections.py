"""Idle connections are closed where one address has too many, or all together do; those that ask never are."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack, asynccontextmanager, closing, suppress

import pytest
import uvicorn

from core.serving import limits
from core.serving.limits import (
    HEAD_WITHIN,
    LARGEST_HEAD,
    ConnectionLimits,
    Connections,
    LimitedProtocol,
    network_of,
)
from core.serving.options import UVICORN
from tests.patience import PATIENCE

LIMITS = ConnectionLimits(of_network=6, most=14, left=10, fresh=0)


class Line:
    """A connection that notes whether it was closed."""

    def __init__(self, network):
        self.network, self.is_open = network, True

    def abort(self):
        self.is_open = False


def connect(connections, network, count=1):
    lines = [Line(network) for _one in range(count)]
    for line in lines:
        connections.add_connection(line)
    return lines


def open_among(lines):
    return sum(line.is_open for line in lines)


def test_an_address_keeps_no_more_than_its_share_and_loses_those_first_that_have_asked_nothing():
    connections = Connections(LIMITS)
    asked, silent = connect(connections, "a", 4), connect(connections, "a", 2)
    others = connect(connections, "b", 2)
    for line in asked:
        connections.begun(line)
        connections.answered(line)
    more = connect(connections, "a", 4)
    assert [open_among(lines) for lines in (asked, silent, more, others)] == [4, 0, 2, 2]


def test_a_connection_with_a_request_under_way_is_never_closed():
    connections = Connections(ConnectionLimits(of_network=6, most=99))
    busy = []
    for _one in range(20):
        busy += connect(connections, "a")
        connections.begun(busy[-1])
    assert open_among(busy) == 20
    last = connect(connections, "a")
    assert open_among([*busy, *last]) == 21
    more = connect(connections, "a")
    assert [open_among(lines) for lines in (busy, last, more)] == [20, 0, 1]


def test_where_all_together_are_too_many_whoever_has_most_loses_them_first():
    connections = Connections(LIMITS)
    few, many = (
        connect(connections, "a", 2),
        [*connect(connections, "b", 6), *connect(connections, "c", 6)],
    )
    others = connect(connections, "d", 1)
    assert [open_among(lines) for lines in (few, many, others)] == [2, 7, 1]
    assert len(connections.open) == 10


def test_one_that_may_just_be_asking_is_spared_where_all_together_are_too_many():
    now = [0.0]
    connections = Connections(
        ConnectionLimits(of_network=99, most=14, left=10, fresh=1), clock=lambda: now[0]
    )
    old = connect(connections, "a", 3)
    now[0] = 5.0
    young = connect(connections, "a", 12)
    assert [open_among(old), open_among(young)] == [0, 12]


def test_a_proxys_address_has_no_share_of_its_own():
    connections = Connections(LIMITS, proxies=["127.0.0.1"])
    assert open_among(connect(connections, "127.0.0.1", 12)) == 12


def test_connections_that_are_gone_are_forgotten():
    connections = Connections(LIMITS)
    for line in connect(connections, "a", 5):
        connections.begun(line)
        connections.answered(line)
        connections.closed(line)
        connections.closed(line)
        connections.answered(line)  # its response ends after it
    assert (connections.open, dict(connections.of_network)) == (set(), {})
    assert (connections.idle, connections.silent) == ({}, {})


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2::7", "20010db800010002"),
        ("fe80::1%eth0", "fe80000000000000"),
        ("", ""),
    ],
)
def test_an_address_is_counted_with_its_network_whichever_way_it_is_written(host, network):
    assert network_of(host) == network


# Seconds after which a head is given up here: long enough for a busy machine to read one that came at once.
SHORT = 1.5


class Served:
    """A port of this process whose application answers with the address that was asked for."""

    def __init__(self, port):
        self.port, self.asked = port, []

    async def application(self, scope, receive, send):
        self.asked.append(scope["path"])
        if scope["path"] == "/slow":
            await receive()
            await asyncio.sleep(2 * SHORT)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def serving(connections):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        served = Served(listening.getsockname()[1])

        class Here(LimitedProtocol):
            connections_here = connections

        server = uvicorn.Server(uvicorn.Config(served.application, **UVICORN | {"http": Here}))
        running = asyncio.create_task(server._serve([listening]))
        while not server.started:  # noqa: ASYNC110 - uvicorn tells by no event
            await asyncio.sleep(0.01)
        try:
            yield served
        finally:
            server.should_exit = True
            await asyncio.wait_for(running, PATIENCE)


async def ask(port, *pieces, pause=0.0):
    """What comes back on a connection on which this is sent, piece by piece, until it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    told = bytearray()

    async def listen():
        with suppress(ConnectionError):
            while piece := await reader.read(65_536):
                told.extend(piece)

    listening = asyncio.create_task(listen())
    for piece in pieces:
        if not listening.done():
            writer.write(piece)
            await asyncio.sleep(pause)
    await asyncio.wait_for(listening, PATIENCE)
    writer.close()
    return bytes(told)


GET = b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_a_head_that_does_not_end_is_given_up_on_a_first_request_and_on_a_later_one(monkeypatch):
    monkeypatch.setattr(limits, "HEAD_WITHIN", SHORT)
    drips = [b"x"] * 10

    async def strangers():
        async with serving(Connections()) as served:
            head = b"GET / HTTP/1.1\r\nX-Long: "
            first = await ask(served.port, head, *drips, pause=SHORT / 3)
            later = await ask(served.port, GET % b"/", head, *drips, pause=SHORT / 3)
            silent = await ask(served.port)
            assert (first, silent) == (b"", b"")
            assert later.startswith(b"HTTP/1.1 200 OK")
            assert served.asked == ["/"]

    asyncio.run(strangers())
    assert HEAD_WITHIN == 20


def test_a_request_that_is_answered_slowly_is_not_given_up(monkeypatch):
    monkeypatch.setattr(limits, "HEAD_WITHIN", SHORT)

    async def patient():
        async with serving(Connections()) as served:
            told = await ask(
                served.port, (GET % b"/slow").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
            )
            assert told.endswith(b"ok")

    asyncio.run(patient())


def test_a_head_that_is_too_long_is_given_up_and_one_of_many_cookies_is_not():
    async def strangers():
        async with serving(Connections()) as served:
            head = b"GET / HTTP/1.1\r\nConnection: close\r\nCookie: "
            assert await ask(served.port, head, b"x" * LARGEST_HEAD, b"x" * LARGEST_HEAD, pause=0.05) == b""
            assert served.asked == []
            assert (await ask(served.port, head, b"x" * 20_000, b"\r\n\r\n")).endswith(b"ok")

    asyncio.run(strangers())


def test_the_rest_of_a_body_that_was_refused_is_no_head_and_not_waited_for_for_ever(monkeypatch):
    monkeypatch.setattr(limits, "HEAD_WITHIN", SHORT)

    async def strangers():
        async with serving(Connections()) as served:
            head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n"
            told = await ask(served.port, head, *[b"x" * 65_000] * 4, *[b"x"] * 8, pause=SHORT / 6)
            assert told.endswith(b"ok")
            assert served.asked == ["/"]

    asyncio.run(strangers())


def test_connections_are_counted_while_they_are_open_and_closed_when_there_are_too_many():
    connections = Connections(ConnectionLimits(of_network=3))

    async def crowd():
        async with serving(connections) as served:
            with ExitStack() as stack:
                lines = []
                for number in range(1, 6):
                    line = stack.enter_context(closing(socket.create_connection(("127.0.0.1", served.port))))
                    line.setblocking(False)
                    lines.append(line)
                    if number > 3:
                        assert await asyncio.get_running_loop().sock_recv(lines[number - 4], 1) == b""
                    while len(connections.open) != min(number, 3):  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
            while connections.open:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(crowd(), PATIENCE))
