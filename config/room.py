"""Room for the frames of all that a function calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

Told = ParamSpec("Told")
Answer = TypeVar("Answer")

SLOTS = 70_000  # of a frame: its piece is the next power of two, 1 MiB, of which nearly the half is left


def with_room(do: Callable[Told, Answer]) -> Callable[Told, Answer]:
    """The same function, with room for all that is called from there.

    Python lays frames in pieces of 16 KiB, asks the system for each anew and gives it back at once: what calls to and
    fro across the end of one, as templates and questions to the database do, asks a hundred times a page, and takes
    up to a fifth longer. A frame that says it is large has a large piece. What is not used of it takes no memory.
    """

    def done(*args: Told.args, **kwargs: Told.kwargs) -> Answer:
        return do(*args, **kwargs)

    done.__code__ = done.__code__.replace(co_stacksize=SLOTS)
    return done
