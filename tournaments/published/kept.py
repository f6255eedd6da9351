"""What a site's folder says of itself: what each page was made from, which files are there, and what they lead to."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Any

from core.files import write_atomically
from tournaments.published.addresses import file_of, read_page

if TYPE_CHECKING:
    from pathlib import Path

NAME = ".spadille-site.gz"
FORMAT = 1


class NotOurs(Exception):  # noqa: N818 - says what it is
    """The folder has something in it that no site of ours says of itself; in English, for the command line."""


@dataclass(slots=True)
class Made:
    """The pages of one tournament, person, club …, as they were made.

    `pages` has, by address, what tells a file from another and whether search engines may list it; `nothing` are
    addresses at which the hall had nothing, `dead` those of other pages that were led to in vain, and `outside` is what
    was named and had no pages here.
    """

    print: str = ""
    roots: list[str] = field(default_factory=list)
    pages: dict[str, tuple[str, bool]] = field(default_factory=dict)
    nothing: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    # (name, file, what else is said): what the search finds.
    found: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def files(self) -> dict[str, str]:
        return {file_of(read_page(address)): digest for address, (digest, _listed) in self.pages.items()}


@dataclass(slots=True)
class Kept:
    """A site in one language: what it is made of, by what its pages are of, and files that are of nothing."""

    units: dict[str, Made] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        """Digest by file."""
        found = dict(self.others)
        for made in self.units.values():
            found |= made.files
        return found


def is_inside(file: str) -> bool:
    """Whether a file's name stays in the folder that it is named in, on any system."""
    path = PureWindowsPath(file)
    return bool(path.parts) and not path.anchor and ".." not in path.parts


Folder = dict[str, Kept]  # by language; "" for the files above the languages


def read_kept(folder: Path) -> Folder:
    """What is in the folder; nothing where it is empty. Raises `NotOurs`."""
    path = folder / NAME
    if not path.exists():
        if folder.is_dir() and any(not one.name.startswith(".spadille") for one in folder.iterdir()):
            raise NotOurs(
                f"{folder} has something in it that is no site of Spadille's. Name an empty folder."
            )
        return {}
    try:
        told = json.loads(gzip.decompress(path.read_bytes()))
        if told["format"] != FORMAT:
            raise NotOurs(f"{folder} is a site of another Spadille. Name an empty folder.")
        found = {language: _read(kept) for language, kept in told["languages"].items()}
        # By these names files are put in place and taken away.
        names = [*filter(None, found), *(file for kept in found.values() for file in kept.files)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error) as problem:
        raise NotOurs(f"{path} cannot be read ({problem}). Name an empty folder.") from problem
    if not all(map(is_inside, names)):
        raise NotOurs(f"{path} names what is not in the folder. Name an empty folder.")
    return found


def _read(told: dict[str, Any]) -> Kept:
    return Kept({unit: Made(**made) for unit, made in told["units"].items()}, told["others"])


def write_kept(folder: Path, told: Folder) -> None:
    languages = {language: asdict(kept) for language, kept in told.items()}
    data = json.dumps({"format": FORMAT, "languages": languages}, separators=(",", ":")).encode()
    write_atomically(folder / NAME, gzip.compress(data, compresslevel=1, mtime=0))
