"""Initialization of a child process that renders pages; imports nothing before that."""

from __future__ import annotations

import pickle

from django.conf import settings

from core import processes


def begin(database: str, told: bytes) -> None:
    """Set Django up in a child process, with the site's parameters and a cache of its own."""
    settings.CACHES["default"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    processes.begin(database)
    from tournaments.exports.site import pages  # noqa: PLC0415 - needs the program

    pages.maker = pages.Maker(*pickle.loads(told))  # noqa: S301 - from the process that began this one
