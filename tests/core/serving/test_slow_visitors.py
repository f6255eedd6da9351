"""A real server, and strangers who send a byte a second, or ask for all the sheets there are: no table notices."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from contextlib import ExitStack, closing

import pytest

from scoring import rulebooks
from tests.bench.stage import hall, running
from tests.bench.wire import reports_body
from tests.faults.idle_connections import DRIPPING, WAITING, measured
from tests.kept import lay_out
from tests.patience import PATIENCE

STRANGERS = 40
HEADS = {
    "a report": "POST /c/{secret}/reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    "Content-Length: 90000\r\n\r\n",
    "a photograph": "POST /c/{secret}/photograph HTTP/1.1\r\nHost: localhost\r\n"
    "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000000\r\n\r\n",
    "a form": "POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    "Content-Length: 900\r\n\r\n",
    "a head": "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
}
HELD_UP_BEFORE = 10  # seconds; half of what a page waited while 9,000 connections were idle
# A busy machine may pause; a server that waits for strangers does so each time.
TRIES = 3


class Stranger:
    """A connection on which a request is begun, and never ended."""

    def __init__(self, port, head):
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.connection.sendall(head.encode())
        self.connection.setblocking(False)
        self.is_let_go = False

    def drip(self):
        try:
            self.is_let_go = self.is_let_go or self.connection.recv(1) is not None  # answered, or closed
        except BlockingIOError:
            self.connection.send(b"x")
        except ConnectionError:
            self.is_let_go = True

    def close(self):
        self.connection.close()


SHEETS = [f"/rules/{book.id}/sheet.pdf" for book in rulebooks()]


@pytest.fixture
def no_services(monkeypatch):
    for name in ("DATABASE_URL", "CACHE_URL"):
        monkeypatch.delenv(name, raising=False)


def answered(port, method, path, body=None):
    """Ask for the whole of a page on a connection of its own."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        said = answer.read()
    assert answer.status == 200, said


@pytest.mark.slow
def test_forty_strangers_who_drip_hold_nobody_up_and_are_let_go(no_services, tmp_path):
    """Who waited for one of them would be answered when that one is let go, and not before."""
    _code, secrets = hall(8, str(lay_out(tmp_path)))
    with running(str(tmp_path), BACKUP_MINUTES="0") as (address, _process), ExitStack() as stack:
        port = int(address.rpartition(":")[2])
        for deal in range(1, TRIES + 1):
            strangers = [
                stack.enter_context(closing(Stranger(port, head.format(secret=secrets[1]))))
                for head in HEADS.values()
                for _one in range(STRANGERS // len(HEADS))
            ]
            answered(port, "GET", "/health/")
            answered(port, "POST", f"/c/{secrets[0]}/reports", reports_body([deal]))
            for stranger in strangers:
                stranger.drip()
            if not any(stranger.is_let_go for stranger in strangers):
                break
        assert not any(stranger.is_let_go for stranger in strangers)
        until = time.monotonic() + PATIENCE
        while not all(stranger.is_let_go for stranger in strangers):
            assert time.monotonic() < until
            time.sleep(0.2)
            for stranger in strangers:
                stranger.drip()


@pytest.mark.slow
def test_six_strangers_who_print_hold_nobody_up(no_services, tmp_path):
    """Who waited for their sheets would be answered when all six are made."""
    _code, secrets = hall(8, str(lay_out(tmp_path)))
    with running(str(tmp_path), BACKUP_MINUTES="0") as (address, _process):
        port = int(address.rpartition(":")[2])
        assert len(SHEETS) >= 6
        strangers = [threading.Thread(target=answered, args=(port, "GET", path)) for path in SHEETS[:6]]
        for stranger in strangers:
            stranger.start()
        for deal in (1, 2, 3):
            answered(port, "GET", "/health/")
            answered(port, "POST", f"/c/{secrets[0]}/reports", reports_body([deal]))
        assert any(stranger.is_alive() for stranger in strangers)
        for stranger in strangers:
            stranger.join()


@pytest.mark.slow
def test_thousands_of_idle_connections_from_one_address_hold_nobody_up(no_services, tmp_path):
    for number in range(TRIES):
        told = measured(str(lay_out(tmp_path / str(number))))
        print(told)
        if told["page"] < HELD_UP_BEFORE:
            break
    assert told["page"] < HELD_UP_BEFORE
    assert (told["waiting_live"], told["dripping_live"]) == (WAITING, DRIPPING)
