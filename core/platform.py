"""Everything that depends on the operating system: file locks, priorities, limits, how processes end.

Linux has all of it. On macOS and Windows missing features are replaced or left out, as each function documents. It
imports the standard library only.
"""

from __future__ import annotations

import ctypes
import io
import json
import multiprocessing
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


def _module(name: str) -> Any:
    """A module that not every system has, or None."""
    try:
        return import_module(name)
    except ImportError:
        return None


fcntl, resource = _module("fcntl"), _module("resource")

# Whether a process can be forked at all; on macOS for pages alone: other processes there import the program themselves.
FORKS = hasattr(os, "fork")
# Whether a process can be forked, and be identified by a handle that is never reused: as on
# Linux. Elsewhere each process imports the program itself.
COPIES = all(hasattr(os, name) for name in ("fork", "pidfd_open", "setpgrp"))
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15  # of Linux's prctl
SIOCGIFADDR = 0x8915  # of Linux's ioctl: "which IPv4 address has this interface?"
# Set for a process whose parent holds the other end of its standard input until it ends.
HELD = "SPADILLE_HELD_BY_INPUT"


def hold(file: IO[Any], *, shared: bool = False) -> None:
    """Lock an open file until it is closed. Raises `BlockingIOError` if another process holds it.

    Windows has no shared locks: there the lock is always exclusive.
    """
    if fcntl:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        return
    windows = import_module("msvcrt")
    file.seek(0)
    try:
        windows.locking(file.fileno(), windows.LK_NBLCK, 1)
    except OSError as problem:
        raise BlockingIOError(*problem.args) from problem


def may_copy() -> bool:
    """Whether this process can fork: not while it has threads, which a fork does not copy."""
    return COPIES and len(list(Path("/proc/self/task").iterdir())) == 1


def cores() -> int:
    """The number of cores that this process may use; of the machine, if the system does not say."""
    allowed: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def step_back(by: int) -> None:
    """Lower the priority of this process; no effect on Windows."""
    if nice := getattr(os, "nice", None):
        nice(by)


def be_first_to_go(score: str) -> None:
    """Set the kernel's score for killing this process when memory runs out; Linux only."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(score, "ascii")


def allow_files(wanted: int) -> None:
    """Raise the limit of open files to `wanted`, as far as allowed; Windows has no such limit."""
    if not resource:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def ask_for_port_alone(probe: socket.socket) -> None:
    """Let a socket be refused a port that another has, and not one that has just been left."""
    if exclusive := getattr(socket, "SO_EXCLUSIVEADDRUSE", None):
        probe.setsockopt(socket.SOL_SOCKET, exclusive, 1)
    else:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def addresses_of_interfaces(without: tuple[str, ...]) -> Iterator[str]:
    """This machine's IPv4 addresses, except of interfaces with these prefixes; elsewhere than on Linux by host name."""
    if not fcntl or sys.platform != "linux":
        with suppress(OSError):
            yield from socket.gethostbyname_ex(socket.gethostname())[2]
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            if name.startswith(without):
                continue
            with suppress(OSError):  # an interface without an address
                answer = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(answer[20:24])


def leave_group() -> None:
    """Leave the process group, so that Ctrl-C at the terminal reaches the parent only; not on Windows."""
    if setpgrp := getattr(os, "setpgrp", None):
        setpgrp()


def begin(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    apart: bool = False,
) -> subprocess.Popen[bytes]:
    """Start a child process that ends with this one (see `end_with_parent`); `apart`: Ctrl-C does not reach it."""
    more: dict[str, Any] = {}
    if COPIES:
        more["preexec_fn"] = end_with_parent  # no threads run here yet that could hold a lock
    else:
        env = {**(os.environ if env is None else env), HELD: "1"}
        more["stdin"] = subprocess.PIPE
    if apart:
        new_group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", None)
        more |= {"process_group": 0} if new_group is None else {"creationflags": new_group}
    return subprocess.Popen(command, cwd=cwd, env=env, **more)  # noqa: S603 - our own command


def name_process(name: str) -> None:
    """Let lists of processes (`ps`, `top`) call this one so, in 15 letters; only Linux has such names."""
    if COPIES:
        ctypes.CDLL(None).prctl(PR_SET_NAME, name[:15].encode())


# The process that this one was copied off, where it was; and what a copy that is made now is to know of it.
_copied_off: int | None = None
_here = 0


def _before_a_copy() -> None:
    global _here  # noqa: PLW0603 - a copy has no other way to know
    _here = os.getpid()


def _in_the_copy() -> None:
    global _copied_off  # noqa: PLW0603 - as above
    _copied_off = _here


if FORKS:
    os.register_at_fork(before=_before_a_copy, after_in_child=_in_the_copy)


def end_with_parent() -> None:
    """End this process when its parent is killed.

    Otherwise orphans would keep the port and run without a supervisor. Linux does it in the kernel; elsewhere a thread
    waits for the parent to end, or for the other end of standard input to close.
    """
    if COPIES:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        # The kernel sends no signal for a parent that ended before this call.
        if _copied_off is not None and os.getppid() != _copied_off:
            os.kill(os.getpid(), signal.SIGTERM)
    elif parent := multiprocessing.parent_process():
        _end_after(parent.join)
    elif _copied_off is not None:
        _end_after(partial(_wait_for_other_parent, _copied_off))
    else:
        end_if_held()


def end_if_held() -> None:
    """End with the parent, for commands that may also be typed by hand: without a parent of ours they run on."""
    if os.environ.get(HELD):
        _end_after(sys.stdin.buffer.read)


def _wait_for_other_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)


def _end_after(wait: Callable[[], object]) -> None:
    def end() -> None:
        with suppress(OSError, ValueError):
            wait()
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()


# Standard input and output of commands, whatever encoding the terminal or the file behind them has.


def tolerate_every_encoding() -> None:
    """Write letters that the encoding lacks as `\\u2026`, and read bytes that are no letters, instead of failing.

    Called first by every entry point: an import whose last message cannot be written has been stored all the same.
    """
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def can_be_written(text: str) -> bool:
    """Whether standard output has an encoding with all these letters."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def to_json(value: object) -> str:
    """Indented JSON, with letters as such where standard output can have them."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return text if can_be_written(text) else json.dumps(value, indent=1)
