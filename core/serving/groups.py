"""Handle waiting requests in groups, each group in one transaction: the disk is waited for once instead of each time.

A commit waits until the disk has it, and SQLite has one writer at a time. When many phones report at once, requests
that have waited while others were stored are taken together. Nobody waits for a group to be filled.

- What one request may not do is refused before it changes anything.
- No response is sent before the transaction is committed.
- If anything fails (an error of the server, the commit, the disk), the whole group is rolled back, and each of its
  requests is made again by itself. So only requests that may be repeated are handled here.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import close_old_connections, transaction

from core.http.long_poll import DATABASE_AWAY, HOLD_BACK

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment


PIECE = 64 * 1024  # bytes of a response that are sent at once; the first chunk of a streamed file
HELD_BACK, AWAY = HOLD_BACK.lower().encode(), DATABASE_AWAY.lower().encode()


class Answer:
    """A response of the WSGI program; `next_piece` calls the program and reads its body."""

    def __init__(self, program: WSGIApplication, environ: WSGIEnvironment) -> None:
        self.program, self.environ = program, environ
        self.head: dict[str, Any] = {}
        # (seconds, version): held back for so long while the tournament has this version; None for nearly all.
        self.held_back: tuple[int, int] | None = None
        self.is_away = False  # the database, and the request may be made again
        self.body: Iterable[bytes] = ()
        self.pieces: Iterator[bytes] | None = None

    def next_piece(self) -> tuple[bytes, bool]:
        """The next bytes, and whether there may be more."""
        try:
            if self.pieces is None:
                self.body = self.program(self.environ, self._begin)
                self.pieces = iter(self.body)
            piece, more = b"", True
            while len(piece) < PIECE and more:
                part = next(self.pieces, None)
                piece, more = piece + (part or b""), part is not None
        except BaseException:
            self.close()
            raise
        if not more:
            self.close()
        return piece, more

    def _begin(self, status: str, headers: list[tuple[str, str]], *_error: Any) -> Callable[[bytes], object]:
        encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        held_back = next((value for name, value in encoded if name == HELD_BACK), b"")
        if held_back:
            seconds, version = held_back.split()
            self.held_back = int(seconds), int(version)
        self.is_away = any(name == AWAY for name, _value in encoded)
        sent = [header for header in encoded if header[0] not in (HELD_BACK, AWAY)]
        self.head = {"type": "http.response.start", "status": int(status[:3]), "headers": sent}
        return lambda _data: None

    def close(self) -> None:
        close = getattr(self.body, "close", None)
        if close:
            close()


logger = logging.getLogger(__name__)

MOST = 16  # requests of a group: the first of them waits until the last is done
SERVER_ERROR = 500

# Entered with the paths of a group's requests.
Together = Callable[[Sequence[str]], AbstractContextManager[object]]


class Begun(NamedTuple):
    """A response, its first bytes, and whether there may be more."""

    answer: Answer
    piece: bytes
    more: bool


class GroupFailed(Exception):
    """A request of a group had an error of the server: nothing of the group is stored."""


class Groups:
    """Calls `program` for waiting requests in groups, in the thread of a lane."""

    def __init__(
        self, program: WSGIApplication, lane: Executor, together: Together = nullcontext, *, most: int = MOST
    ) -> None:
        """`together` is entered around the requests of a group, at most `most`, inside their transaction."""
        self.program, self.lane, self.together, self.most = program, lane, together, most
        self.waiting: deque[tuple[WSGIEnvironment, asyncio.Future[Begun]]] = deque()
        self.task: asyncio.Task[None] | None = None

    async def answer(self, environ: WSGIEnvironment) -> Begun:
        """The response to a request that is stored by then."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Begun] = loop.create_future()
        self.waiting.append((environ, future))
        if self.task is None or self.task.done():
            self.task = loop.create_task(self._answer_all())
        return await future

    async def _answer_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self.waiting:
            try:
                answered = await loop.run_in_executor(self.lane, self._answer_next)
            except RuntimeError as error:  # the lane takes no more
                answered = [(future, error) for _environ, future in self.waiting]
                self.waiting.clear()
            for future, result in answered:
                if future.done():  # the task that waited for it was cancelled
                    continue
                if isinstance(result, BaseException):
                    future.set_exception(result)
                else:
                    future.set_result(result)

    def _answer_next(self) -> list[tuple[asyncio.Future[Begun], Begun | BaseException]]:
        """Take as many waiting requests as a group has, and answer them: together, or else one by one."""
        # In the order of their tables, so that groups of two processes do not wait for each other.
        taken = [self.waiting.popleft() for _request in range(min(self.most, len(self.waiting)))]
        taken.sort(key=lambda waiting: str(waiting[0]["PATH_INFO"]))
        requests = [environ for environ, _future in taken]
        results = self._answer_together(requests) if len(requests) > 1 else []
        results = results or [self._answer_alone(environ) for environ in requests]
        return [(future, result) for (_environ, future), result in zip(taken, results, strict=True)]

    def _answer_together(self, requests: Sequence[WSGIEnvironment]) -> Sequence[Begun | BaseException]:
        """Their responses, all stored in one transaction; none if that failed and nothing is stored."""
        done: list[Begun] = []
        try:
            close_old_connections()  # as before each request; between these no request closes one
            with transaction.atomic(), self.together([str(environ["PATH_INFO"]) for environ in requests]):
                for environ in requests:
                    done.append(self._begin(environ))
                    _refuse_errors(done[-1].answer)
                _refuse_rollback()
        except BaseException as error:  # noqa: BLE001 - each is made again by itself, and then has its own error
            logger.info("Requests of a group are made again one by one: %r", error)
            return []
        return done

    def _answer_alone(self, environ: WSGIEnvironment) -> Begun | BaseException:
        try:
            return self._begin(environ)
        except BaseException as error:  # noqa: BLE001 - raised where the request waits
            return error

    def _begin(self, environ: WSGIEnvironment) -> Begun:
        environ["wsgi.input"].seek(0)
        answer = Answer(self.program, environ)
        return Begun(answer, *answer.next_piece())


def _refuse_errors(answer: Answer) -> None:
    if answer.head["status"] >= SERVER_ERROR:
        raise GroupFailed(answer.head["status"])


def _refuse_rollback() -> None:
    """A view can have answered an error inside a transaction of its own: Django rolls the group back in silence."""
    if transaction.get_rollback():
        raise GroupFailed
