"""What version 0.1 stored is whole in this one: its database brought up to date, its tournament's file read.

The backup and the file in `released` were written by 0.1 itself: two rounds of eight players with corrections, a
penalty, a late report, a call to the desk, a replaced link; and a table with a pool.
"""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import shlex
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from clubs.clubs import log_change
from core.backup import archive, backups, sqlite
from core.backup.backups import UPDATES_KEPT, fit_this_program, folder_of_updates, keep_as_they_were
from core.backup.folder import backups_in, free_name
from core.database import of_a_newer_program
from core.errors import BackupError
from tests import schema
from tests.kept import copy_of_sqlite, lay_out_files
from tournaments.exports.verify.recount import differences
from tournaments.management.commands import prepare
from tournaments.models import KeptReport, Report, Tournament
from tournaments.standings.players import standings

pytestmark = pytest.mark.databases

RELEASED = Path(__file__).with_name("released")
TOTALS = {7: 10, 6: 1, 2: 0, 3: 0, 4: 0, 5: 0, 1: -8, 8: -8}
TOLD = """
import json
import django; django.setup()
from django.core.management import call_command
from tournaments.models import Flag, KeptReport, LogEntry, Penalty, Report, RevokedSecret, Tournament
from tournaments.standings.players import standings
from clubs.models import Account
call_command("verify")
rows = standings(Tournament.objects.get(code="OLD777")).rows
counts = [model.objects.count() for model in (Report, KeptReport, Flag, Penalty, RevokedSecret, Account)]
print(json.dumps([{row.number: row.total for row in rows}, counts]))
"""


@pytest.mark.slow
@pytest.mark.sqlite
def test_data_of_the_released_version_are_kept_and_brought_up_to_date_whole(tmp_path):
    data = lay_out_files(tmp_path / "our data")
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
    folder, file = shlex.quote(str(data)), shlex.quote(str(kept))
    assert f" run: SPADILLE_DATA={folder} .venv/bin/python manage.py restore {file}\n" in said
    with archive.unpacked(kept, tmp_path) as database:
        (tmp_path / "before").write_bytes(before)
        assert sqlite.contents(database) == sqlite.contents(tmp_path / "before")
    told = run("-c", TOLD)
    assert "every total agrees" in told
    totals, counts = json.loads(told.splitlines()[-1])
    assert {int(number): total for number, total in totals.items()} == TOTALS
    assert counts == [19, 1, 2, 1, 1, 2]
    # Step by step they have come to what a new database is at once.
    new = copy_of_sqlite(tmp_path / "new.sqlite3")
    assert schema.of_sqlite(data / "spadille.sqlite3") == schema.of_sqlite(new)


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["prepare", "verify", "backup"])
def test_data_of_a_newer_version_are_refused_by_name_and_left_as_they_are(command):
    recorder = MigrationRecorder(connection)
    recorder.record_applied("tournaments", "9999_what_nobody_knows")
    with pytest.raises(
        CommandError, match=r"^These data come from a newer version of Spadille \(9999_what_nobody_knows\)\. "
    ):
        call_command(command)


@pytest.mark.parametrize(
    ("app", "name", "is_newer"),
    [
        ("tournaments", "0049_how_phones_were_told", False),
        ("tournaments", "0007_before_it_was_called_so", False),  # and is not there any more
        ("tournaments", "9999_what_nobody_knows", True),
        ("axes", "9999_what_nobody_knows", True),
        ("what_was_taken_out", "9999_what_nobody_knows", False),
    ],
)
def test_what_is_behind_the_newest_that_this_program_has_is_of_a_newer_one(app, name, is_newer):
    assert of_a_newer_program([(app, name)]) == (name if is_newer else None)


@pytest.mark.django_db
def test_a_tournaments_file_of_the_released_version_is_read_whole(tmp_path, club):
    file = tmp_path / "tournament.json"
    file.write_bytes(gzip.decompress((RELEASED / "tournament-0.1.json.gz").read_bytes()))
    call_command("import", str(file))
    tournament = Tournament.objects.get(code="OLD777")
    assert {row.number: row.total for row in standings(tournament).rows} == TOTALS
    assert (Report.objects.count(), KeptReport.objects.count()) == (19, 1)
    assert list(differences(tournament)) == []


