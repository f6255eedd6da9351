"""A PostgreSQL and a Redis of our own, in a temporary folder and on free ports, for as long as one command runs.

    python -m tests.services python -m pytest tests/tournaments

The command finds them by DATABASE_URL and CACHE_URL. PostgreSQL refuses to run as root: root runs it as its own user.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import SystemRandom

import psycopg

from tests.patience import PATIENCE

OWNER = "postgres"
# Where the servers of the tests may listen, and what the system keeps for itself where it does not say so.
FIRST_PORT, EPHEMERAL_PORTS = 20_000, (32_768, 60_999)
# A test's database need not survive the plug being pulled; a benchmark's must: SPADILLE_DURABLE=1.
HASTY = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")


def programs() -> Path:
    """The folder of PostgreSQL's programs: Debian keeps them off the path, one folder a version."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    if not versions:
        raise SystemExit("There is no PostgreSQL on this machine: apt-get install postgresql redis-server")
    return versions[-1].parent


def as_owner() -> list[str]:
    """What to write before a command so that it does not run as root."""
    return ["setpriv", "--reuid", OWNER, "--regid", OWNER, "--init-groups"] if os.geteuid() == 0 else []


@cache
def _ports() -> tuple[int, ...]:
    """Ports of no well-known service, and none that the system chooses where a socket names none."""
    limits = Path("/proc/sys/net/ipv4/ip_local_port_range")
    lowest, highest = map(int, limits.read_text().split()) if limits.exists() else EPHEMERAL_PORTS
    return (*range(FIRST_PORT, lowest), *range(highest + 1, 2**16)) or (*range(FIRST_PORT, 2**16),)


def free_port() -> int:
    """A free port that no other process of the tests is given, and no other call in this one, until this process ends.

    A server binds it seconds later, in a process of its own. A port that the system had chosen could be chosen again
    meanwhile, so that this one is none of those, and a locked file says that it is taken.
    """
    folder = Path(tempfile.gettempdir()) / f"spadille-ports-{os.geteuid()}"
    folder.mkdir(exist_ok=True)
    left = [*_ports()]
    while left:  # one after the other: to shuffle all of them takes a hundredth of a second
        at = SystemRandom().randrange(len(left))
        left[at], port = left[-1], left[at]
        left.pop()
        claim = os.open(folder / str(port), os.O_CREAT | os.O_RDWR)
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
            socket.create_server(("", port)).close()
        except OSError:
            os.close(claim)
        else:
            return port  # the file stays open, and locked
    raise SystemExit("There is no free port")


def wait_until_open(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if server.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"It does not start:\n{log.read_text(errors='replace')}")
        time.sleep(0.05)


@contextmanager
def running(command: list[str], port: int, log: Path, cwd: Path) -> Iterator[None]:
    with log.open("wb") as told:
        server = subprocess.Popen(command, cwd=cwd, stdout=told, stderr=subprocess.STDOUT)
        try:
            wait_until_open(port, server, log)
            yield
        finally:
            server.terminate()
            try:
                server.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@contextmanager
def answering(address: str) -> Iterator[psycopg.Connection]:
    """A connection, once there is one to be had: the port is open a moment before the server answers."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection = psycopg.connect(address, autocommit=True)
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            break
    with connection:
        yield connection


def make_database(address: str) -> None:
    with answering(address + "postgres") as connection:
        connection.execute("CREATE DATABASE spadille")


@contextmanager
def postgresql(folder: Path, *, durable: bool = False, told: dict[str, str] | None = None) -> Iterator[str]:
    """A cluster of its own, with what else it is told; its address, of a database that is there and empty."""
    data, port = folder / "cluster", free_port()
    made = [*as_owner(), str(programs() / "initdb"), "--pgdata", str(data), "--username", "spadille"]
    made += ["--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"]
    subprocess.run(made, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    server = [*as_owner(), str(programs() / "postgres"), "-D", str(data), "-p", str(port), "-k", str(folder)]
    server += ["-c", "listen_addresses=127.0.0.1", *(() if durable else HASTY)]
    for name, value in (told or {}).items():
        server += ["-c", f"{name}={value}"]
    with running(server, port, folder / "postgresql.log", folder):
        address = f"postgres://spadille@127.0.0.1:{port}/"
        make_database(address)
        yield address + "spadille"


@contextmanager
def replica(folder: Path, primary: str) -> Iterator[str]:
    """A second server that follows the first, which from then on answers when this one has it on its disk too."""
    data, port = folder / "replica", free_port()
    copied = [*as_owner(), str(programs() / "pg_basebackup"), "--pgdata", str(data), "--dbname", primary]
    copied += ["--write-recovery-conf", "--checkpoint=fast", "--no-sync"]
    subprocess.run(copied, cwd=folder, check=True)
    server = [*as_owner(), str(programs() / "postgres"), "-D", str(data), "-p", str(port), "-k", str(folder)]
    with running([*server, "-c", "listen_addresses=127.0.0.1"], port, folder / "replica.log", folder):
        with psycopg.connect(primary, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")
            wait_until(connection, "SELECT sync_state = 'sync' FROM pg_stat_replication")
        yield f"postgres://spadille@127.0.0.1:{port}/spadille"


def wait_until(connection: psycopg.Connection, asked: str) -> None:
    """Until the database answers yes."""
    deadline = time.monotonic() + PATIENCE
    while (connection.execute(asked).fetchone() or (False,))[0] is not True:
        if time.monotonic() > deadline:
            raise SystemExit(f"It does not come to that: {asked}")
        time.sleep(0.05)


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    port = free_port()
    server = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with running([*as_owner(), *server], port, folder / "redis.log", folder):
        yield f"redis://127.0.0.1:{port}/0"


def give_to_owner(folder: Path) -> None:
    """Let who runs the servers write in a folder."""
    if os.geteuid() == 0:
        owner = pwd.getpwnam(OWNER)
        os.chown(folder, owner.pw_uid, owner.pw_gid)


def fill(address: str, dump: bytes) -> None:
    """Put what pg_dump wrote as SQL into an empty database."""
    command = [
        str(programs() / "psql"),
        address,
        "--quiet",
        "--set",
        "ON_ERROR_STOP=1",
        "--output",
        os.devnull,
    ]
    subprocess.run(command, input=dump, check=True)


@contextmanager
def both(*, durable: bool = False) -> Iterator[dict[str, str]]:
    """The two, as the environment that a command of ours finds them by."""
    with tempfile.TemporaryDirectory(prefix="spadille-services-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        give_to_owner(folder)
        with postgresql(folder, durable=durable) as database, redis(folder) as cache:
            yield {"DATABASE_URL": database, "CACHE_URL": cache}


def main() -> int:
    with both(durable=bool(os.environ.get("SPADILLE_DURABLE"))) as where:
        return subprocess.run(sys.argv[1:], env=os.environ | where, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
