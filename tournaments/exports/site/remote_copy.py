"""Copying a published site to another machine: by the system's rsync, or by SFTP."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from core.journal.location import SFTP
from core.journal.places import PlaceError
from tournaments.exports.site.addresses import is_inside, read_kept
from tournaments.exports.site.publishing import files_of

if TYPE_CHECKING:
    from core.journal.sftp import Sftp


# rsync's rule for remote destinations: a colon before the first slash. A single letter is a Windows drive.
OF_RSYNC = re.compile(r"rsync://|[^/:\\]{2,}:")
# What is there, as it was copied last: what is as it was is not sent again.
COPIED = ".spadille-copied.gz"
# What a folder has to have before anything is taken away from it, since rsync takes away whatever was not sent.
MARK = "spadille-site.txt"
MARK_SAYS = "Spadille publishes a web site into this folder, and takes away whatever else is in it.\n"
# The part before the folder: host, host with a daemon, or URL; IPv6 addresses are in brackets.
MACHINE = re.compile(r"rsync://[^/]*|(?:[^/:\[]*\[[^]]*\]|[^/:]+)::?")
# rsync's exit status where not all was found, and how its message ends then, in any language.
PARTIAL, NO_SUCH_FOLDER = 23, "(2)"
FOR_ALL = 0o755  # a web server reads it


class CannotCopy(Exception):
    """The site is in its folder here, and not where it was to be copied; in English, for the command line."""


class Place(NamedTuple):
    """A folder of this machine, and where it is copied to then; "" for nowhere."""

    folder: Path
    away: str = ""


def place_named(to: str) -> Place:
    """Parse a destination; raises `CannotCopy` if it is invalid."""
    if not (to.startswith(SFTP) or OF_RSYNC.match(to)):
        return Place(Path(to).expanduser().absolute())
    if not to.startswith(SFTP) and not _names_a_folder(to):
        raise CannotCopy(f"{to} names no folder. Name one: everything else in it is deleted.")
    if not to.startswith(SFTP) and shutil.which("rsync") is None:
        raise CannotCopy("rsync is not installed. Install it, or use sftp://user@host/folder.")
    name = hashlib.sha256(to.encode()).hexdigest()[:12]
    return Place(settings.DATA_DIR / "published" / name, to)


def _names_a_folder(to: str) -> bool:
    """Whether it names a folder, and not only a host or a home directory."""
    names = [name for name in MACHINE.sub("", to, count=1).split("/") if name not in ("", ".")]
    return ".." not in names and any(not name.startswith("~") for name in names)


def copied_to(place: Place) -> str:
    """Copy the folder to the destination; returns a report. Raises `CannotCopy`."""
    if not place.away:
        return ""
    return _by_sftp(place) if place.away.startswith(SFTP) else _by_rsync(place)


def _by_rsync(place: Place) -> str:
    """New files are copied before any page is replaced. A folder with other files is refused."""
    away = f"{place.away.rstrip('/')}/"
    asked = _rsync("--list-only", "--no-motd", "--", away)
    if asked.returncode and not (asked.returncode == PARTIAL and NO_SUCH_FOLDER in asked.stderr):
        raise _refused(asked)
    # Mode, size, date, time, name: a line in another format counts as a file, too.
    there = {line.split(maxsplit=4)[-1] for line in asked.stdout.splitlines() if line.strip()} - {"."}
    if there and MARK not in there:
        raise CannotCopy(
            f"{place.away} has files that Spadille did not publish, and they would be deleted. Name an "
            f"empty folder, or put a file called {MARK} in this one."
        )
    mark = place.folder / MARK
    mark.write_text(MARK_SAYS, encoding="utf-8")
    # The manifest first: after an interruption the next run recognizes the folder. Sub-second times: a page may be
    # rewritten within the second of its last copy, with the same size.
    how = ("-rt", "--modify-window=-1", "--chmod=D755,F644")
    all_of_it = ("--delay-updates", "--delete-after", "--exclude=/.spadille*", "--", f"{place.folder}/")
    for what in (("--", str(mark)), all_of_it):
        sent = _rsync(*how, *what, away)
        if sent.returncode:
            raise _refused(sent)
    return f"Copied to {place.away}."


def _rsync(*told: str) -> subprocess.CompletedProcess[str]:
    rsync = shutil.which("rsync") or "rsync"
    return subprocess.run(  # noqa: S603 - no shell reads it
        [rsync, *told], check=False, capture_output=True, text=True, errors="replace"
    )


def _refused(answer: subprocess.CompletedProcess[str]) -> CannotCopy:
    return CannotCopy(f"rsync: {(answer.stderr or answer.stdout).strip() or answer.returncode}")


def _by_sftp(place: Place) -> str:
    """Copy a site by SFTP: new files first, then changed ones, then delete the others."""
    from core.journal.sftp import Sftp  # noqa: PLC0415 - imported only where it is needed

    there = Sftp(place.away)
    try:
        now, before = files_of(read_kept(place.folder)), _copied_before(there)
        as_it_was = {file: digest for file, digest in now.items() if before.get(file) == digest}
        changed, gone = now.keys() - as_it_was.keys(), before.keys() - now.keys()
        if not changed and not gone:
            return f"{place.away} is as it was."
        # Until all is there, nothing that is sent counts as being there.
        there.put(COPIED, _serialize_manifest(dict.fromkeys({**before, **now}, "") | as_it_was), FOR_ALL)
        for file in sorted(changed, key=lambda one: (one in before, one)):
            there.put(file, (place.folder / file).read_bytes(), FOR_ALL)
        for file in gone:
            there.remove(file)
        there.put(COPIED, _serialize_manifest(now), FOR_ALL)
    except (PlaceError, OSError) as problem:
        raise CannotCopy(str(problem)) from problem
    finally:
        there.close()
    return f"{len(changed):,} files copied to {place.away}."


def _copied_before(there: Sftp) -> dict[str, str]:
    if there.size(COPIED) is None:
        return {}
    unread = CannotCopy(f"{COPIED} cannot be read there. Delete it and everything is copied again.")
    try:
        with there.open_file(COPIED) as file:
            told = json.loads(gzip.decompress(file.read()))
    except (ValueError, EOFError, zlib.error, gzip.BadGzipFile) as problem:
        raise unread from problem
    # By these names files are taken away there.
    if not isinstance(told, dict) or not all(map(is_inside, told)):
        raise unread
    return told


def _serialize_manifest(told: dict[str, str]) -> bytes:
    return gzip.compress(json.dumps(told).encode(), mtime=0)
