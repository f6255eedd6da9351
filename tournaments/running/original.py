"""The process that those for pages are copied off: who imports this has read all the program, and asks nobody anything.

To read the program takes far longer than to copy who has read it, and what is in memory then is there once for all of
them. It has no threads (one with threads may not be copied as it stands), serves nobody, and is never run but copied.
"""

from __future__ import annotations

from django.db import connections
from django.urls import get_resolver
from django.utils.module_loading import import_string

from tournaments.running.beside import settle_garbage
from tournaments.running.system import end_with_parent, leave_group


def settle_down() -> None:
    """Read all the program before anybody asks, and never look through it for garbage again.

    Else the first phone waits for half a second, and one report of a hundred for Python to look at every function.
    """
    _ = get_resolver().url_patterns  # whatever pages need is imported with them
    connections.close_all()  # one that is copied would be two that write to one server
    settle_garbage()


# Ctrl-C goes to the whole group at the terminal, and is for the first process alone.
leave_group()
end_with_parent()
application = import_string("config.asgi.application")
settle_down()
