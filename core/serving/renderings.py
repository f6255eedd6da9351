"""Renderings of pages' parts that all processes share where Redis is: each version is rendered by one of them.

The others take its HTML with the message that changes the part before into it, so they neither call the program nor
compare rows. Without Redis, or while it is away, each process renders by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from django.core.cache import cache

# Seconds: a rendering is stored for so long; one that has not come by then is not waited for any longer.
KEPT, PATIENCE = 60, 2


class Rendering(NamedTuple):
    """A part at a version, and the message (plain and compressed) that changes a part with the sum `base` into it."""

    version: int
    html: str
    fingerprint: bytes
    base: str  # "": there is no such message
    plain: bytes
    packed: bytes
    seconds: float  # what it took


class Shared:
    """The renderings of a part, by all that it depends on."""

    def __init__(self, about: Iterable[str]) -> None:
        self.key = f"part:{blake2b(repr(tuple(about)).encode(), digest_size=16).hexdigest()}"
        self.turn = f"{self.key}:turn"

    def find_or_begin(self, version: int) -> tuple[Rendering | None, bool]:
        """The rendering of a version or a newer one; or whether this process is the one to render it now."""
        if found := self._find(version):
            return found, False
        if not cache.add(self.turn, 1, PATIENCE):
            return None, False
        if found := self._find(version):  # stored since the look before
            cache.delete(self.turn)
        return found, found is None

    def _find(self, version: int) -> Rendering | None:
        found: Rendering | None = cache.get(self.key)
        return found if found and found.version >= version else None

    def put(self, rendering: Rendering | None) -> None:
        """Store what this process was to render; None where that failed."""
        if rendering:
            cache.set(self.key, rendering, KEPT)
        cache.delete(self.turn)
