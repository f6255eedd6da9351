"""The storage of collected static files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os.path import normpath
from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from core.processes import Workers

OURS = ("css/", "js/")
# A script that is fetched after another one has what they share from that one: see `in_one`.
LATER = {"js/captain/more.js": "js/captain/main.js"}
# Pages that must start fast on a slow phone load one script; the modules that it is made of are for readers and tests.
IN_ONE = ("js/captain/main.js", "js/captain/late.js", "js/captain/worker.js", *LATER)
IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ", re.MULTILINE)
SHARED = "globalThis.spadille"  # where the first script leaves what the later one takes from it
KINDS = {".css": "text/css", ".js": "application/javascript"}


def shorten(kind: str, text: str) -> str:
    """Minify a style sheet or script. Raises ValueError if it is broken; unchanged where the library is missing."""
    try:
        import minify  # noqa: PLC0415 - a library with threads of its own, not imported by the processes that serve
    except ImportError:
        return text
    return str(minify.string(kind, text))


@dataclass(frozen=True)
class Module:
    """A script without its imports and exports, and the names it imports by module."""

    text: str
    imports: dict[str, list[str]]


def _modules(name: str, read: Callable[[str], str]) -> dict[str, Module]:
    """A script with all modules it imports, each once and before those that need it."""
    folder = PurePath(name).parent
    found: dict[str, Module] = {}

    def add(module: str) -> None:
        text = read(module)
        imports = {normpath(folder / file): re.findall(r"\w+", names) for names, file in IMPORT.findall(text)}
        for needed in imports:
            if needed not in found:
                add(needed)
        found[module] = Module(EXPORT.sub("", IMPORT.sub("", text)), imports)

    add(name)
    return found


def _shared(later: dict[str, Module], first: dict[str, Module]) -> str:
    """The names that the later script takes from modules of the first."""
    own = [module for name, module in later.items() if name not in first]
    names = {
        name for module in own for file in module.imports.keys() & first for name in module.imports[file]
    }
    return f"{{ {', '.join(sorted(names))} }}"


def in_one(name: str, read: Callable[[str], str]) -> str:
    """A script with all its imports in one scope; what an earlier script has is taken from it.

    This is no module system: a name may be declared at the top level once, which `shorten` checks, and what two scripts
    share must be constant.
    """
    modules = _modules(name, read)
    lines = []
    if first := LATER.get(name):
        there = _modules(first, read)
        lines.append(f"const {_shared(modules, there)} = {SHARED};")
        modules = {file: module for file, module in modules.items() if file not in there}
    lines += [module.text for module in modules.values()]
    lines += [
        f"{SHARED} = {_shared(_modules(later, read), modules)};" for later in LATER if LATER[later] == name
    ]
    return "(() => {\n" + "\n".join(lines) + "})();"


@dataclass(frozen=True)
class Shortened:
    """A minified file in place of the storage that it is collected from."""

    text: str

    def open(self, _path: str) -> ContentFile[bytes]:
        return ContentFile(self.text.encode())


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Minify our scripts and style sheets, and hash names in imports too; other packages' files are unchanged.

    `modules_in_one`: the scripts of `IN_ONE` have no imports left.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", ((r"""(?P<matched>from ?"(?P<url>\.{1,2}/[\w-]+\.js)")""", 'from"%(url)s"'),)),
    )

    modules_in_one = True

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        def text(name: str) -> str:
            stored, path = paths[name]
            with stored.open(path) as file:
                return str(file.read().decode())

        def whole(name: str) -> str:
            return in_one(name, text) if name in IN_ONE else text(name)

        ours = {
            name: (KINDS[PurePath(name).suffix], whole(name))
            for name in paths
            if name.startswith(OURS) and PurePath(name).suffix in KINDS
        }
        with Workers(1, "spawn") as workers:  # not in this one: see `shorten`
            calls = {name: workers.submit(shorten, kind, text) for name, (kind, text) in ours.items()}
            ready = {name: (Shortened(short.result()), paths[name][1]) for name, short in calls.items()}
        yield from super().post_process(paths | ready, *args, **options)
