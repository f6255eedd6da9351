"""A response of the WSGI program, computed piece by piece in the thread of a lane."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

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
