"""What a report costs more where a journal is written: the rows noted in its transaction; in time of this process.

python -m tests.bench noting
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPORTS, ROUNDS = 40, 5


def main() -> None:
    from tests.kept import lay_out

    with tempfile.TemporaryDirectory(prefix="spadille-noting-") as name:
        environment = os.environ | {"SPADILLE_DATA": str(lay_out(Path(name, "data")))}
        environment.pop("DATABASE_URL", None)
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
        subprocess.run([sys.executable, "-m", "tests.bench.noting"], env=environment, check=True)


def measure() -> None:
    import django

    django.setup()
    from core.journal import triggers
    from core.journal.places import Folder
    from core.journal.writer import Follower
    from tests.factories import make_account, make_club, make_tournament, report, tables_of
    from tournaments.models import ChangedRow

    make_account("alice", make_club())
    first, last, *tables = tables_of(make_tournament(4 * (2 * ROUNDS + 2), deals_per_round=REPORTS))

    def spent(table) -> float:
        report(table, 1)  # after which every sentence is known, triggers and all
        begun = time.process_time()
        for deal in range(2, REPORTS + 1):
            report(table, deal)
        return (time.process_time() - begun) / (REPORTS - 1) * 1000

    spent(first)
    without, noted = [], []
    for number, table in enumerate(tables):
        (triggers.put_up if number % 2 else triggers.take_down)()
        (noted if number % 2 else without).append(spent(table))
    rows = ChangedRow.objects.count() / REPORTS
    print(
        f"a report: {min(without):.2f} ms without, {min(noted):.2f} ms with its rows noted ({rows:.0f} rows)"
    )
    with tempfile.TemporaryDirectory() as folder:
        follower = Follower(Folder(Path(folder)))
        from django.utils import timezone

        follower.look(timezone.now())
        writing = 0.0
        for deal in range(1, REPORTS + 1):
            report(last, deal)
            begun = time.process_time()
            follower.look(timezone.now())
            writing += time.process_time() - begun
        begun = time.process_time()
        for _look in range(100):
            follower.look(timezone.now())
        idle = (time.process_time() - begun) / 100 * 1000
    print(f"beside it: a step written {writing / REPORTS * 1000:.2f} ms, a look at nothing {idle:.2f} ms")


if __name__ == "__main__":
    measure()
