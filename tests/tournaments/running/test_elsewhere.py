"""On systems that lack what Linux has (macOS, Windows): one module asks for it, and serving goes without."""

from __future__ import annotations

import ast
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.conf import settings

from tests.bench.stage import family, wait_for
from tests.kept import lay_out
from tests.patience import wait_until
from tests.services import free_port

ROOT = Path(settings.BASE_DIR)
# Modules and names that Python has on some systems alone, as its documentation says.
MODULES = set(
    "fcntl resource pwd grp termios tty pty posix syslog crypt msvcrt winreg winsound _winapi".split()
)
NAMES = {
    "os": set(
        "fork forkpty setpgrp setpgid setsid getpgid getpgrp killpg nice sched_getaffinity sched_setaffinity"
        " pidfd_open getuid geteuid getgid getegid setuid setgid chown lchown mkfifo mknod wait waitpid wait3 wait4"
        " statvfs fstatvfs pread pwrite uname getloadavg getpriority setpriority O_DIRECTORY O_NOFOLLOW O_CLOEXEC"
        " sync fdatasync posix_fallocate sendfile openpty ttyname chroot startfile".split()
    ),
    "signal": set(
        "SIGKILL SIGHUP SIGALRM SIGCHLD SIGUSR1 SIGUSR2 SIGQUIT SIGPIPE SIGSTOP SIGCONT pthread_sigmask pthread_kill"
        " pidfd_send_signal setitimer alarm pause sigwait siginterrupt".split()
    ),
    "errno": {"EDQUOT"},
    "socket": set("AF_UNIX SO_REUSEPORT SO_EXCLUSIVEADDRUSE socketpair sethostname".split()),
    "select": set("poll epoll kqueue".split()),
}
ARGUMENTS = {"preexec_fn", "process_group", "start_new_session", "creationflags", "pass_fds"}
# Where they may stand: what asks for them, and what is read only where all of them are there.
ASKED_IN = {"core/platform.py"}
READ_ON_LINUX = {"tournaments/running/worker.py"}
# The server's, which are asked for only where `platform` says that a process can be forked: gunicorn and its forks.
WHERE_IT_FORKS = {"core/serving/prefork.py", "core/serving/server.py", "core/serving/sidecars.py"}


def not_everywhere(tree: ast.AST) -> set[str]:
    """What a module's text names that not every system has."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & MODULES
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} & MODULES
            found |= {alias.name for alias in node.names} & (
                NAMES.get(node.module, set()) | {"ForkServerProcess"}
            )
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= {node.attr} & NAMES.get(node.value.id, set())
        elif isinstance(node, ast.keyword):
            found |= {str(node.arg)} & ARGUMENTS
    return found


@pytest.fixture(scope="module")
def sources():
    """Every module of ours, by its path."""
    rooms = ("clubs", "config", "core", "scoring", "tournaments")
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8"))
        for room in rooms
        for path in (ROOT / room).rglob("*.py")
    }


def test_what_not_every_system_has_is_asked_for_in_one_module(sources):
    found = {path: names for path, tree in sources.items() if (names := not_everywhere(tree))}
    may = ASKED_IN | READ_ON_LINUX | WHERE_IT_FORKS
    assert {path: names for path, names in found.items() if path not in may} == {}
    assert found.keys() >= READ_ON_LINUX | WHERE_IT_FORKS, "they are like all others now"


def test_a_text_file_is_read_and_written_in_a_letter_code_that_is_said(sources):
    """Windows has another one than UTF-8 until Python 3.15."""
    loose = [
        f"{path}:{node.lineno}"
        for path, tree in sources.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and len(node.args) < {"read_text": 1, "write_text": 2}.get(node.func.attr, 0)
        and "encoding" not in {keyword.arg for keyword in node.keywords}
    ]
    assert loose == []


ORGANISED = """
from django.utils import timezone
from clubs.accounts import create_first_organiser
from core.jobs.queue import JobRequest, enqueue
from clubs.models import Account
create_first_organiser(username="alice", password="tre gode ord", club_name="Stilling", full_name="Alice Holm")
enqueue(JobRequest("backup", "everything", "en", {}), account=Account.objects.get(), now=timezone.now())
"""


@pytest.mark.slow
def test_pages_are_served_and_jobs_are_done_without_it_and_all_ends_with_the_first_process(tmp_path):
    folder, port = lay_out(tmp_path), str(free_port())
    own = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CACHE_URL")}
    environment = own | {
        "SPADILLE_DATA": str(folder),
        "PORT": port,
        "BACKUP_MINUTES": "60",
        "PYTHONPATH": str(Path(__file__).with_name("elsewhere")),
    }
    command = [sys.executable, "manage.py"]
    told = {"cwd": ROOT, "env": environment}
    subprocess.run([*command, "shell", "-c", ORGANISED], check=True, capture_output=True, **told)
    with (tmp_path / "said").open("w") as said:
        server = subprocess.Popen(
            [*command, "serve", "--host", "127.0.0.1"], stdout=subprocess.DEVNULL, stderr=said, **told
        )
    try:
        wait_for(f"http://127.0.0.1:{port}")
        with urlopen(f"http://127.0.0.1:{port}/clubs/login/") as page:
            assert page.status == 200
        (state,) = wait_until(
            lambda: [state for state in states(folder) if state not in ("waiting", "running")]
        )
        assert state == "done"
        all_of_them = family(server.pid)
        assert len(all_of_them) >= 5, "pages, and the two commands beside them"
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()
    wait_until(lambda: not [process for process in all_of_them if is_there(process)])
    assert "Traceback" not in (tmp_path / "said").read_text()


def states(folder):
    with closing(sqlite3.connect(folder / "spadille.sqlite3")) as database:
        return [state for (state,) in database.execute("SELECT state FROM jobs_job")]


def is_there(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
