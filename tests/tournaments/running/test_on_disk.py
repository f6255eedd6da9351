"""Files are there whole or not at all; some work is done one at a time."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tournaments.running.on_disk import one_at_a_time, write_whole


def test_a_file_is_written_for_its_owner_and_replaced_as_a_whole(tmp_path):
    path = tmp_path / "key"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


def test_what_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "key"
    write_whole(path, b"one")

    def broken(_descriptor):
        raise OSError

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError):  # noqa: PT011 - any
        write_whole(path, b"two")
    assert path.read_bytes() == b"one"
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


HOLDS = """
import sys, time
from pathlib import Path
from tournaments.running.on_disk import one_at_a_time
with one_at_a_time("work", Path(sys.argv[1]), 1):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_process_waits_for_its_turn_and_not_for_ever(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(TimeoutError), one_at_a_time("work", tmp_path, 0.1):
            pass
        with one_at_a_time("other work", tmp_path, 0.1):
            pass
        other.kill()
    with one_at_a_time("work", tmp_path, 5):
        pass


def test_who_fails_leaves_the_turn_to_the_next(tmp_path):
    with pytest.raises(ZeroDivisionError), one_at_a_time("work", tmp_path, 0):
        _ = 1 / 0
    with one_at_a_time("work", tmp_path, 0):
        pass
