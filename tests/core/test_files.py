"""Files are there whole or not at all; some work is done one at a time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from core.files import exclusive_lock, write_atomically


def test_a_file_is_written_for_its_owner_and_replaced_as_a_whole(tmp_path):
    path = tmp_path / "key"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


def test_what_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "key"
    write_atomically(path, b"one")

    def broken(_descriptor):
        raise OSError

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError):  # noqa: PT011 - any
        write_atomically(path, b"two")
    assert path.read_bytes() == b"one"
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


def test_what_is_written_is_brought_to_the_disk_before_its_name_and_then_that(tmp_path, monkeypatch):
    """At whichever of these steps the plug is pulled: under its name is what was there before, or all of it."""
    path, steps = tmp_path / "picture", []
    path.write_bytes(b"one")
    fsync, replace = os.fsync, Path.replace

    def told(descriptor):
        steps.append((os.path.realpath(f"/proc/self/fd/{descriptor}"), path.read_bytes()))
        fsync(descriptor)

    def renamed(part, to):
        steps.append((f"{part} -> {to}", part.read_bytes()))
        return replace(part, to)

    monkeypatch.setattr(os, "fsync", told)
    monkeypatch.setattr(Path, "replace", renamed)
    write_atomically(path, b"two")
    part = steps[0][0]
    assert steps == [(part, b"one"), (f"{part} -> {path}", b"two"), (str(tmp_path), b"two")]


# Whatever else writes or moves a file, and why what comes of it need not be there after the plug was pulled.
WRITES = re.compile(
    r"""\.write_(?:text|bytes)\(|\bopen\((?:[^()]|\([^()]*\))*?["'][rwax]b?\+?b?["']\)|\bos\.(?:replace|rename)\b"""
    r"""|shutil\.(?:copy|move)\w*\(|NamedTemporaryFile\(|\bfdopen\(|\.rename\("""
)
ELSEWHERE = {
    "clubs/member_jobs.py": 2,  # in the job's own folder, from which `Work.keep` puts them in place
    "tournaments/desk/club/log.py": 1,  # the same
    "core/machine.py": 2,  # a wish for the machine, which a restart may forget
    "core/files.py": 2,  # the door itself, and its lock
    "tournaments/management/commands/export.py": 1,  # into a pipe
    "core/pdf/render.py": 1,  # parts of a document, in a folder for a moment
    "tournaments/exports/site/remote_copy.py": 1,  # the mark that is sent first, in a folder for a moment
    "tournaments/exports/site/pages.py": 1,  # what is staged, brought to the disk and put in place together
    "core/backup/archive.py": 1,  # unpacked for a moment
    "core/backup/sqlite.py": 1,  # a damaged database, moved as it is
    "core/journal/places.py": 1,  # at a file's end, step by step, each brought to the disk
    "core/journal/sftp.py": 2,  # the same on another machine, whose disk it is
    "core/serving/data_lock.py": 1,  # a lock, in which nothing stands
    "core/platform.py": 1,  # to Linux's kernel
}


def test_every_file_that_is_kept_goes_through_this_door():
    found = {}
    for room in ("clubs", "config", "core", "tournaments"):
        for path in sorted((Path(settings.BASE_DIR) / room).rglob("*.py")):
            lines = path.read_text("utf-8").splitlines()
            count = sum(1 for line in lines if (hit := WRITES.search(line)) and '"rb"' not in hit[0])
            if count:
                found[str(path.relative_to(settings.BASE_DIR))] = count
    assert found == ELSEWHERE


HOLDS = """
import sys, time
from pathlib import Path
from core.files import exclusive_lock
with exclusive_lock("work", Path(sys.argv[1]), 1):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_process_waits_for_its_turn_and_not_for_ever(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(TimeoutError), exclusive_lock("work", tmp_path, 0.1):
            pass
        with exclusive_lock("other work", tmp_path, 0.1):
            pass
        other.kill()
    with exclusive_lock("work", tmp_path, 5):
        pass


def test_who_fails_leaves_the_turn_to_the_next(tmp_path):
    with pytest.raises(ZeroDivisionError), exclusive_lock("work", tmp_path, 0):
        _ = 1 / 0
    with exclusive_lock("work", tmp_path, 0):
        pass
