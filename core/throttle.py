"""Rate limits for guesses and expensive requests: so many attempts a minute, counted by all processes together.

Each process also counts its own attempts, as the limit while the shared cache is unavailable or full.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from django.core.cache import caches

WRONG_TRIES_A_MINUTE = 10
MINUTE = 60  # seconds
# The caches that count: what all processes share, and this process's own.
HERE = "tries-here"
COUNTERS = ("tries", HERE)


def is_throttled(*guessers: str, most: int = WRONG_TRIES_A_MINUTE) -> bool:
    """Whether one of these (see `by_address`, `by_name`) has used up its attempts of this minute."""
    counts = (count for counter in COUNTERS for count in caches[counter].get_many(guessers).values())
    return any(int(count) >= most for count in counts)


def count_attempt(*guessers: str) -> None:
    """Count an attempt for each of these."""
    for counter in COUNTERS:
        for guesser in guessers:
            _count(counter, guesser)


def uncount_attempt(*guessers: str) -> None:
    """Undo the count of an attempt that turned out to be right."""
    for counter in COUNTERS:
        for guesser in guessers:
            with suppress(ValueError, OSError):  # the minute ended just now, or nothing is counted there
                caches[counter].decr(guesser)


def _count(counter: str, key: str) -> None:
    tries = caches[counter]
    try:
        if not tries.add(key, 1, MINUTE):
            tries.incr(key)
    except ValueError:  # the minute ended just now
        tries.set(key, 1, MINUTE)
    except OSError:  # a full disk, or more who guess than are counted together: this process counts alone
        return


def is_over_rate(asker: str, *, most: int) -> bool:
    """Whether this address has used up its requests of this minute, counted by this process alone.

    Requests are no guesses: a count per process is enough, and costs a hundredth of a shared one.
    """
    return int(caches[HERE].get(asker, 0)) >= most


def count_request(asker: str) -> None:
    """Count a request of this address in this process."""
    _count(HERE, asker)


def by_name(what: str, name: str) -> str:
    """The key that counts attempts for one account, from all addresses."""
    return f"{what}:{sha256(name.casefold().encode()).hexdigest()[:32]}"


def by_address(what: str, address: str) -> str:
    """The key that counts attempts from one address.

    Of an IPv6 address the first 64 bits count: everybody has as many addresses as they like within them.
    """
    try:
        told = ip_address(address)
    except ValueError:
        return f"{what}:?"
    if isinstance(told, IPv6Address) and told.ipv4_mapped is None:
        return f"{what}:{int(told) >> 64:x}"
    return f"{what}:{told}"
