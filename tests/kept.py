"""What takes seconds to make and is the same for every test: made once, and kept by what it is made of.

A data folder as `manage.py prepare` leaves it, with a migrated database and the collected files, from which servers
start at once; its database of SQLite is the one that each worker of pytest begins with, and a dump is that of
PostgreSQL. They lie in `kept` of the data folder that the tests run on, and are made anew when a migration, a model,
a script or a library has changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection, connections

TOP = Path(__file__).resolve().parent.parent
MADE_OF = (
    "clubs/migrations/**/*.py",
    "clubs/letter_models.py",
    "clubs/lists/models.py",
    "clubs/models.py",
    "core/jobs/migrations/**/*.py",
    "core/jobs/models.py",
    "tournaments/migrations/**/*.py",
    "tournaments/models/*.py",
    "config/*.py",
    "static/**/*",
    "requirements-dev.lock",
    "tests/kept.py",
)
SHELF = settings.DATA_DIR / "kept"  # whatever a test takes for its data folder
ON_THEIR_OWN = ("DATABASE_URL", "CACHE_URL")  # what a folder of its own must not be told
CLOCK = "TESTS_CLOCK_AHEAD"
# The files' times in a process whose clock is set: see tests/clock. Its servers have files collected at those times.
AHEAD = int(os.environ.get(CLOCK, "0"))


def _fingerprint() -> str:
    found = hashlib.sha256(sys.version.encode())
    for pattern in MADE_OF:
        for path in sorted(path for path in TOP.glob(pattern) if path.is_file()):
            told = path.stat()
            # The folder remembers when each script was written; the rest is known by what it says.
            said = (
                str(told.st_mtime_ns - AHEAD * 10**9).encode()
                if pattern.startswith("static")
                else path.read_bytes()
            )
            found.update(f"{path.relative_to(TOP)} {told.st_size} ".encode() + said)
    return found.hexdigest()[:16]


@contextmanager
def _kept(name: str) -> Iterator[Path]:
    """Where something is kept, or is to be put: nobody else looks meanwhile, and what is outdated is gone."""
    SHELF.mkdir(exist_ok=True)
    with (SHELF / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        here = SHELF / _fingerprint()
        for old in SHELF.iterdir():
            if old.is_dir() and old != here:
                shutil.rmtree(old)
        here.mkdir(exist_ok=True)
        yield here / name


def ready_folder(*, by_our_clock: bool = True) -> Path:
    """A data folder that nobody has used: to be copied, not to be worked on.

    Not `by_our_clock`, it is as it is on this machine, whose database is that of tests at any time.
    """
    ahead = AHEAD if by_our_clock else 0
    with _kept(f"folder-{ahead}" if ahead else "folder") as folder:
        if not folder.exists():
            for other in folder.parent.glob("folder-*") if ahead else ():
                shutil.rmtree(other)
            made = folder.with_name("in-the-making")
            shutil.rmtree(made, ignore_errors=True)
            not_told = ON_THEIR_OWN if ahead else (*ON_THEIR_OWN, CLOCK)
            environment = {name: value for name, value in os.environ.items() if name not in not_told}
            command = [sys.executable, "manage.py", "prepare", "--verbosity", "0"]
            subprocess.run(command, cwd=TOP, env=environment | {"SPADILLE_DATA": str(made)}, check=True)
            (made / "secret-key").unlink()
            made.rename(folder)
    return folder


def lay_out(folder: Path) -> Path:
    """Let a new data folder be one whose database is made and whose files are collected already."""
    shutil.copytree(ready_folder(), folder, dirs_exist_ok=True)
    return folder


def lay_out_files(folder: Path) -> Path:
    """Let a data folder have its static files collected already: to compress them takes as long as many a test."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = ready_folder()
    shutil.copytree(kept / "static", folder / "static")
    shutil.copyfile(kept / "static-files", folder / "static-files")
    return folder


def copy_of_sqlite(target: Path) -> Path:
    """An empty database of this version; who opens the kept one itself, if only to read, writes beside it."""
    folder = ready_folder(by_our_clock=False)
    for suffix in ("", "-wal", "-shm"):
        copy = target.with_name(f"{target.name}{suffix}")
        copy.unlink(missing_ok=True)
        if (kept := folder / f"spadille.sqlite3{suffix}").exists():
            shutil.copyfile(kept, copy)
    return target


def begin_with_what_is_kept() -> None:
    """Let this process's test database be made from what is kept instead of by every migration."""
    creation = connection.creation
    creation.create_test_db = {"sqlite": _copied, "postgresql": _restored}[connection.vendor](
        creation.create_test_db
    )


def _copied(_make: Callable[..., str]) -> Callable[..., str]:
    def create(*_told: object, **_options: object) -> str:
        name = connection.creation._get_test_db_name()
        # A test's database need not outlive a power cut, and pytest-xdist's workers wait for one disk.
        told = connection.settings_dict["OPTIONS"]
        hasty = told["init_command"].replace("synchronous=FULL", "synchronous=OFF")
        connection.settings_dict["OPTIONS"] = told | {"init_command": hasty}
        copy_of_sqlite(Path(name))
        return _work_on(name)

    return create


def _restored(make: Callable[..., str]) -> Callable[..., str]:
    def create(*told: object, **options: object) -> str:
        with _kept("postgresql.sql") as dump:
            if not dump.exists():
                name = make(*told, **options)
                written = run_tool("pg_dump", name, "--no-owner").stdout
                dump.write_bytes(written)
                return name
        creation = connection.creation
        name = creation._get_test_db_name()
        creation._create_test_db(0, autoclobber=True)
        run_tool("psql", name, "--quiet", "--set", "ON_ERROR_STOP=1", "--file", str(dump))
        return _work_on(name)

    return create


def dump_of_postgresql() -> bytes:
    """An empty database of this version, as SQL; there once a test on PostgreSQL has had its database."""
    with _kept("postgresql.sql") as dump:
        return dump.read_bytes()


def _work_on(name: str) -> str:
    connection.close()
    settings.DATABASES[connection.alias]["NAME"] = connection.settings_dict["NAME"] = name
    connections[connection.alias].ensure_connection()
    return name


def run_tool(program: str, database: str, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Run one of PostgreSQL's programs on a database of the server that the tests are on."""
    from tests.services import programs

    told = connection.settings_dict
    where = {"host": told["HOST"], "port": told["PORT"], "username": told["USER"], "dbname": database}
    command = [str(programs() / program), *(f"--{name}={value}" for name, value in where.items() if value)]
    password = {"PGPASSWORD": told["PASSWORD"]} if told["PASSWORD"] else {}
    return subprocess.run([*command, *options], env=os.environ | password, capture_output=True, check=True)