@pytest.mark.usefixtures("club")
class TestWhatIsKeptBefore:
    """Data as they were stay until all of them are up to date, however often that is begun."""

    OLD, STEPS = [("clubs", "0001")], [("clubs", "0002"), ("clubs", "0003")]
    HALF, FULL = [*OLD, STEPS[0]], [*OLD, *STEPS]

    @pytest.fixture(autouse=True)
    def _earlier(self, settings, tmp_path, monkeypatch):
        """Backups of five earlier updates, and a clock that goes on a minute a try."""
        settings.DATA_DIR = tmp_path
        self.folder = folder_of_updates()
        self.folder.mkdir(parents=True)
        self.earlier = [f"spadille-2025010{day}T120000Z.zip" for day in range(1, UPDATES_KEPT + 1)]
        for name in self.earlier:
            (self.folder / name).touch()
        self.made, self.now = [], datetime(2026, 11, 22, 18, 0, tzinfo=UTC)
        monkeypatch.setattr(backups, "back_up", self.back_up)

    def back_up(self, folder, *, now, by_hand):
        path = free_name(folder, now, by_hand=by_hand)
        path.touch()
        self.made.append(path.name)
        return path

    def start(self, applied, planned=None):
        """A start that finds these migrations; which file it says to go back with."""
        self.now += timedelta(minutes=1)
        todo = [step for step in planned or self.STEPS if step not in applied]
        return keep_as_they_were(applied, todo, now=self.now)[0].name

    def kept(self):
        return [backup.path.name for backup in backups_in(self.folder)]

    def test_an_update_that_broke_off_is_gone_on_with_and_keeps_nothing_half_done(self):
        first = self.start(self.OLD)
        assert {self.start(self.HALF) for _try in range(20)} == {first}
        # A later release, which was to mend it, has a step more.
        assert self.start(self.HALF, [*self.STEPS, ("clubs", "0004")]) == first
        assert self.kept() == [*self.earlier, first]
        fit_this_program(self.FULL)
        assert self.kept() == [*self.earlier[1:], first]

    def test_of_tries_that_changed_nothing_the_first_stays_and_the_newest(self):
        said = [self.start(self.OLD) for _try in range(20)]
        assert self.kept() == [*self.earlier, said[0], *said[-4:]]
        fit_this_program(self.FULL)
        assert self.kept() == [said[0], *said[-4:]]

    def test_who_has_gone_back_and_played_on_has_that_kept_too(self):
        first = self.start(self.OLD)
        assert self.start(self.HALF) == first
        played_on = self.start(self.OLD)
        assert played_on != first
        assert self.start(self.HALF) == played_on
        assert self.kept() == [*self.earlier, first, played_on]

    def test_an_earlier_spadille_that_starts_on_what_broke_off_ends_nothing_and_what_it_writes_is_kept(self):
        first = self.start(self.OLD)
        assert self.start(self.HALF) == first
        fit_this_program(self.HALF)
        assert self.kept() == [*self.earlier, first]
        tries = [self.start(self.HALF) for _try in range(20)]
        assert first not in tries
        fit_this_program(self.FULL)
        assert self.kept() == [first, *tries[-4:]]
        assert not (self.folder / backups.BEGUN).exists()

    def test_what_was_written_on_what_broke_off_by_a_spadille_that_does_not_say_so_is_kept(self, club):
        first = self.start(self.OLD)
        assert self.start(self.HALF) == first
        log_change(club, None, "An evening was played", now=self.now)
        assert self.start(self.HALF) != first
        assert self.kept() == [*self.earlier, *self.made]

    def test_an_old_backup_that_cannot_be_removed_is_said_before_an_update_and_stops_none_that_is_done(
        self, caplog
    ):
        for _try in range(UPDATES_KEPT):
            self.start(self.OLD)
        stuck = self.folder / self.made[1]
        stuck.unlink()
        stuck.mkdir()
        with pytest.raises(BackupError, match=str(self.folder)):
            self.start(self.OLD)
        (self.folder / self.earlier[0]).unlink()
        (self.folder / self.earlier[0]).mkdir()
        fit_this_program(self.FULL)
        assert str(self.folder) in caplog.text

    def test_data_that_others_brought_up_to_date_meanwhile_are_kept_before_the_next_update(self):
        first = self.start(self.OLD)
        assert self.start(self.FULL, [*self.STEPS, ("clubs", "0004")]) != first

    def test_half_done_and_its_backup_gone_or_its_note_unreadable_is_kept_as_it_is(self):
        first = self.start(self.OLD)
        (self.folder / first).unlink()
        second = self.start(self.HALF)
        assert second != first
        (self.folder / backups.BEGUN).write_text('{"files": []}')
        assert self.start(self.HALF) not in (first, second)

    def test_a_start_lets_none_go_before_it_has_migrated(self, monkeypatch):
        full = MigrationRecorder(connection).applied_migrations()
        steps = [(Migration(name, app), False) for app, name in full if app == "clubs"]
        monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_args: steps)

        def breaks_off(command, **_options):
            assert command == "migrate"
            raise DatabaseError("half-way")

        monkeypatch.setattr(prepare, "call_command", breaks_off)
        with pytest.raises(DatabaseError, match="half-way"):
            call_command("prepare", verbosity=0)
        assert self.kept() == [*self.earlier, *self.made]
        monkeypatch.setattr(prepare, "call_command", lambda *_args, **_options: None)
        call_command("prepare", verbosity=0, stdout=(told := io.StringIO()))
        assert f"restore {self.folder / self.made[-1]}" in told.getvalue()
        assert self.kept() == [*self.earlier[2:], *self.made]
