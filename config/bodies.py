"""Takes in what a request sends, before the program hears of it.

A stranger may drip a body at a byte a second, and a hall's Wi-Fi may be slow. Who is waited for here costs no thread:
a body that is too slow, too long or one too many is given up, and the program says so in words (`REFUSED`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

Receive = Callable[[], Awaitable[dict[str, Any]]]

# Says in a request's environment why its body is not there; one of the three below.
REFUSED = "spadille.refused"
TOO_LARGE, TOO_SLOW, TOO_MANY = "too large", "too slow", "too many"

# The largest thing anybody sends is a photograph of 10 MB, in a form.
MOST_BYTES = 12 * 1024 * 1024


class Gone(Exception):  # noqa: N818 - says what happened
    """Whoever asked is no longer there."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What is asked of a sender; seconds, and bytes a second.

    The first `grace` seconds are free, for a phone that looks for its network; after them the body must have come at
    `least_rate` on average, never pausing for `silence`, and be there by `deadline`.
    """

    grace: float = 15
    least_rate: int = 8 * 1024
    silence: float = 15
    deadline: float = 600

    def patience(self, elapsed: float, size: int) -> float:
        """Seconds to wait for more, when so many bytes have come."""
        slowest = min(self.deadline, self.grace + size / self.least_rate)
        return min(self.silence, slowest - elapsed)


class Places:
    """How many large bodies are taken in at the same time: each lies on the disk until it is answered."""

    def __init__(self, most: int = 64, small: int = 64 * 1024) -> None:
        """A body of at most `small` bytes, as every report, needs no place."""
        self.most, self.small = most, small
        self.taken = 0

    @contextmanager
    def one(self, declared: int | None) -> Iterator[bool]:
        """Hold a place for a body of so many bytes, None where it does not say; False where there is none left."""
        needed = declared is None or declared > self.small
        if needed and self.taken >= self.most:
            yield False
            return
        self.taken += needed
        try:
            yield True
        finally:
            self.taken -= needed


async def take_in(receive: Receive, body: IO[bytes], pace: Pace) -> str:
    """Write what comes into `body`; why it was given up, "" if it is all there. Raises `Gone`."""
    clock = asyncio.get_running_loop().time
    begun, size = clock(), 0
    while True:
        try:
            async with asyncio.timeout(pace.patience(clock() - begun, size)):
                message = await receive()
        except TimeoutError:
            return TOO_SLOW
        if message["type"] != "http.request":
            raise Gone
        piece = message.get("body", b"")
        size += len(piece)
        if size > MOST_BYTES:
            return TOO_LARGE
        body.write(piece)
        if not message.get("more_body"):
            return ""
