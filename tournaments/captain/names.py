"""Players' names as a phone has room for."""

from __future__ import annotations

from collections.abc import Sequence

ROOM = 20  # letters of a name


def called(names: Sequence[str]) -> list[str]:
    """Names in one line each: a long one is its first name and a letter; those that would be alike keep more."""
    short = [_called(name) for name in names]
    return [
        name if short.count(name) == 1 else full[: 2 * ROOM] for name, full in zip(short, names, strict=True)
    ]


def _called(name: str) -> str:
    first, *rest = name.split() or [""]
    if len(name) <= ROOM or not rest:
        return name[:ROOM]
    return f"{first[: ROOM - 3]} {rest[-1][0]}."


def first_names(names: Sequence[str]) -> list[str]:
    """Heads of narrow columns: first names, with a letter more where two are alike."""
    parts = [[*name.split(), "", ""] for name in names]
    firsts = [first for first, *_ in parts]
    return [first if firsts.count(first) == 1 else f"{first} {second[:1]}" for first, second, *_ in parts]
