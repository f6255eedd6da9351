"""How static files are stored when they are collected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

OURS = ("css/", "js/")
# Pages that must start fast on a slow phone load one script; the modules that it is made of are for readers and tests.
IN_ONE = ("js/captain/main.js", "js/captain/late.js", "js/captain/worker.js")
IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ", re.MULTILINE)
KINDS = {".css": "text/css", ".js": "application/javascript"}


def shorten(kind: str, text: str) -> str:
    """The same style sheet or script without what only its readers need; raises ValueError where it is broken."""
    import minify  # type: ignore[import-untyped]  # noqa: PLC0415 - a library with threads of its own, kept out of the processes that serve

    return str(minify.string(kind, text))


def in_one(name: str, read: Callable[[str], str]) -> str:
    """A module of ours with all that it imports, each once and before who needs it, in one scope.

    That is no module system: no name may be declared at the top of two of them, which `shorten` refuses.
    """
    folder = PurePath(name).parent
    texts: dict[str, str] = {}

    def add(module: str) -> None:
        text = read(module)
        for imported in IMPORT.findall(text):
            if (needed := str(folder / imported)) not in texts:
                add(needed)
        texts[module] = EXPORT.sub("", IMPORT.sub("", text))

    add(name)
    return "(() => {\n" + "\n".join(texts.values()) + "})();"


@dataclass(frozen=True)
class Shortened:
    """Stands in for the storage that a file is collected from."""

    text: str

    def open(self, _path: str) -> ContentFile[bytes]:
        return ContentFile(self.text.encode())


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Our scripts and style sheets shortened, and hashed names also where one module imports another.

    Other packages' files stay as they are. `modules_in_one` says that the scripts of `IN_ONE` import nothing.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", ((r"""(?P<matched>from ?"(?P<url>\./[\w-]+\.js)")""", 'from"%(url)s"'),)),
        ("js/*.js", ((r"""(?P<matched>import\("(?P<url>\./[\w-]+\.js)"\))""", 'import("%(url)s")'),)),
    )

    modules_in_one = True

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        def text(name: str) -> str:
            stored, path = paths[name]
            with stored.open(path) as file:
                return str(file.read().decode())

        def whole(name: str) -> str:
            return in_one(name, text) if name in IN_ONE else text(name)

        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            shortened = {
                name: (pool.submit(shorten, KINDS[PurePath(name).suffix], whole(name)), stored[1])
                for name, stored in paths.items()
                if name.startswith(OURS) and PurePath(name).suffix in KINDS
            }
            ready = {name: (Shortened(text.result()), path) for name, (text, path) in shortened.items()}
        yield from super().post_process(paths | ready, *args, **options)
