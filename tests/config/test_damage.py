"""A damaged database, or too little memory: the terminal says what to do, without a traceback."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
from django.db import DatabaseError, OperationalError
from django.test import RequestFactory

from config.command import what_to_do
from core.database_errors import has_no_memory, is_damaged
from core.middleware import explained
from tests.bench.stage import hall
from tests.kept import copy_of_sqlite, lay_out
from tests.patience import PATIENCE
from tests.services import free_port

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, command: str, *, memory: int = 0) -> subprocess.CompletedProcess[str]:
    """A command on a data folder; `memory` is the most that its processes may have, in bytes."""
    told = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CACHE_URL")}
    return subprocess.run(
        [sys.executable, "manage.py", *command.split()],
        cwd=ROOT,
        env=told | {"SPADILLE_DATA": str(folder), "PORT": str(free_port())},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))) if memory else None,
    )


def damaged(folder: Path, *, what: str) -> None:
    """Damage the database of a data folder: its head is another file's, or its pages are."""
    file = folder / "spadille.sqlite3"
    data = bytearray(file.read_bytes())
    begin, end = (0, 100) if what == "head" else (8192, len(data))
    data[begin:end] = bytes(255 - byte for byte in data[begin:end])
    file.write_bytes(data)


@pytest.mark.sqlite
@pytest.mark.slow
@pytest.mark.parametrize("what", ["head", "pages"])
def test_a_damaged_database_says_with_which_line_the_newest_backup_is_restored(tmp_path, monkeypatch, what):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    folder = lay_out(tmp_path)
    hall(4, str(folder))
    assert run(folder, "backup").returncode == 0
    (backup,) = (folder / "backups").iterdir()
    damaged(folder, what=what)
    for command in ("prepare", "serve", "verify"):
        told = run(folder, command)
        assert told.returncode == 1, command
        assert "The database is damaged" in told.stderr, command
        assert f"restore {backup}" in told.stderr, command
        assert "Traceback" not in told.stderr, command
    restored = run(folder, f"restore {backup} --yes")
    assert restored.returncode == 0, restored.stderr
    assert run(folder, "verify").returncode == 0


@pytest.mark.slow
# With less the interpreter has no room left to say anything in. Where there is enough for the migrations, it is lacking
# when files are compressed: by then a database is there.
@pytest.mark.parametrize(("megabytes", "migrates"), [(90, True), (130, False), (200, False)])
def test_too_little_memory_at_the_start_is_said_in_words(tmp_path, megabytes, migrates):
    if not migrates:
        copy_of_sqlite(tmp_path / "spadille.sqlite3")
    told = run(tmp_path, "prepare", memory=megabytes * 1024 * 1024)
    assert told.returncode == 1
    assert "There is too little memory" in told.stderr


@pytest.mark.parametrize(
    "error",
    [
        DatabaseError("database disk image is malformed"),
        DatabaseError("file is not a database"),
        OperationalError('invalid page in block 7 of relation "base/1/2"'),
    ],
)
def test_what_databases_say_of_a_damaged_file_is_known(error):
    assert is_damaged(error)
    assert "restore" in what_to_do(error)
    answer = explained(RequestFactory().get("/"), error)
    assert answer is not None
    assert (answer.status_code, "damaged" in answer.content.decode()) == (503, True)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        BrokenProcessPool("terminated abruptly"),
        RuntimeError("can't start new thread"),
        OperationalError("out of memory"),
    ],
)
def test_what_is_said_where_memory_runs_out_is_known(error):
    assert has_no_memory(error)
    assert what_to_do(error).startswith("There is too little memory")


@pytest.mark.parametrize(
    "error", [ValueError("no"), OSError(errno.ENOENT, "x"), OperationalError("is locked")]
)
def test_of_anything_else_nothing_is_said(error):
    assert what_to_do(error) == ""
