"""How static files are stored when they are collected."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

OURS = ("css/", "js/")
KINDS = {".css": "text/css", ".js": "application/javascript"}


def shorten(kind: str, text: str) -> str:
    """The same style sheet or script without what only its readers need; raises ValueError where it is broken."""
    import minify  # type: ignore[import-untyped]  # noqa: PLC0415 - a library with threads of its own, kept out of the processes that serve

    return str(minify.string(kind, text))


@dataclass(frozen=True)
class Shortened:
    """Stands in for the storage that a file is collected from."""

    text: str

    def open(self, _path: str) -> ContentFile[bytes]:
        return ContentFile(self.text.encode())


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Our scripts and style sheets shortened, and hashed names also where one module imports another.

    Other packages' files stay as they are.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", ((r"""(?P<matched>from ?"(?P<url>\./[\w-]+\.js)")""", 'from"%(url)s"'),)),
        ("js/*.js", ((r"""(?P<matched>import\("(?P<url>\./[\w-]+\.js)"\))""", 'import("%(url)s")'),)),
    )

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            shortened = {
                name: (pool.submit(shorten, KINDS[PurePath(name).suffix], _text(*stored)), stored[1])
                for name, stored in paths.items()
                if name.startswith(OURS) and PurePath(name).suffix in KINDS
            }
            ready = {name: (Shortened(text.result()), path) for name, (text, path) in shortened.items()}
        yield from super().post_process(paths | ready, *args, **options)


def _text(storage: Any, path: str) -> str:
    with storage.open(path) as file:
        return str(file.read().decode())
