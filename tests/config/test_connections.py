"""Idle connections are closed where one address has too many, or all together do; those that ask never are."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing

import pytest

from config.connections import Connections, Limits, normalized

LIMITS = Limits(watched=0, of_address=6, most=14, left=10, fresh=0, pause=0)


@pytest.fixture
def stack():
    with ExitStack() as stack:
        yield stack


class Hall:
    """A port of this process, and those who are connected to it."""

    def __init__(self, stack):
        self.stack = stack
        self.listening = stack.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
        self.port = self.listening.getsockname()[1]

    def connect(self, host="127.0.0.1", count=1):
        made = []
        for _one in range(count):
            mine = socket.create_connection(("127.0.0.1", self.port), source_address=(host, 0))
            made.append(self.stack.enter_context(closing(mine)))
            theirs, _peer = self.listening.accept()
            self.stack.enter_context(closing(theirs))
        return made


def is_open(line):
    line.setblocking(False)
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True


def open_among(lines):
    return sum(map(is_open, lines))


def test_an_address_keeps_no_more_than_its_share_and_loses_those_first_that_have_asked_nothing(stack):
    hall, connections = Hall(stack), Connections(LIMITS)
    asked, silent = hall.connect(count=4), hall.connect(count=6)
    others = hall.connect("127.0.0.2", 2)
    for line in asked:
        connections.end(connections.begin(line.getsockname()))
    assert connections.look_through(hall.port) == 4
    assert [open_among(lines) for lines in (asked, silent, others)] == [4, 2, 2]


def test_a_connection_with_a_request_under_way_is_never_closed(stack):
    hall, connections = Hall(stack), Connections(LIMITS)
    busy = hall.connect(count=20)
    for line in busy:
        connections.begin(line.getsockname())
    assert connections.look_through(hall.port) == 0
    assert open_among(busy) == 20


def test_where_all_together_are_too_many_whoever_has_most_loses_them_first(stack):
    hall, connections = Hall(stack), Connections(LIMITS)
    few, many = hall.connect("127.0.0.2", 2), [*hall.connect("127.0.0.3", 6), *hall.connect("127.0.0.4", 6)]
    others = hall.connect("127.0.0.5", 1)
    assert connections.look_through(hall.port) == 5
    assert [open_among(lines) for lines in (few, many, others)] == [2, 7, 1]


def test_a_proxys_address_has_no_share_of_its_own(stack):
    hall, connections = Hall(stack), Connections(LIMITS, proxies=["127.0.0.1"])
    behind = hall.connect(count=12)
    assert connections.look_through(hall.port) == 0
    assert open_among(behind) == 12


def test_connections_to_others_and_other_files_are_left_alone(stack):
    hall, other, connections = Hall(stack), Hall(stack), Connections(LIMITS)
    elsewhere = other.connect(count=20)
    assert connections.look_through(hall.port) == 0
    assert open_among(elsewhere) == 20


def test_connections_that_are_gone_are_forgotten(stack):
    hall, connections = Hall(stack), Connections(LIMITS)
    for port in range(1, 700):
        connections.end(connections.begin(("192.0.2.1", port)))
    connections.look_through(hall.port)
    assert (connections.answered, connections.seen, connections.asking) == ({}, {}, {})


@pytest.mark.parametrize(
    ("client", "peer"),
    [
        (("::ffff:192.0.2.1", 7, 0, 0), ("192.0.2.1", 7)),
        (("fe80::1%eth0", 7), ("fe80::1", 7)),
        (("", 0), ("", 0)),
    ],
)
def test_an_address_is_compared_as_it_is_whichever_way_it_came(client, peer):
    assert normalized(client) == peer
