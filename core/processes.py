"""Computing in child processes, without the threads of `concurrent.futures`; and the first steps of such a process."""

from __future__ import annotations

import gc
import pickle
import signal
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Self, TypeVar, cast

import django
from django.conf import settings

from core.platform import end_with_parent

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


Result = TypeVar("Result")


class Call(Generic[Result]):
    """A call of a function in a worker process; its result is known once `is_done`."""

    def __init__(self, workers: Workers | None, value: Result | None = None) -> None:
        self.workers, self.value = workers, value
        self.error: Exception | None = None
        self.is_done = workers is None

    @classmethod
    def done(cls, value: Result) -> Call[Result]:
        """A call that was made in this process."""
        return cls(None, value)

    def result(self) -> Result:
        """Wait for the call; return what it returned, or raise what it raised."""
        while self.workers and not self.is_done:
            self.workers.wait()
        if self.error is not None:
            raise self.error
        return cast("Result", self.value)


class _Queued(NamedTuple):
    call: Call[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class _Worker:
    """A child process and this end of the pipe to it."""

    def __init__(self, process: BaseProcess, pipe: Connection) -> None:
        self.process, self.pipe = process, pipe
        self.call: Call[Any] | None = None


class Workers:
    """A pool of at most `most` child processes, which end with its context; each calls `initializer`, if any, first.

    `ProcessPoolExecutor` needs two threads, and waits for ever where too little memory is left to start one. Here
    the caller sends and receives: a process begins its next call while somebody waits for a result. Waiting raises
    BrokenProcessPool if a process was killed, and a start OSError if there is no memory for it.
    """

    def __init__(
        self,
        most: int,
        start: Literal["fork", "spawn"],
        initializer: Callable[..., object] | None = None,
        *initargs: Any,
    ) -> None:
        self.most, self.context = most, get_context(start)
        self.initializer, self.initargs = initializer, initargs
        # Forked processes all start at the first call, when the caller has closed what must not be copied.
        self.at_once = most if start == "fork" else 1
        self.workers: list[_Worker] = []
        self.queued: deque[_Queued] = deque()

    def __enter__(self) -> Self:
        return self

    def submit(self, function: Callable[..., Result], *arguments: Any) -> Call[Result]:
        """Queue a call of a module's function; calls begin in their order."""
        call: Call[Result] = Call(self)
        self.queued.append(_Queued(call, function, arguments))
        if all(worker.call for worker in self.workers) and len(self.workers) < self.most:
            for _number in range(self.at_once):
                self._start()
        self._send()
        return call

    def wait(self) -> None:
        """Wait until at least one of the calls is done."""
        busy = {worker.pipe: (worker, worker.call) for worker in self.workers if worker.call}
        for pipe in wait(list(busy)):
            self._receive(*busy[cast("Connection", pipe)])
        self._send()

    def _start(self) -> None:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(  # type: ignore[attr-defined]
            target=_work, args=(theirs, self.initializer, self.initargs)
        )
        process.start()
        theirs.close()
        self.workers.append(_Worker(process, ours))

    def _send(self) -> None:
        """Send the next call to each idle process."""
        for worker in self.workers:
            if self.queued and worker.call is None:
                worker.call, function, arguments = self.queued.popleft()
                try:
                    worker.pipe.send((function, arguments))
                except (BrokenPipeError, ConnectionResetError):
                    raise BrokenProcessPool("a child process was killed") from None

    def _receive(self, worker: _Worker, call: Call[Any]) -> None:
        try:
            call.value, call.error = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            raise BrokenProcessPool("a child process was killed") from None
        call.is_done, worker.call = True, None

    def __exit__(self, kind: type[BaseException] | None, *_problem: object) -> None:
        for worker in self.workers:
            if kind is None and worker.call is None:
                with suppress(OSError):
                    worker.pipe.send(None)
            else:
                worker.process.kill()
        for worker in self.workers:
            worker.process.join()
            worker.pipe.close()


def _work(pipe: Connection, initializer: Callable[..., object] | None, initargs: tuple[Any, ...]) -> None:
    """Run one call after the other in a child process, until the parent sends None or has ended."""
    if initializer:
        initializer(*initargs)
    with suppress(EOFError):
        while message := pipe.recv():
            function, arguments = message
            try:
                pipe.send((function(*arguments), None))
            except Exception as error:  # noqa: BLE001 - the parent raises it; also where a result cannot be pickled
                pipe.send((None, _sendable(error, traceback.format_exc())))


def _sendable(error: Exception, came_from: str) -> Exception:
    """The error with a note, or a RuntimeError that names it if the parent could not unpickle it."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    except Exception:  # noqa: BLE001 - an error may be pickled by any code
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(came_from)
    return error


# The first steps of a computing child process; nothing here needs Django to be set up before.


def settle_garbage() -> None:
    """Exclude existing objects from garbage collection, and collect later ones rarely.

    Queried rows have no reference cycles: searching for some among each 700 takes up to a sixth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def begin(database: str) -> None:
    """Set Django up with the database of this name. Ctrl-C is handled by the parent, which ends its children."""
    begin_copied()
    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    settle_garbage()


def begin_copied() -> None:
    """The first steps of a process forked from one that has imported the program and closed its database."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def begin_parts(begun: Callable[..., None], *told: str) -> None:
    """One of these, for work in parts that looks for garbage behind each (`settle_garbage`), never in the middle of it.

    Whose work does not, would grow to its end.
    """
    begun(*told)
    gc.disable()
