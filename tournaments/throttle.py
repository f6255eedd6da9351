"""Guessing is slowed down: so many wrong tries a minute from one address, counted by all processes together."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from django.core.cache import caches

WRONG_TRIES_A_MINUTE = 10
MINUTE = 60  # seconds


def has_tried_enough(what: str, address: str) -> bool:
    """Whether somebody at `address` has guessed wrong so often that they have to wait a minute."""
    return int(caches["tries"].get(_key(what, address), 0)) >= WRONG_TRIES_A_MINUTE


def count_wrong_try(what: str, address: str) -> None:
    tries, key = caches["tries"], _key(what, address)
    try:
        if not tries.add(key, 1, MINUTE):
            tries.incr(key)
    except ValueError:  # the minute ended just now
        tries.set(key, 1, MINUTE)
    except OSError:  # a full disk: nothing can be counted, and nobody is to be kept out for it
        return


def _key(what: str, address: str) -> str:
    """By IPv6 everybody has as many addresses as they like: what they share, the first half, is counted."""
    try:
        told = ip_address(address)
    except ValueError:
        return f"{what}:?"
    if isinstance(told, IPv6Address) and told.ipv4_mapped is None:
        return f"{what}:{int(told) >> 64:x}"
    return f"{what}:{told}"
