"""The process that those for pages are copied off: who imports this has read all the program, and asks nobody anything.

To read the program takes far longer than to copy who has read it, and what is in memory then is there once for all of
them. It has no threads (one with threads may not be copied as it stands), serves nobody, and is never run but copied.
"""

from __future__ import annotations

import gc
from importlib import import_module

from django.conf import settings
from django.core.management import get_commands
from django.db import connections
from django.template.loader import get_template
from django.urls import get_resolver, reverse
from django.utils import translation
from django.utils.module_loading import import_string

from core import platform
from tournaments.running.beside import settle_garbage
from tournaments.running.serving import beside_pages

COMMANDS = "tournaments.management.commands"
# What nearly each page stands on, and the first that anybody asks for.
TEMPLATES = ("base.html", "hall/home.html")


def settle_down() -> None:
    """Read all the program before anybody asks, and never look through it for garbage again.

    Else the first phone waits for half a second, and one report of a hundred for Python to look at every function.
    """
    _ = get_resolver().url_patterns  # whatever pages need is imported with them
    if platform.COPIES:
        read_for_all()
    connections.close_all()  # one that is copied would be two that write to one server
    settle_garbage()


def read_for_all() -> None:
    """Read what each copy would read and make for itself, and then hold for itself."""
    import_module("tournaments.running.copying")
    for command, *_options in beside_pages():
        import_module(f"{COMMANDS}.{command}")
    get_commands()
    for template in TEMPLATES:
        get_template(template)
    for language in {settings.LANGUAGE_CODE, settings.FIRST_LANGUAGE}:
        with translation.override(language):
            reverse("home")  # links are looked up language by language


# Ctrl-C goes to the whole group at the terminal, and is for the first process alone.
platform.leave_group()
platform.end_with_parent()
gc.disable()  # while the program is read there is none
application = import_string("config.asgi.application")
settle_down()
gc.enable()
