"""A stream that nobody closed and nothing comes by any more, as where a network vanishes: the page opens another."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from tests.bench.stage import hall, running
from tests.browser.test_events import captain, follow, page, report, watched, winners  # noqa: F401 - fixture
from tests.kept import lay_out

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Network:
    """A proxy that can lose streams: nothing is sent on, and no connection ends."""

    def __init__(self, port: int) -> None:
        self.port, self.is_lost = port, threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.open: list[socket.socket] = [self.listener]
        self.streams: set[socket.socket] = set()
        self.lost: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_streams(self) -> None:
        """Those that are open now; later ones are as ever."""
        self.lost |= self.streams

    def close(self) -> None:
        for one in self.open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _address = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.port))
                self.open += [client, server]
                threading.Thread(target=self._pass_on, args=(client, server, client), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(server, client, client), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if source is client and b"/events" in data:
                    self.streams.add(client)
                if client not in self.lost:
                    target.sendall(data)
            if client not in self.lost:
                target.shutdown(socket.SHUT_WR)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A round of 12 players: (port, tournament's code, captains' links)."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DATABASE_URL", "CACHE_URL"):
            patch.delenv(name, raising=False)
        folder = str(lay_out(tmp_path_factory.mktemp("silent")))
        code, secrets = hall(12, folder)
        with running(folder, BACKUP_MINUTES="0", STREAM_HEARTBEAT="0.4") as (address, _process):
            yield int(address.rpartition(":")[2]), code, secrets


@pytest.fixture
def network(server):
    made = Network(server[0])
    yield made
    made.close()


def is_stream(request):
    return "/events" in request.url


def test_a_page_of_the_hall_opens_another_stream(server, network, page):  # noqa: F811
    port, code, secrets = server
    follow(page, f"{network.address}/t/{code}/standings/")
    before = winners(page).count()
    with page.expect_request(is_stream):
        network.lose_streams()
    report(f"http://127.0.0.1:{port}", secrets[0], 1)
    expect(winners(page)).to_have_count(before + 1)


def test_a_captains_phone_opens_another_stream(server, network, page):  # noqa: F811
    port, _code, secrets = server
    captain(page, network.address, secrets[1])
    with page.expect_request(is_stream):
        network.lose_streams()
    with page.expect_response("**/state*"):
        report(f"http://127.0.0.1:{port}", secrets[1], 1)
