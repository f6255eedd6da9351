"""Faults at random while eight tables play; on PostgreSQL and Redis with `python -m tests.services` before it.

python -m tests.bench faults                                  # FAULTS_SEED=1 FAULTS_MINUTES=3
python -m tests.services python -m tests.bench faults
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from random import Random

from tests.faults import faults
from tests.faults.run import DEALS, under_fire
from tests.faults.stage import Stage

TABLES = 8
# Above the 256 that a backup leaves free for reports (`backup.folder.make_room`): the database, and some backups of it.
MEGABYTES = 512


def at_random(kinds: Sequence[str], random: Random, minutes: float) -> Iterator[str]:
    """Every kind once, then whichever comes, until the time is over."""
    until = time.monotonic() + 60 * minutes
    yield from random.sample(kinds, len(kinds))
    while time.monotonic() < until:
        yield random.choice(kinds)


def main() -> None:
    seed, minutes = int(os.environ.get("FAULTS_SEED", "1")), float(os.environ.get("FAULTS_MINUTES", "3"))
    address = os.environ.get("DATABASE_URL", "")
    disk = faults.SmallDisk(MEGABYTES)
    with disk as folder:
        stage = Stage(folder, address=address, tables=TABLES, deals=DEALS)
        if address:
            kinds = faults.EITHER + faults.TO_POSTGRESQL + faults.TO_A_POSTGRESQL_OF_OUR_OWN
        else:
            kinds = faults.EITHER + faults.TO_SQLITE + faults.TO_SQLITE_ON_A_DISK_OF_ITS_OWN * disk.mounted
        print(f"{'PostgreSQL and Redis' if address else 'SQLite'}, {TABLES} tables, seed {seed}", flush=True)
        count = under_fire(stage, at_random(kinds, Random(seed), minutes), seed=seed)
        log = (folder / "server.log").read_text(errors="replace")
    print(count)
    if os.environ.get("FAULTS_LOG"):
        print(log)
    if count.lost or count.doubled or count.refused or count.traceback:
        raise SystemExit(f"This is not as it should be: {count.refused[:3]} {count.traceback[:3]}")
