"""9,000 connections that ask nothing, from one address, on a server that eight tables use.

    python -m tests.faults.idle_connections [CONNECTIONS]

On loopback only, and no more than this process may open. Prints how long a page and a report took before, while the
connections are opened and held, and whether 1,000 connections that have asked something, and 40 that drip a body, live.
"""

from __future__ import annotations

import http
import http.client
import selectors
import socket
import sys
import tempfile
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from core import platform
from core.serving.limits import HEAD_WITHIN
from tests.bench.stage import hall, running
from tests.bench.wire import reports_body
from tests.kept import lay_out
from tests.patience import PATIENCE

CONNECTIONS, WAITING, DRIPPING, SECONDS = 9_000, 1_000, 40, 20
KEPT = 300  # handles of this process for everything else
DRIP = (
    "POST /c/{secret}/reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    "Content-Length: 90000\r\n\r\n"
)


def opened(port: int, stack: ExitStack, *, host: str = "127.0.0.1") -> socket.socket:
    return stack.enter_context(closing(socket.create_connection(("127.0.0.1", port), 20, (host, 0))))


class Waiting:
    """A connection that asks something now and then; it is opened anew where the server may have closed it.

    On a busy machine it asks too late: the server waits `HEAD_WITHIN` seconds for the next request, and no longer.
    """

    def __init__(self, port: int, stack: ExitStack) -> None:
        self.port, self.stack = port, stack
        self.asked, self.line = time.monotonic(), opened(port, stack)

    def ask(self) -> bool:
        """Whether it was answered, or closed in its time."""
        begun = time.monotonic()
        if ask(self.line):
            self.asked = begun
            return True
        if time.monotonic() - self.asked < HEAD_WITHIN:
            return False
        self.asked, self.line = time.monotonic(), opened(self.port, self.stack)
        return True


def timed(port: int, method: str, path: str, body: bytes | str | None = None) -> float:
    begun = time.perf_counter()
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
        line.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = line.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
    return time.perf_counter() - begun


def attack(port: int, connections: int, stack: ExitStack) -> selectors.BaseSelector:
    """Open so many connections from one address, as fast as the system lets them; nobody waits for them."""
    found = selectors.DefaultSelector()
    for _one in range(connections):
        line = stack.enter_context(closing(socket.socket()))
        line.setblocking(False)
        line.bind(("127.0.0.9", 0))
        line.connect_ex(("127.0.0.1", port))
        found.register(line, selectors.EVENT_READ)
    return found


def ask(line: socket.socket) -> bool:
    """Whether this connection is answered."""
    with suppress(OSError, http.client.HTTPException):
        line.sendall(b"GET /health/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = http.client.HTTPResponse(line, method="GET")
        answer.begin()
        answer.read()
        return answer.status == http.HTTPStatus.OK
    return False


def measured(folder: str, connections: int = CONNECTIONS, waiting: int = WAITING) -> dict[str, object]:
    """What came of it, by name."""
    platform.allow_files(connections + waiting + KEPT)
    _code, secrets = hall(8, folder)
    told: dict[str, object] = {}
    with running(folder, BACKUP_MINUTES="0") as (address, _process), ExitStack() as stack:
        port = int(address.rpartition(":")[2])
        told["before"] = max(timed(port, "GET", "/health/") for _time in range(5))
        patient = [Waiting(port, stack) for _one in range(waiting)]
        assert all(line.ask() for line in patient)
        drips = [opened(port, stack, host="127.0.0.8") for _one in range(DRIPPING)]
        for line in drips:
            line.sendall(DRIP.format(secret=secrets[1]).encode())
        strangers = attack(port, connections, stack)
        pages, reports, alive, begun, deal = [], [], patient, time.monotonic(), 0
        while time.monotonic() - begun < SECONDS:
            deal += 1
            pages.append(timed(port, "GET", "/"))
            if deal <= 8:
                reports.append(timed(port, "POST", f"/c/{secrets[0]}/reports", reports_body([deal])))
            for line in drips:
                with suppress(OSError):
                    line.send(b"x" * 9000 if deal < 2 else b" ")
            # The server waits 20 s for the next question on a connection; a phone asks before.
            alive = [line for line in alive if line.ask()] if deal % 8 == 0 else alive
            time.sleep(0.5)
            told["closed"] = len({key.fd for key, _events in strangers.select(0)})
        told |= {"page": max(pages), "report": max(reports)}
        told["waiting_live"] = sum(line.ask() for line in alive)
        told["dripping_live"] = sum(_is_open(line) for line in drips)
    return told


def _is_open(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def main() -> None:
    connections = int(sys.argv[1]) if len(sys.argv) > 1 else CONNECTIONS
    with tempfile.TemporaryDirectory(prefix="spadille-idle-") as folder:
        for name, value in measured(str(lay_out(Path(folder))), connections).items():
            print(
                f"{name.replace('_', ' ')}: {value:.3f}" if isinstance(value, float) else f"{name}: {value}"
            )


if __name__ == "__main__":
    main()
