"""A proxy with https in front of the server under test, that can be taken away and come back."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit

CHUNK = 65536


def self_signed(folder: Path) -> ssl.SSLContext:
    """The server's side of https with a certificate that nobody else vouches for."""
    files = {"-keyout": folder / "key.pem", "-out": folder / "certificate.pem"}
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split()
    subprocess.run(
        [*command, *(str(word) for pair in files.items() for word in pair)], check=True, capture_output=True
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files["-out"], files["-keyout"])
    return context


class _Server(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False


class HttpsProxy:
    """`start()` and `stop()` as often as needed; the address stays the same."""

    def __init__(self, target: str, context: ssl.SSLContext) -> None:
        self.target = (urlsplit(target).hostname, urlsplit(target).port)
        self.context = context
        self.port = 0
        self.open: set[socket.socket] = set()

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def start(self) -> None:
        proxy = self

        class Handler(BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):
                    proxy.carry(self.request)

        self.server = _Server(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """No network: what is open breaks, what is asked is refused."""
        self.server.shutdown()
        self.server.server_close()
        for one in list(self.open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def carry(self, raw: socket.socket) -> None:
        self.open.add(raw)
        with (
            self.context.wrap_socket(raw, server_side=True) as near,
            socket.create_connection(self.target) as far,
        ):
            self.open |= {near, far}
            back = threading.Thread(target=_pump, args=(far, near), daemon=True)
            back.start()
            _pump(near, far)
            back.join()
            self.open -= {raw, near, far}


def _pump(source: socket.socket, drain: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(CHUNK):
            drain.sendall(data)
    with suppress(OSError):
        drain.shutdown(socket.SHUT_RDWR)
