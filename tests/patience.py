"""How long tests wait for what another process or thread does."""

import time
from collections.abc import Callable
from typing import TypeVar

# Seconds. No test measures the machine: who has waited so long has found a fault, who passes ends long before.
PATIENCE = 300
LOOK_AGAIN = 0.05

Found = TypeVar("Found")


def wait_until(find: Callable[[], Found]) -> Found:
    """Call `find` until it returns something true, and return that; fails after `PATIENCE` seconds."""
    deadline = time.monotonic() + PATIENCE
    while not (found := find()):
        assert time.monotonic() < deadline, find
        time.sleep(LOOK_AGAIN)
    return found
