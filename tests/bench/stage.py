"""A data folder of its own with a tournament to measure, and a server on it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]


def setup_django(folder: str) -> None:
    """Point Django at a data folder and migrate it."""
    os.environ["SPADILLE_DATA"] = folder
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("prepare", verbosity=0)


def python(*arguments: str, folder: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a Python of our own on a data folder; what it complains of is shown."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | {"SPADILLE_DATA": folder} | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )


@contextmanager
def empty_folder() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="spadille-bench-") as folder:
        yield folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The program as `manage.py serve` runs it, on a free port; its address."""
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-c", "from tournaments.serving import serve; serve('127.0.0.1')"],
        cwd=ROOT,
        env=os.environ
        | {"SPADILLE_DATA": folder, "PORT": str(port), "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdout=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address)
        yield address
    finally:
        server.terminate()
        server.wait(15)


def wait_for(address: str, seconds: float = 20) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            urlopen(address + "/").read()  # noqa: S310 - our own server
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
