"""Every address of the program, with something filled in for what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from django.urls import URLPattern, get_resolver

FILLED_IN = {
    "code": "{code}",
    "slug": "{slug}",
    "kind": "csv",
    "change": "swap",
    "secret": "{secret}",
    "topic": "result",
    "paper": "list",
    "side": "home",
    "what": "standings",
    "wanted": "rating",
    "done": "here",
    "step": "pause",
    "deed": "away",
    "rulebook": "union",
    "uidb64": "MQ",
    "token": "x-y",
    "chapter_name": "desk",
    "language": "da",
}


def addresses(
    patterns: list | None = None, before: str = "", left_open: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """The name and address of every page; numbers are 1; clubs, tournaments and captains' links are left open.

    So is what is named in `left_open`.
    """
    filled = FILLED_IN | {name: f"{{{name}}}" for name in left_open}
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield pattern.name, "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda m: filled.get(m[1], "1"), here)
        else:
            yield from addresses(pattern.url_patterns, here, left_open)
