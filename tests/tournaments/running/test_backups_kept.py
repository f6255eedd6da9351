"""Backups do not grow without end: thinned, none where nothing changed, and never so many that the disk is full."""

from __future__ import annotations

import os
import shutil
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs.models import Account, Club
from core.backup import archive, backups, postgresql, schedule
from core.backup.backups import back_up
from core.backup.folder import MEGABYTE, RESERVE, Backup, Room, backups_folder, backups_in
from core.backup.schedule import Thinning, superfluous
from core.errors import BackupError
from core.journal import status
from tests.factories import make_club, make_tournament

NOW = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)
SHORT, FULL = RESERVE - 1, 0
A_MONTH = Thinning(days=31, months=0)


@pytest.fixture(autouse=True)
def _here(settings, tmp_path):
    settings.DATA_DIR, settings.TIME_ZONE = tmp_path, "Europe/Copenhagen"


def lay(*stamps: str, pictures: bool = False) -> list[Path]:
    """Backups by their names alone, as of versions that wrote them so."""
    folder = backups_folder()
    folder.mkdir(exist_ok=True)
    paths = [folder / f"spadille-{stamp}" for stamp in stamps]
    for path in paths:
        path.touch()
        if pictures:
            with ZipFile(path, "w") as packed:
                packed.writestr("photographs/slip.jpg", b"a picture")
    return paths


def names() -> list[str]:
    return [backup.path.name.removeprefix("spadille-") for backup in backups_in(backups_folder())]


class TestThinning:
    def kept(self, ages: list[timedelta], how: Thinning = A_MONTH) -> list[timedelta]:
        there = [Backup(Path(f"spadille-{NOW - age:%Y%m%dT%H%M%SZ}.zip"), NOW - age) for age in ages]
        gone = superfluous(sorted(there, key=lambda one: one.at), how, NOW)
        return [NOW - one.at for one in there if one not in gone]

    def test_all_of_the_last_day_are_kept(self):
        quarters = [timedelta(minutes=15 * count) for count in range(96)]
        assert self.kept(quarters) == quarters

    def test_of_a_day_before_the_newest_is_kept_by_the_clock_on_the_wall(self):
        # Copenhagen is an hour ahead: what was made at 22:50 UTC is of that day, at 23:10 of the next.
        two_days_ago = timedelta(days=2) + timedelta(hours=18)
        ages = [two_days_ago - timedelta(hours=hour) for hour in (1, 12, 22.5, 23.2)]
        assert self.kept(ages) == ages[2:]

    def test_after_a_month_one_a_month_for_ever_or_as_a_setting_says(self):
        days = [timedelta(days=count, hours=1) for count in range(400)]
        for months, expected in ((0, 32 + 12), (3, 32 + 2)):
            kept = self.kept(days, Thinning(31, months))
            assert len(kept) == expected, months
            assert kept[:32] == days[:32]
        assert [age.days for age in self.kept(days, Thinning(0, 1))] == [0, 22]  # the last of October

    def test_the_newest_is_kept_however_old(self):
        assert self.kept([timedelta(days=4000), timedelta(days=4001)], Thinning(0, 1)) == [
            timedelta(days=4000)
        ]

    def test_what_a_person_has_made_is_never_dropped_and_old_files_are_thinned(self):
        mine = lay("20251101T100000Z-by-hand.zip", "20251102T100000Z-by-hand-2.zip")
        mine += lay("20251103T100000Z.zip", pictures=True)  # before names said so
        lay(
            "20251104T100000Z.sqlite3",
            "20251105T100000Z.pgdump",
            "20251106T100000Z.zip",
            "20261122T170000Z.zip",
        )
        schedule.thin(backups_folder(), NOW)
        assert names() == [path.name.removeprefix("spadille-") for path in mine] + [
            "20251106T100000Z.zip", "20261122T170000Z.zip",
        ]  # fmt: skip


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
class TestWhatChanged:
    @pytest.fixture(autouse=True)
    def _alone(self, monkeypatch):
        """PostgreSQL counts its whole server's writing, and other tests write there all the while."""
        monkeypatch.setattr(postgresql, "mark", lambda _database: str(Club.objects.count()))

    def back_up(self, minutes: int) -> Path | None:
        return schedule.back_up_what_changed(now=NOW + timedelta(minutes=minutes))

    def test_none_is_made_where_nothing_was_stored_since(self):
        make_tournament(4)
        first = self.back_up(0)
        assert self.back_up(15) is None
        assert schedule.last().file == first.name
        assert status.storage_status(NOW + timedelta(minutes=20)).holds_all
        make_club("Viby")
        second = self.back_up(30)
        assert [backup.path for backup in backups_in(backups_folder())] == [first, second]
        second.unlink()
        assert self.back_up(45) is not None

    def test_the_desk_says_how_it_came_out(self, monkeypatch, client):
        owner = Account.objects.create_superuser("olga", password="a long password")
        make_club("Stilling")
        client.force_login(owner)
        self.back_up(0)
        shown = client.get(reverse("desk_backup")).content.decode()
        assert schedule.last().file in shown
        assert "1 backup uses" in shown

        def fail(*_told, **_named):
            raise BackupError("The moon is in the way.")

        monkeypatch.setattr(schedule, "back_up", fail)
        make_club("Viby")
        with pytest.raises(BackupError):
            schedule.back_up_what_changed(now=datetime.now(tz=UTC))
        assert "The moon is in the way." in client.get(reverse("desk")).content.decode()


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_a_database_is_marked_otherwise_whenever_something_was_written():
    marks = []
    for name in ("Stilling", "Viby", "Hørning"):
        make_club(name)
        marks.append(backups.mark_of_now())
    assert len(set(marks)) == 3


