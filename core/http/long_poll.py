"""Programs that wait for news of a tournament: a thousand of them hold no thread, and cost hardly more than one.

Whoever is to wait is told so by the program (`HOLD_BACK`). For all who wait for the same
tournament one question is asked again and again, as a phone in the hall asks it; it is answered from what was answered
just now (`config.replay`). When there is something new, each asks the program once more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

# Of an answer: it is not to be sent yet, for so many seconds at most, while this is the version that there is.
HOLD_BACK = "X-Hold-Back"

# Seconds between two questions, and for which one waits at most: a server that is stopped lets nobody finish who needs
# longer (`core.serving.server`), and whoever waits asks again. How many may wait in a process.
MOMENT, LONGEST = 0.5, 6.0
MOST = 2000

# The version of the tournament with this code as it is told now; 0 where nobody says.
Ask = Callable[[str], Awaitable[int]]


@dataclass
class _Watched:
    """A tournament that somebody waits for, the newest version that was heard of, and what is rung at the next."""

    newest: int
    waiting: int = 0
    bell: asyncio.Event = field(default_factory=asyncio.Event)
    watcher: asyncio.Task[None] | None = None


class Waiting:
    """All who wait in this process."""

    def __init__(self, *, moment: float = MOMENT, most: int = MOST) -> None:
        self.moment, self.most = moment, most
        self.watched: dict[str, _Watched] = {}

    async def for_news(self, code: str, version: int, seconds: float, ask: Ask) -> None:
        """Until a newer version is told than this one, or so many seconds; not at all where too many wait."""
        if sum(one.waiting for one in self.watched.values()) >= self.most:
            return
        one = self.watched.setdefault(code, _Watched(version))
        one.waiting += 1
        if one.watcher is None or one.watcher.done():
            one.watcher = asyncio.create_task(self._watch(code, one, ask))
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(min(seconds, LONGEST)):
                    while one.newest <= version:
                        await one.bell.wait()
        finally:
            one.waiting -= 1
            if not one.waiting:
                self._let_go(code, one)

    def _let_go(self, code: str, one: _Watched) -> None:
        if one.watcher:
            one.watcher.cancel()
        if self.watched.get(code) is one:
            del self.watched[code]

    async def _watch(self, code: str, one: _Watched, ask: Ask) -> None:
        while True:
            newest = await ask(code)
            if newest > one.newest:
                one.newest = newest
                one.bell.set()
                one.bell = asyncio.Event()
            await asyncio.sleep(self.moment)
