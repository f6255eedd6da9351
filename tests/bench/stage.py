"""A data folder of its own with a tournament to measure, and a server on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from tests.patience import PATIENCE
from tests.services import free_port

# A hall in which everybody has sat down: the links of its tables, and the tournament's code.
HALL = """
import django; django.setup()
import json
from datetime import date
from django.core.management import call_command
call_command("prepare", verbosity=0)
from django.utils import timezone
from clubs.models import Membership, Player
from tests.factories import decide_as_it_stands, first_round, make_tournament, player_name
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import start_round
from tournaments.models import Entry, Table
tournament = make_tournament(0, date=timezone.localdate())  # an older one is cached in another way
club = tournament.host
players = Player.objects.bulk_create(Player(name=player_name(index)) for index in range({players}))
Membership.objects.bulk_create(
    Membership(player=player, club=club, number=index, joined=date(2020, 1, 1))
    for index, player in enumerate(players, start=1)
)
Entry.objects.bulk_create(
    Entry(tournament=tournament, player=player, club=club, number=index, status=Entry.Status.PRESENT)
    for index, player in enumerate(players, start=1)
)
decide_as_it_stands(tournament)
account, now = club.roles.get().account, timezone.now()
draw(tournament, seed=7, account=account, now=now)
start_round(first_round(tournament), account=account, now=now)
tables = Table.objects.filter(round__tournament=tournament).order_by("number")
print(json.dumps([tournament.code, *tables.values_list("secret", flat=True)]))
"""

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


def hall(players: int, folder: str, **environment: str) -> tuple[str, list[str]]:
    """Fill a data folder with a running round of so many players: the tournament's code and its captains' links."""
    script = HALL.format(players=players)
    made = python("-c", script, folder=folder, DJANGO_SETTINGS_MODULE="config.settings", **environment)
    code, *secrets = json.loads(made.stdout.splitlines()[-1])
    return code, secrets


@contextmanager
def empty_folder() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="spadille-bench-") as folder:
        yield folder


@contextmanager
def served(folder: str, **environment: str) -> Iterator[str]:
    """The program as `manage.py serve` runs it, on a free port; its address."""
    with running(folder, **environment) as (address, _process):
        yield address


@contextmanager
def running(folder: str, **environment: str) -> Iterator[tuple[str, int]]:
    """The same, with the number of its first process; PORT says another port."""
    port = int(environment.get("PORT") or free_port())
    server = subprocess.Popen(
        [sys.executable, "-c", "from core.serving.server import serve; serve('127.0.0.1')"],
        cwd=ROOT,
        env=os.environ
        | {"SPADILLE_DATA": folder, "PORT": str(port), "DJANGO_SETTINGS_MODULE": "config.settings"}
        | environment,
        stdout=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address)
        yield address, server.pid
    finally:
        server.terminate()
        server.wait(15)


def family(process: int) -> list[int]:
    """A process and all that it has started."""
    return [process, *(one for child in children(process) for one in family(child))]


def children(process: int) -> list[int]:
    """Those that a process has started."""
    threads = Path(f"/proc/{process}/task").glob("*/children")
    return sorted(int(child) for thread in threads for child in thread.read_text().split())


def cpu_seconds(process: int) -> float:
    """Seconds of a core that a process has used, and all that it has started."""
    used = 0
    for one in family(process):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> float:
    """Megabytes that a process holds, and all that it has started; what they share is counted once."""
    return sum(share_of_memory(one) for one in family(process))


def share_of_memory(process: int) -> float:
    """The same of one process alone: of what it shares with others its part."""
    told = Path(f"/proc/{process}/smaps_rollup").read_text()
    return int(told.partition("\nPss:")[2].split()[0]) / 1024


def wait_for(address: str, seconds: float = PATIENCE) -> None:
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
