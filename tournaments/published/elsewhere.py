"""Copying a published site to another machine: by the system's rsync, or by SFTP."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from tournaments.published.kept import read_kept
from tournaments.published.placing import files_of
from tournaments.running.journal.places import SFTP
from tournaments.running.journal.problems import PlaceProblem

# As rsync tells a machine from a folder: a colon before the first slash. A single letter is a disk of Windows.
OF_RSYNC = re.compile(r"rsync://|[^/:\\]{2,}:")
# What is there, as it was copied last: what is as it was is not sent again.
COPIED = ".spadille-copied.gz"
FOR_ALL = 0o755  # a web server reads it

if TYPE_CHECKING:
    from tournaments.running.journal.sftp import Sftp


class CannotCopy(Exception):  # noqa: N818 - says what it is
    """The site is in its folder here, and not where it was to be copied; in English, for the command line."""


class Place(NamedTuple):
    """A folder of this machine, and where it is copied to then; "" for nowhere."""

    folder: Path
    away: str = ""


def place_named(to: str) -> Place:
    """Raises `CannotCopy` where nobody could copy there."""
    if not (to.startswith(SFTP) or OF_RSYNC.match(to)):
        return Place(Path(to).expanduser().absolute())
    if not to.startswith(SFTP) and shutil.which("rsync") is None:
        raise CannotCopy("There is no rsync on this machine. Install it, or name sftp://user@host/folder.")
    name = hashlib.sha256(to.encode()).hexdigest()[:12]
    return Place(settings.DATA_DIR / "published" / name, to)


def copied_to(place: Place) -> str:
    """Copy what is in the folder; what came of it. Raises `CannotCopy`."""
    if not place.away:
        return ""
    return _by_sftp(place) if place.away.startswith(SFTP) else _by_rsync(place)


def _by_rsync(place: Place) -> str:
    """Everything is there before the first page is put in its place."""
    rsync = shutil.which("rsync") or "rsync"
    how = ("-rt", "--chmod=D755,F644", "--delay-updates", "--delete-after", "--exclude=/.spadille*")
    told = [rsync, *how, "--", f"{place.folder}/", place.away]
    sent = subprocess.run(told, check=False, capture_output=True, text=True)  # noqa: S603 - no shell reads it
    if sent.returncode:
        raise CannotCopy(f"rsync: {(sent.stderr or sent.stdout).strip() or sent.returncode}")
    return f"Copied to {place.away}."


def _by_sftp(place: Place) -> str:
    """What is new first, then what is otherwise, and what is no more is taken away."""
    from tournaments.running.journal.sftp import Sftp  # noqa: PLC0415 - read only where it is needed

    there = Sftp(place.away)
    try:
        now, before = files_of(read_kept(place.folder)), _copied_before(there)
        as_it_was = {file: digest for file, digest in now.items() if before.get(file) == digest}
        changed, gone = now.keys() - as_it_was.keys(), before.keys() - now.keys()
        if not changed and not gone:
            return f"{place.away} is as it was."
        # Until all is there, nothing that is sent counts as being there.
        there.put(COPIED, _written(dict.fromkeys({**before, **now}, "") | as_it_was), FOR_ALL)
        for file in sorted(changed, key=lambda one: (one in before, one)):
            there.put(file, (place.folder / file).read_bytes(), FOR_ALL)
        for file in gone:
            there.remove(file)
        there.put(COPIED, _written(now), FOR_ALL)
    except (PlaceProblem, OSError) as problem:
        raise CannotCopy(str(problem)) from problem
    finally:
        there.close()
    return f"{len(changed):,} files copied to {place.away}."


def _copied_before(there: Sftp) -> dict[str, str]:
    if there.size(COPIED) is None:
        return {}
    try:
        with there.opened(COPIED) as file:
            told: dict[str, str] = json.loads(gzip.decompress(file.read()))
    except ValueError as problem:
        raise CannotCopy(f"{COPIED} cannot be read there. Remove it, and all is copied anew.") from problem
    return told


def _written(told: dict[str, str]) -> bytes:
    return gzip.compress(json.dumps(told).encode(), mtime=0)
