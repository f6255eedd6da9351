"""Static files of the server under test: each read once, and the captain's scripts in one, as phones get them."""

from __future__ import annotations

from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.handlers import StaticFilesHandler

from core.http.static_files import IN_ONE, in_one

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

PLACE = "/static/"


class KeptFiles(StaticFilesHandler):
    """In the place of Django's, which looks for each on the disk; a browser that has one asks no more for it."""

    def __init__(self, application: WSGIApplication) -> None:
        super().__init__(application)
        self.kept: dict[str, tuple[list[tuple[str, str]], bytes]] = {}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if not path.startswith(PLACE) or not (path in self.kept or self.found(path)):
            return super().__call__(environ, start_response)
        headers, body = self.kept[path]
        start_response("200 OK", list(headers))
        return [body]

    def found(self, path: str) -> bool:
        name = path.removeprefix(PLACE)
        file = finders.find(name)
        if file:
            body = in_one(name, read).encode() if name in IN_ONE else Path(file).read_bytes()
            self.kept[path] = (
                [
                    ("Content-Type", guess_type(file)[0] or "application/octet-stream"),
                    ("Content-Length", str(len(body))),
                    ("Cache-Control", "public, max-age=86400, immutable"),
                ],
                body,
            )
        return bool(file)


def read(name: str) -> str:
    """The text of one of our scripts."""
    return Path(finders.find(name)).read_text(encoding="utf-8")
