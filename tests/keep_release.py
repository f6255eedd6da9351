"""Keeps what this version stores for all later ones to open: `python -m tests.keep_release`, as a release is made.

The demo union (every format; evenings finished, running and to come) as a database and as tournaments' files, with the
standings that this version counts: in tests/tournaments/running/released, where test_upgrade_of_a_union.py finds them.
"""

from __future__ import annotations

import json
import lzma
import os
import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

RELEASED = Path(__file__).parent / "tournaments/running/released"
EVENING = datetime(2026, 11, 28, 19, tzinfo=UTC)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SPADILLE_DATA"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        import django

        django.setup()
        print(*keep(Path(folder)), sep="\n")


def keep(folder: Path) -> list[Path]:
    """The files that were written, of a data folder in which nothing is yet."""
    from django.conf import settings
    from django.core.management import call_command

    from tests.tournaments.running.test_upgrade_of_a_union import told
    from tournaments.demo import make_demo
    from tournaments.models import Tournament

    call_command("prepare", verbosity=0)
    make_demo(EVENING)
    files, counted = {}, {}
    for tournament in Tournament.objects.all():
        call_command("export", tournament.code, str(folder / "file"))
        files[tournament.code] = json.loads((folder / "file").read_text("utf-8"))
        counted[tournament.code] = told(tournament)
    with closing(sqlite3.connect(folder / "spadille.sqlite3")) as database:
        database.execute("VACUUM INTO ?", [str(folder / "kept")])
    kept = {
        ".sqlite3.xz": lzma.compress((folder / "kept").read_bytes(), preset=9),
        ".json.xz": lzma.compress(json.dumps(files, ensure_ascii=False).encode(), preset=9),
        "-standings.json": json.dumps(counted, ensure_ascii=False).encode(),
    }
    named = [RELEASED / f"union-{settings.VERSION}{ending}" for ending in kept]
    for path, content in zip(named, kept.values(), strict=True):
        path.write_bytes(content)
    return named


if __name__ == "__main__":
    main()
