"""The servers that tests start for themselves."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.services import free_port

ROOT = Path(__file__).resolve().parents[2]
SOME_PORTS = (
    "from tests.services import free_port; print(*(free_port() for _ in range(200)), flush=True); input()"
)


def ports_of_another_process(others: list[subprocess.Popen[str]]) -> list[int]:
    other = subprocess.Popen(
        [sys.executable, "-c", SOME_PORTS], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    others.append(other)
    return [int(port) for port in other.stdout.readline().split()]


def test_no_two_servers_of_the_tests_are_given_one_port():
    others: list[subprocess.Popen[str]] = []
    try:
        with ThreadPoolExecutor(3) as pool:
            given = [
                port
                for ports in pool.map(lambda _: ports_of_another_process(others), range(3))
                for port in ports
            ]
        given += [free_port() for _ in range(20)]
    finally:
        for other in others:
            other.communicate("\n")
    assert len(given) == len(set(given)) == 620


def test_the_system_gives_nobody_a_port_that_a_server_of_the_tests_is_to_listen_on():
    lowest, highest = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    assert [port for port in (free_port() for _ in range(20)) if lowest <= port <= highest] == []
