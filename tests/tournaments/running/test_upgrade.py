"""What version 0.1 stored is whole in this one: its database brought up to date, its tournament's file read.

The backup and the file in `released` were written by 0.1 itself: two rounds of eight players with corrections, a
penalty, a late report, a call to the desk, a replaced link; and a table with a pool.
"""

from __future__ import annotations

import gzip
import json
import lzma
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from tournaments.files.recount import differences
from tournaments.models import KeptReport, Report, Tournament
from tournaments.running.backups import archive, sqlite
from tournaments.standings.players import standings

pytestmark = pytest.mark.databases

RELEASED = Path(__file__).with_name("released")
TOTALS = {7: 10, 6: 1, 2: 0, 3: 0, 4: 0, 5: 0, 1: -8, 8: -8}
TOLD = """
import json
import django; django.setup()
from tournaments.models import Flag, KeptReport, LogEntry, Penalty, Report, RevokedSecret, Tournament
from tournaments.standings.players import standings
from clubs.models import Account
rows = standings(Tournament.objects.get(code="OLD777")).rows
counts = [model.objects.count() for model in (Report, KeptReport, Flag, Penalty, RevokedSecret, Account)]
print(json.dumps([{row.number: row.total for row in rows}, counts]))
"""


@pytest.mark.slow
@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="a backup of SQLite; the file below is for both")
def test_data_of_the_released_version_are_kept_and_brought_up_to_date_whole(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    before = lzma.decompress((RELEASED / "spadille-0.1.sqlite3.xz").read_bytes())
    (data / "spadille.sqlite3").write_bytes(before)
    environment = os.environ | {
        "SPADILLE_DATA": str(data),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }

    def run(*arguments):
        command = [sys.executable, *arguments]
        ran = subprocess.run(
            command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    # The start keeps them as they were first, and says how to go back.
    said = run("manage.py", "prepare", "--verbosity", "0")
    (kept,) = (data / "backups/before-update").iterdir()
    assert f"restore {kept}" in said
    with archive.unpacked(kept, tmp_path) as database:
        (tmp_path / "before").write_bytes(before)
        assert sqlite.contents(database) == sqlite.contents(tmp_path / "before")
    assert "every total agrees" in run("manage.py", "verify")
    totals, counts = json.loads(run("-c", TOLD).splitlines()[-1])
    assert {int(number): total for number, total in totals.items()} == TOTALS
    assert counts == [19, 1, 2, 1, 1, 2]


@pytest.mark.django_db
def test_a_tournaments_file_of_the_released_version_is_read_whole(tmp_path, club):
    file = tmp_path / "tournament.json"
    file.write_bytes(gzip.decompress((RELEASED / "tournament-0.1.json.gz").read_bytes()))
    call_command("import", str(file))
    tournament = Tournament.objects.get(code="OLD777")
    assert {row.number: row.total for row in standings(tournament).rows} == TOTALS
    assert (Report.objects.count(), KeptReport.objects.count()) == (19, 1)
    assert list(differences(tournament)) == []
