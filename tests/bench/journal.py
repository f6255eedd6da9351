"""The data disk thrown away again and again while tables play; all comes back from the journal, or a backup and it.

python -m tests.bench journal                                 # JOURNAL_LOST=50 JOURNAL_SEED=1
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.faults.run import DEALS, under_fire
from tests.faults.stage import Stage
from tests.kept import lay_out

TABLES = 4


def main() -> None:
    times, seed = int(os.environ.get("JOURNAL_LOST", "50")), int(os.environ.get("JOURNAL_SEED", "1"))
    with tempfile.TemporaryDirectory(prefix="spadille-journal-") as name:
        folder, stick = Path(name, "disk"), Path(name, "stick")
        stick.mkdir()
        stage = Stage(lay_out(folder), tables=TABLES, deals=DEALS, journal=stick)
        count = under_fire(stage, lost_again_and_again(times), seed=seed, lull=0.4)
        books = sorted(stick.glob("*-beginning.jsonl"))
        print(f"{count}\nbooks of the journal left: {len(books)}", flush=True)
    if count.lost or count.doubled or count.refused or count.traceback:
        raise SystemExit(f"This is not as it should be: {count.refused[:3]} {count.traceback[:3]}")


def lost_again_and_again(times: int) -> Iterator[str]:
    for done in range(times):
        print(f"{time.strftime('%H:%M:%S')} {done} of {times}", flush=True)
        yield ("data_disk_is_lost", "data_disk_is_lost_and_a_backup_is_there")[done % 2]
