"""The application that a server runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Utf8Request(WSGIRequest):
    """A request in UTF-8: pages and submitted forms are UTF-8, so the encoding that a request declares is ignored.

    Some of the names that Python knows are no encodings of text: by them not even an address can be read.
    """

    @property
    def encoding(self) -> str:
        return "utf-8"

    @encoding.setter
    def encoding(self, name: str) -> None:
        pass


program = get_wsgi_application()
program.request_class = Utf8Request

from config.room import with_room  # noqa: E402 - models are there only now
from core.monitoring.metrics import Counted  # noqa: E402
from tournaments.changes.response_cache import ResponseCache  # noqa: E402

application: WSGIApplication = ResponseCache(with_room(program))
if settings.METRICS_TOKEN:
    application = Counted(application)
