"""Serving in the process that was told to, begun afresh once all is prepared.

To bring the database up to date takes all of Django and the program, and who keeps the others at work needs none of
it: until the server is stopped, that would be a quarter of all the memory that it takes. So the same command is begun
once more in its own place, for whoever waits for it the same process, and goes on where it was.
"""

from __future__ import annotations

import gc
import json
import logging.config
import os
import sys
from functools import partial

from django.conf import settings

from core import platform

# The process that was begun afresh, which keeps its number; then host, and what is to be told, as ASCII, since an
# environment need not have the letters of a square code. What another process left there is not for this one.
PREPARED = "SPADILLE_PREPARED"


def serve_afresh(host: str, said: str) -> None:
    """Serve until stopped; `said` is told at the terminal when the server answers."""
    if not platform.COPIES or is_prepared():
        platform.hear_ctrl_c()
        _serve(host, said)
        return
    from django.db import connections  # noqa: PLC0415 - who is begun afresh does without

    connections.close_all()
    sys.stdout.flush()
    sys.stderr.flush()
    os.environ[PREPARED] = f"{os.getpid()} {json.dumps([host, said])}"
    platform.begin_afresh()


def is_prepared() -> bool:
    """Whether this process has been begun afresh."""
    return os.environ.get(PREPARED, "").startswith(f"{os.getpid()} ")


def go_on() -> None:
    """Serve, in a process that has been begun afresh. Raises `CommandError` where the data folder is held."""
    host, said = json.loads(os.environ.pop(PREPARED).partition(" ")[2])
    platform.hear_ctrl_c()
    logging.config.dictConfig(settings.LOGGING)
    _serve(host, said)


def _serve(host: str, said: str) -> None:
    from tournaments.running.serving import serve  # noqa: PLC0415 - who prepares need not read the server

    gc.freeze()
    gc.enable()
    # What was begun to prepare has ended with that, and nobody else asks what became of it.
    serve(host, partial(_say, said, platform.children()))


def _say(said: str, ended: list[int]) -> None:
    sys.stdout.writelines(said.splitlines(keepends=True))
    sys.stdout.flush()
    platform.bury(ended)
