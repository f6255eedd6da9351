"""Whether phones reach this machine: which of its addresses answer, and a code to scan that is told when it was."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.core.cache import caches

from core.text import CODE_LETTERS, make_code

# Seconds: for an address to answer, and for a code to be scanned and told of.
PATIENCE, LASTS = 1.0, 3600
SHAPE = re.compile(f"[{CODE_LETTERS}]{{6}}")
NEVER = ()  # what is kept of a code that was not scanned
ASKED = "GET /health/ HTTP/1.0\r\nHost: {host}\r\n\r\n"
# The phone asks whichever process is free, the desk another: what only one of them keeps would be told by chance.
SHARED = "shared"
USUAL = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Scan:
    """When a code was scanned, and from which address."""

    at: datetime
    by: str


def answers(address: str) -> bool:
    """Whether something takes calls at an address such as http://192.168.1.20:8000, and speaks where it is plain."""
    told = urlsplit(address)
    host, port = told.hostname or "", told.port or USUAL[told.scheme]
    with suppress(OSError), socket.create_connection((host, port), timeout=PATIENCE) as asking:
        if told.scheme == "https":
            return True
        asking.settimeout(PATIENCE)
        asking.sendall(ASKED.format(host=host).encode())
        return asking.recv(5) == b"HTTP/"
    return False


def new_code() -> str:
    """A code for one page of checks: short enough to be typed, and worth nothing but to say that it was scanned."""
    code = make_code()
    _keep(code, NEVER)
    return code


def is_code(code: str) -> bool:
    """Whether this is such a code, of the last hour."""
    return SHAPE.fullmatch(code) is not None and caches[SHARED].get(_key(code)) is not None


def tell_scanned(code: str, by: str, now: datetime) -> None:
    _keep(code, (now, by))


def _keep(code: str, scan: tuple[datetime, str] | tuple[()]) -> None:
    with suppress(OSError):  # a full disk is told of by the page itself
        caches[SHARED].set(_key(code), scan, LASTS)


def scan_of(code: str) -> Scan | None:
    """The last time that a code was scanned."""
    found = caches[SHARED].get(_key(code), NEVER)
    return Scan(*found) if found else None


def _key(code: str) -> str:
    return f"reached-{code}"