def with_room(monkeypatch, free):
    """The disk has so many bytes free, or as `free` says of each look."""
    told = free if callable(free) else lambda: free
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=told()))


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
class TestRoom:
    def test_a_backup_that_does_not_fit_is_not_begun(self, monkeypatch, tmp_path):
        with_room(monkeypatch, SHORT)
        for folder in (backups_folder(), tmp_path / "usb"):
            with pytest.raises(BackupError, match="MB are reserved for reports"):
                back_up(folder, now=NOW)
            assert list(folder.iterdir()) == []

    def test_the_oldest_of_the_timers_make_way_but_never_the_newest_nor_what_a_person_made(self, monkeypatch):
        lay(
            "20261101T100000Z-by-hand.zip",
            "20261102T100000Z.zip",
            "20261103T100000Z.zip",
            "20261104T100000Z.zip",
        )
        make_club("Stilling")
        with_room(monkeypatch, lambda: 100 * RESERVE if "20261102T100000Z.zip" not in names() else SHORT)
        back_up(backups_folder(), now=NOW, by_hand=False)
        left = [
            "20261101T100000Z-by-hand.zip",
            "20261103T100000Z.zip",
            "20261104T100000Z.zip",
            "20261122T180000Z.zip",
        ]
        assert names() == left
        with_room(monkeypatch, FULL)
        with pytest.raises(BackupError):
            back_up(backups_folder(), now=NOW, by_hand=False)
        assert names() == [left[0], left[-1]]

    def test_a_disk_that_is_full_in_the_midst_leaves_nothing_half(self, monkeypatch):
        make_club("Stilling")
        written = archive.write_blocks

        def full(blocks, to=None):
            if to is not None:
                raise OSError(28, "No space left on device")
            return written(blocks, to)

        monkeypatch.setattr(archive, "write_blocks", full)
        with pytest.raises(BackupError, match="No space left on device"):
            back_up(backups_folder(), now=NOW)
        assert list(backups_folder().iterdir()) == []

    def test_somebody_is_told_before_it_is_full_at_the_desk_and_in_the_log(
        self, monkeypatch, caplog, as_alice
    ):
        schedule.back_up_what_changed(now=NOW)
        for free, said in ((SHORT, "no backup can be made"), (900 * MEGABYTE, "is filling up: 900 MB left")):
            with_room(monkeypatch, free)
            assert said in as_alice.get(reverse("desk")).content.decode()
        back_up(backups_folder(), now=NOW)
        assert "The disk is filling up: 900 MB left" in caplog.text
        with_room(monkeypatch, 10_000 * MEGABYTE)
        assert "Make room" not in as_alice.get(reverse("desk")).content.decode()
        assert Client().get("/health/").json()["disk"] == "ok"

    def test_room_runs_out_while_there_is_some_for_a_day_of_backups_more(self):
        assert Room(10_000 * MEGABYTE, 200 * MEGABYTE, 40 * MEGABYTE).words == ""
        assert Room(1100 * MEGABYTE, 200 * MEGABYTE, 40 * MEGABYTE).runs_out
        assert Room(450 * MEGABYTE, 200 * MEGABYTE, 40 * MEGABYTE).is_short


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_killed_while_it_is_packed_nothing_is_taken_for_a_backup_and_the_next_clears_up(monkeypatch, capsys):
    make_club("Stilling")
    connection.close()
    child = os.fork()
    if not child:
        try:
            monkeypatch.setattr(archive, "write_blocks", lambda *_told: os.kill(os.getpid(), signal.SIGKILL))
            back_up(backups_folder(), now=NOW, by_hand=False)
        finally:
            os._exit(1)  # whatever failed: the child must not go on with the other tests
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert len(list(backups_folder().glob(".spadille-*.part"))) == 2
    assert backups_in(backups_folder()) == []
    made = back_up(backups_folder(), now=NOW)
    assert list(backups_folder().iterdir()) == [made]
    call_command("backup", list=True)
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("2026-11-22 19:00 ")
    assert first.endswith(f"{made}  by hand")
    assert last.startswith("1 backup(s), 0 MB; ")


@pytest.mark.django_db
def test_what_is_pressed_together_comes_back_and_what_is_torn_does_not(tmp_path):
    file, packed = tmp_path / "file", tmp_path / "packed"
    file.write_bytes(os.urandom(3 * archive.BLOCK + 5) + bytes(20 * archive.BLOCK))
    packed.write_bytes(b"".join(archive.packed_blocks(file, lambda _bytes: None)))
    with packed.open("rb") as opened:
        blocks = list(archive.unpacked_blocks(opened))
    assert b"".join(blocks) == file.read_bytes()
    assert max(map(len, blocks)) <= 2 * archive.BLOCK  # however well it was pressed, it is unpacked by and by
    for torn in (packed.read_bytes()[:-2], b"\xff" + packed.read_bytes()):
        packed.write_bytes(torn)
        with packed.open("rb") as opened, pytest.raises(BackupError):
            list(archive.unpacked_blocks(opened))


def test_the_command_keeps_so_many_of_those_that_were_made_by_hand():
    lay("20261101T100000Z-by-hand.zip", "20261102T100000Z-by-hand.zip", "20261103T100000Z.zip")
    backups.drop_old(backups_folder(), 1)
    assert names() == ["20261102T100000Z-by-hand.zip", "20261103T100000Z.zip"]
