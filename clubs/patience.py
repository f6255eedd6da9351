"""How long we let another machine keep us."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any, Protocol


class Line(Protocol):
    """A connection of one of the libraries that we ask others with; `sock` is None where it is closed."""

    sock: Any


@contextmanager
def cut_off_after(seconds: float, line: Line) -> Iterator[None]:
    """Close the line to whom it takes longer; each of their answers alone may be in time."""

    def cut_off() -> None:
        if line.sock is not None:
            with suppress(OSError):
                line.sock.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, cut_off)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
