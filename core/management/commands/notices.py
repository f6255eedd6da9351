"""`manage.py notices`: the licences of the libraries that are installed with the program.

Read from the installed packages, so that a bundle and an environment with other versions both list what they really
contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

# A licence's own file, among those that lie with a package's name and version.
TEXT = re.compile(
    r"\.dist-info/(.*/)?[^/]*(licen[cs]e|copying|notice|copyright|authors)[^/]*$", re.IGNORECASE
)
CLASSIFIER = "License :: "
RULE = "=" * 79


@dataclass(frozen=True)
class Notice:
    """A library, the names of its licences, and their texts by the file's name."""

    name: str
    version: str
    licence: str
    texts: dict[str, str]


def notices() -> list[Notice]:
    """The licence notices of all installed packages, by name."""
    there = {library.metadata["Name"].lower(): library for library in distributions()}
    return [_notice(there[name]) for name in sorted(there)]


def _notice(library: Distribution) -> Notice:
    files = [file for file in library.files or () if TEXT.search(file.as_posix())]
    texts = {file.as_posix().partition(".dist-info/")[2]: Path(file.locate()) for file in files}
    return Notice(
        library.metadata["Name"],
        library.version,
        _licence(library),
        {name: path.read_text("utf-8", "replace").strip() for name, path in texts.items() if path.is_file()},
    )


def _licence(library: Distribution) -> str:
    """The licence expression; without one the License field, or the classifiers."""
    said: list[str] = [
        *library.metadata.get_all("License-Expression", []),
        *library.metadata.get_all("License", []),
    ]
    for line in (text.strip() for text in said):
        if line and "\n" not in line:
            return line
    classified = [line for line in library.metadata.get_all("Classifier", []) if line.startswith(CLASSIFIER)]
    return ", ".join(line.rpartition(" :: ")[2] for line in classified)


def in_words() -> Iterator[str]:
    """The list of all libraries, then their licence texts; identical texts are included once."""
    all_of_them = notices()
    yield "What is installed with Spadille, by name and version, with the licence that each says it has."
    yield "The texts follow, as they came with each.\n"
    for notice in all_of_them:
        yield f"{notice.name} {notice.version}: {notice.licence or 'see its text'}"
    first: dict[str, str] = {}
    for notice in all_of_them:
        for name, text in notice.texts.items():
            yield f"\n{RULE}\n{notice.name}: {name}\n{RULE}\n"
            before = first.setdefault(text, f"{notice.name}: {name}")
            yield text if before == f"{notice.name}: {name}" else f"Word for word that of {before}"


class Command(BaseCommand):
    help = "Prints the libraries that are installed with the program, their authors and licences."

    def handle(self, *args: Any, **options: Any) -> None:
        for line in in_words():
            self.stdout.write(line)
