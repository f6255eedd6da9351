"""Guessing is slowed down: so many wrong tries a minute, counted by all processes together."""

from __future__ import annotations

from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from django.core.cache import caches

WRONG_TRIES_A_MINUTE = 10
MINUTE = 60  # seconds


def has_tried_enough(*guessers: str) -> bool:
    """Whether one of these (see `by_address`, `by_name`) has guessed wrong so often that they have to wait a minute."""
    tries = caches["tries"].get_many(guessers)
    return any(int(count) >= WRONG_TRIES_A_MINUTE for count in tries.values())


def count_wrong_try(*guessers: str) -> None:
    for guesser in guessers:
        _count(guesser)


def _count(key: str) -> None:
    tries = caches["tries"]
    try:
        if not tries.add(key, 1, MINUTE):
            tries.incr(key)
    except ValueError:  # the minute ended just now
        tries.set(key, 1, MINUTE)
    except OSError:  # a full disk: nothing can be counted, and nobody is to be kept out for it
        return


def by_name(what: str, name: str) -> str:
    """All who guess for one name, wherever they are."""
    return f"{what}:{sha256(name.casefold().encode()).hexdigest()[:32]}"


def by_address(what: str, address: str) -> str:
    """All who guess from one address.

    By IPv6 everybody has as many addresses as they like: what they share, the first half, is counted.
    """
    try:
        told = ip_address(address)
    except ValueError:
        return f"{what}:?"
    if isinstance(told, IPv6Address) and told.ipv4_mapped is None:
        return f"{what}:{int(told) >> 64:x}"
    return f"{what}:{told}"
