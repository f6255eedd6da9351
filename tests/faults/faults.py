"""What may happen to a server in the middle of a batch, each as it really happens, and undone again."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import psycopg

from tests.faults.stage import tell
from tests.kept import lay_out
from tests.services import as_owner

if TYPE_CHECKING:
    from tests.faults.people import Organiser
    from tests.faults.stage import Stage

DAY = 24 * 3600


class Faults:
    """Each method is a fault: it injects itself, lasts a moment, and leaves the server able to serve."""

    def __init__(self, stage: Stage, organisers: list[Organiser], random: Random) -> None:
        self.stage, self.organisers, self.random = stage, organisers, random
        self.backups = [stage.back_up()]
        self.books = 0  # of the journal, when the data disk was lost last

    def inject(self, name: str) -> None:
        getattr(self, name)()

    # To either database

    def kill_9_of_all_that_serves(self) -> None:
        self.stage.kill()
        self.stage.start()

    def kill_9_of_a_process_for_pages(self) -> None:
        """The first process starts another."""
        tell(self.random.choice(self.stage.workers()), signal.SIGKILL)
        time.sleep(0.3)

    def a_process_that_stands_still(self) -> None:
        pid = self.random.choice(self.stage.workers())
        tell(pid, signal.SIGSTOP)
        time.sleep(self.random.uniform(0.3, 1.5))
        tell(pid, signal.SIGCONT)

    def clock_that_jumps(self) -> None:
        """By up to a day, forward or back, while the server runs."""
        self.stage.clock.write_text(str(self.random.uniform(-DAY, DAY)))
        time.sleep(0.3)
        if self.random.random() < 0.5:
            self.stage.clock.write_text("0")

    def two_organisers_close_and_reopen(self) -> None:
        for step in ("close_round", "reopen_round"):
            presses = [threading.Thread(target=getattr(who, step)) for who in self.organisers]
            for press in presses:
                press.start()
            for press in presses:
                press.join()
            time.sleep(self.random.uniform(0.0, 0.5))

    def backup_while_reports_come_in(self) -> None:
        self.backups.append(self.stage.back_up())

    def restore_of_an_older_backup(self) -> None:
        """Anything that was stored since is gone from the server; the phones have it."""
        self.stage.kill()
        self.stage.python("manage.py", "restore", str(self.random.choice(self.backups)), "--yes")
        self.stage.start()

    # To SQLite

    def data_disk_is_lost(self, *backup: str) -> None:
        """With the database, its backups and its key; a new one has the program, and the stick is put into it.

        In the midst of play: a book of the journal has been begun since the last time, and a step is behind it.
        """
        self.wait_for_a_new_book()
        time.sleep(self.random.uniform(0.0, 1.5))
        self.stage.kill()
        log = (self.stage.folder / "server.log").read_bytes()
        shutil.rmtree(self.stage.folder)
        lay_out(self.stage.folder)
        (self.stage.folder / "server.log").write_bytes(log)
        self.stage.clock.write_text("0")
        restore = ["manage.py", "restore", *backup, "--journal", str(self.stage.journal), "--yes"]
        self.stage.python(*restore)
        self.stage.start()
        for organiser in self.organisers:
            organiser.sign_in()

    def data_disk_is_lost_and_a_backup_is_there(self) -> None:
        """One that was made elsewhere while the journal went on, some reports before."""
        elsewhere = self.stage.journal / "backups"
        self.wait_for_a_new_book()
        made = self.stage.python("manage.py", "backup", "--to", str(elsewhere), "--keep", "1").strip()
        self.books -= 1
        self.data_disk_is_lost(made)

    def wait_for_a_new_book(self) -> None:
        deadline = time.monotonic() + 120
        while len(list(self.stage.journal.glob("*-day-*"))) <= self.books:
            assert time.monotonic() < deadline, "the journal is not written"
            time.sleep(0.1)
        self.books += 1

    def full_disk(self) -> None:
        """Nothing more can be written, as a ballast file takes what was left; only where the stage is a small disk."""
        ballast = self.stage.folder / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(
                    bytes(1 << 16 if file.tell() < shutil.disk_usage(self.stage.folder).total else 512)
                )
        time.sleep(self.random.uniform(0.3, 1.0))
        ballast.unlink()

    def files_that_may_not_grow(self) -> None:
        """A limit on the size of files: a batch is refused in the middle of being written."""
        size = max(file.stat().st_size for file in self.stage.folder.glob("spadille.sqlite3*"))
        for pid in self.stage.workers():
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size // 2, resource.RLIM_INFINITY))
        time.sleep(self.random.uniform(0.3, 1.0))
        for pid in self.stage.workers():
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)

    def database_locked(self) -> None:
        """Another program holds the database for itself."""
        with closing(sqlite3.connect(self.stage.file, isolation_level=None, timeout=20)) as other:
            other.execute("BEGIN EXCLUSIVE")
            time.sleep(self.random.uniform(0.2, 2.0))

    # To PostgreSQL

    def table_locked(self) -> None:
        with self.stage.connect() as other, other.transaction():
            other.execute("LOCK TABLE tournaments_report IN ACCESS EXCLUSIVE MODE")
            time.sleep(self.random.uniform(0.2, 2.0))

    def deadlock(self) -> None:
        """Somebody takes a table first and then its tournament; the program takes them the other way round."""
        told = suppress(psycopg.errors.DeadlockDetected, psycopg.errors.LockNotAvailable)
        with told, self.stage.connect() as other, other.transaction():
            # Longer than the program's, so that it is the one to be told.
            other.execute("SET LOCAL deadlock_timeout = '5s'")
            other.execute("SET LOCAL lock_timeout = '10s'")
            other.execute("SELECT 1 FROM tournaments_table FOR UPDATE")
            time.sleep(0.2)
            other.execute("SELECT 1 FROM tournaments_tournament FOR UPDATE")

    def connections_ended_by_the_database(self) -> None:
        with self.stage.connect() as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    def kill_9_of_the_database(self) -> None:
        """One of its processes: the rest of them end too, and it recovers from its log."""
        tell(self.random.choice(self.processes_of_the_database()), signal.SIGKILL)
        self.wait_for_the_database()

    def database_that_cannot_write(self) -> None:
        """No room for a table nor for the log: PostgreSQL ends its processes itself, and recovers."""
        for pid in self.processes_of_the_database():
            limit = [*as_owner(), "prlimit", f"--pid={pid}", "--fsize=8192:unlimited"]
            subprocess.run(limit, check=False, capture_output=True)  # it may have ended meanwhile
        time.sleep(self.random.uniform(0.3, 1.0))
        self.wait_for_the_database()
        with suppress(psycopg.OperationalError):
            self.connections_ended_by_the_database()  # those that had nothing to write keep no limit

    def cache_that_stands_still(self) -> None:
        import redis

        with closing(redis.from_url(os.environ["CACHE_URL"])) as other:
            other.client_pause(1500)

    def processes_of_the_database(self) -> list[int]:
        with self.stage.connect() as other:
            mine = other.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return [pid for (pid,) in mine] or [other.info.backend_pid]

    def wait_for_the_database(self) -> None:
        deadline = time.monotonic() + 30
        while True:
            try:
                with self.stage.connect() as other:
                    other.execute("SELECT 1")
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return


EITHER = (
    "kill_9_of_all_that_serves",
    "kill_9_of_a_process_for_pages",
    "a_process_that_stands_still",
    "clock_that_jumps",
    "two_organisers_close_and_reopen",
    "backup_while_reports_come_in",
    "restore_of_an_older_backup",
)
TO_SQLITE = ("files_that_may_not_grow", "database_locked")
TO_SQLITE_ON_A_DISK_OF_ITS_OWN = ("full_disk",)
TO_POSTGRESQL = ("table_locked", "deadlock", "connections_ended_by_the_database")
# Others who use the same server of PostgreSQL would feel these.
TO_A_POSTGRESQL_OF_OUR_OWN = (
    "kill_9_of_the_database",
    "database_that_cannot_write",
    "cache_that_stands_still",
)


class SmallDisk:
    """A disk of its own (tmpfs) of so many megabytes, where this user may mount one; else a folder."""

    def __init__(self, megabytes: int) -> None:
        self.megabytes, self.mounted = megabytes, False

    def __enter__(self) -> Path:
        self.folder = Path(tempfile.mkdtemp(prefix="spadille-faults-"))
        mount = ["mount", "-t", "tmpfs", "-o", f"size={self.megabytes}m", "tmpfs", str(self.folder)]
        with suppress(FileNotFoundError):
            self.mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
        return self.folder

    def __exit__(self, *_error: object) -> None:
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
