"""Import the program before workers are forked.

Forking takes far less time than importing, and the workers share the memory.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.management import get_commands
from django.db import connections
from django.template.loader import get_template
from django.urls import get_resolver, reverse
from django.utils import translation
from django.utils.module_loading import import_string

from core.serving.child_process import settle_garbage

APPLICATION = "config.asgi.application"
# The templates that nearly every page extends, and the first page of a visit.
TEMPLATES = ("base.html", "hall/home.html")


def load_application(sidecars: Iterable[str] = ()) -> Any:
    """Return the ASGI application, with all imported that its pages and these commands need, and no garbage left.

    Else the first phone waits for half a second, and one report of a hundred for a search for garbage in all functions.
    """
    gc.disable()  # while the program is imported there is none
    application = import_string(APPLICATION)
    _ = get_resolver().url_patterns  # whatever pages need is imported with them
    where = get_commands()
    for command in sidecars:
        import_module(f"{where[command]}.management.commands.{command}")
    for template in TEMPLATES:
        get_template(template)
    for language in {settings.LANGUAGE_CODE, settings.FIRST_LANGUAGE}:
        with translation.override(language):
            reverse("home")  # links are looked up language by language
    connections.close_all()  # a forked one would be two that write to one server
    settle_garbage()
    gc.enable()
    return application
