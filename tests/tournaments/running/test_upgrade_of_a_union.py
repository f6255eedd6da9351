"""A union with every format is whole in this version as those before stored it: on 2026-11-22, and at each release.

Three clubs, 48 players and ten tournaments: evenings finished, running and to come, pairs, teams of four, duplicate
boards, a crocodile session, a season and a championship. Its standings were counted by the version that stored it.
`python -m tests.keep_release` adds a release's.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from tests import schema
from tests.kept import copy_of_sqlite, lay_out_files
from tournaments.exports.verify.recount import differences
from tournaments.models import Tournament
from tournaments.standings.players import standings
from tournaments.standings.teams import team_standings

pytestmark = pytest.mark.databases

RELEASED = Path(__file__).with_name("released")
KEPT = sorted(path.name.removesuffix("-standings.json") for path in RELEASED.glob("union-*-standings.json"))
TELL = """
import json
import django; django.setup()
from tests.tournaments.running.test_upgrade_of_a_union import told
from tournaments.models import Tournament
print(json.dumps({tournament.code: told(tournament) for tournament in Tournament.objects.all()}))
"""


def standings_of(kept: str) -> dict[str, object]:
    return json.loads((RELEASED / f"{kept}-standings.json").read_text("utf-8"))


def told(tournament: Tournament) -> dict[str, object]:
    """Tokens by player's number; of pairs and teams the places with match points and tokens."""
    players = {str(row.number): row.total for row in standings(tournament).rows}
    if not tournament.in_teams:
        return {"players": players}
    rows = team_standings(tournament).rows
    return {"players": players, "teams": [[row.name, row.points, row.tokens] for row in rows]}


@pytest.mark.slow
@pytest.mark.sqlite
@pytest.mark.parametrize("kept", KEPT)
def test_a_backup_of_a_version_before_has_the_same_standings(kept, tmp_path) -> None:
    """Restored over data of that version, which nothing has brought up to date: they are kept aside."""
    backup, here = tmp_path / "union.sqlite3", tmp_path / "data/spadille.sqlite3"
    lay_out_files(here.parent)
    for file in (backup, here):
        file.write_bytes(lzma.decompress((RELEASED / f"{kept}.sqlite3.xz").read_bytes()))
    environment = os.environ | {
        "SPADILLE_DATA": str(tmp_path / "data"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        ran = subprocess.run(
            command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    said = run("manage.py", "restore", str(backup), "--yes")
    assert "every total agrees" in said
    (aside,) = (here.parent / "backups/before-restore").iterdir()
    assert f"is saved in {aside}" in said
    assert json.loads(run("-c", TELL).splitlines()[-1]) == standings_of(kept)
    assert schema.of_sqlite(here) == schema.of_sqlite(copy_of_sqlite(tmp_path / "new.sqlite3"))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("kept", KEPT)
def test_tournaments_files_of_a_version_before_are_read_whole(kept, tmp_path) -> None:
    files, counted = (
        json.loads(lzma.decompress((RELEASED / f"{kept}.json.xz").read_bytes())),
        standings_of(kept),
    )
    assert files.keys() == counted.keys()
    for code, content in files.items():
        file = tmp_path / f"{code}.json"
        file.write_text(json.dumps(content))
        call_command("import", str(file))
    for tournament in Tournament.objects.all():
        assert told(tournament) == counted[tournament.code], tournament.code
        assert list(differences(tournament)) == []
