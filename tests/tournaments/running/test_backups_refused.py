"""A backup is opened and counted when it is written, and again, with its SHA-256, before anything makes way for it."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from clubs.models import Account, Club
from core.backup import backups
from core.backup.backups import back_up
from core.backup.folder import backups_in
from core.data_hooks import counted_tables
from core.errors import BackupError
from tests.factories import first_table, make_tournament, report
from tests.kept import lay_out
from tournaments.models import Photograph, Report, Tournament

TABLES = counted_tables()

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


@pytest.fixture
def whole(tmp_path) -> Path:
    """A backup of one tournament with a report and a photograph; the tournament is called “newer” since."""
    table = first_table(make_tournament(4))
    report(table, 1)
    kept = Photograph.objects.create(table=table, file="slip.jpg", attached_by="Alice", attached_at=NOW)
    kept.path.write_bytes(b"a picture" * 1000)
    path = back_up(tmp_path / "usb", now=NOW)
    Tournament.objects.update(name="newer")
    return path


def packed_anew(path: Path, **members: bytes | None) -> Path:
    """The same zip with other contents, as somebody would make it who knows how; None leaves one out."""
    with ZipFile(path) as packed:
        all_of_it = {name: packed.read(name) for name in packed.namelist()} | members
    with ZipFile(path, "w", ZIP_STORED) as packed:
        for name, data in all_of_it.items():
            if data is not None:
                packed.writestr(name, data)
    return path


def with_database(path: Path, data: bytes | None) -> Path:
    """With another database in it, under the name that it has there; None leaves it out."""
    return packed_anew(path, **{_member(path): data})


def _member(path: Path) -> str:
    with ZipFile(path) as packed:
        return next(name for name in packed.namelist() if name.startswith("database"))


def torn_and_listed(path: Path) -> Path:
    """The list says that it is whole: half of what was pressed together, with its sum."""
    with ZipFile(path) as packed:
        name, data = _member(path), packed.read(_member(path))
        sums = json.loads(packed.read("sha256.json"))
    half = data[: len(data) // 2]
    sums[name] = hashlib.sha256(half).hexdigest()
    return packed_anew(path, **{name: half, "sha256.json": json.dumps(sums).encode()})


def of_zip(path: Path) -> Path:
    """As the version before wrote it: the database as zip presses it, in the list."""
    with backups.archive.unpacked(path, path.parent) as database:
        data = database.read_bytes()
    with ZipFile(path) as packed:
        sums = json.loads(packed.read("sha256.json"))
    sums.pop(_member(path))
    sums["database"] = hashlib.sha256(data).hexdigest()
    return packed_anew(with_database(path, None), database=data, **{"sha256.json": json.dumps(sums).encode()})


def without_list(path: Path) -> Path:
    """As older versions wrote it."""
    return packed_anew(of_zip(path), **{"sha256.json": None})


def bare(path: Path) -> Path:
    """As older versions wrote it where no photographs were: the database's own backup alone."""
    with backups.archive.unpacked(path, path.parent) as database:
        data = database.read_bytes()
    path = path.with_suffix(f".{backups.kind_here().SUFFIX}")
    path.write_bytes(data)
    return path


def cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


def changed(path: Path) -> Path:
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(
        data[:middle] + bytes(one ^ 255 for one in data[middle : middle + 50]) + data[middle + 50 :]
    )
    return path


def emptied(path: Path) -> Path:
    """A backup as version 0.1 wrote them of a data folder with # in its name: a database without anything in it."""
    path = path.with_suffix(".sqlite3")
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as nothing:
        nothing.execute("VACUUM")
    return path


def nothing_in_it(path: Path) -> Path:
    path.write_bytes(b"")
    return path


def text(path: Path) -> Path:
    path.write_bytes(b"hello")
    return path


def of_nobody(path: Path) -> Path:
    """A backup of a Spadille that was never begun."""
    call_command("flush", interactive=False, verbosity=0)
    try:
        return back_up(path.parent, now=NOW)
    finally:
        make_tournament(4, name="newer")


def of_a_newer_one(path: Path) -> Path:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("tournaments", "9999_what_nobody_knows")
    try:
        return back_up(path.parent, now=NOW)
    finally:
        recorder.record_unapplied("tournaments", "9999_what_nobody_knows")


def of_the_other_kind(path: Path) -> Path:
    other = next(kind for kind in backups.KINDS if kind is not backups.kind_here())
    path.write_bytes(other.MAGIC + bytes(5000))
    return path


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.with_name("nothing.zip"), "There is no file"),
        (nothing_in_it, "is empty"),
        (text, "is not a Spadille backup"),
        (cut, "is damaged"),
        (changed, "is damaged"),
        (lambda path: cut(without_list(path)), "is damaged"),
        (lambda path: cut(bare(path)), ""),
        (lambda path: with_database(path, None), "is not a Spadille backup"),
        (
            lambda path: with_database(path, b"SQLite format 3\0"),
            "the database has changed since it was written",
        ),
        (torn_and_listed, ""),
        (lambda path: packed_anew(path, **{"photographs/slip.jpg": b"forged"}), "slip.jpg has changed"),
        (
            lambda path: packed_anew(path, **{"photographs/slip.jpg": None}),
            "slip.jpg has changed since it was written",
        ),
        (
            lambda path: packed_anew(path, **{"photographs/../x.jpg": b""}),
            "x.jpg has changed since it was written",
        ),
        (
            lambda path: packed_anew(path, **{"sha256.json": b"[]"}),
            "database has changed since it was written",
        ),
        (lambda path: packed_anew(path, **{"sha256.json": b"{"}), "is damaged"),
        (of_nobody, "is empty: there is no club in it"),
        (of_a_newer_one, "was made by a newer version of Spadille .9999_what_nobody_knows."),
        (of_the_other_kind, "was made on"),
        pytest.param(emptied, "is not a Spadille database", marks=pytest.mark.sqlite),
    ],
)
def test_what_cannot_be_put_in_the_place_of_anything_is_refused_before_anything_moves(
    whole, tmp_path, spoil, said
):
    file = spoil(whole)
    (tmp_path / "files/photographs/slip.jpg").unlink(missing_ok=True)
    there = sorted(path for path in tmp_path.rglob("*") if path.name != "in-use")
    with pytest.raises(CommandError, match=f"^Nothing has been restored. .*{said}"):
        call_command("restore", str(file), yes=True)
    assert sorted(path for path in tmp_path.rglob("*") if path.name != "in-use") == there
    assert Tournament.objects.get().name == "newer"


@pytest.mark.parametrize("older", [of_zip, without_list, bare])
def test_a_backup_of_an_older_version_is_opened_counted_and_restored(whole, older, monkeypatch, capsys):
    monkeypatch.setattr("tournaments.management.commands.restore.call_command", lambda *_a, **_o: None)
    file = older(whole)
    if older is without_list:
        with ZipFile(file, "a") as packed:
            packed.writestr("photographs/../../outside.jpg", b"no picture")
    call_command("restore", str(file), yes=True)
    assert "Restored" in capsys.readouterr().out
    assert Tournament.objects.get().name != "newer"
    assert Report.objects.count() == 1
    assert not list(django_settings.DATA_DIR.rglob("outside.jpg"))


def test_what_is_asked_says_what_the_backup_holds(whole, monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", lambda _question: "no")
    with pytest.raises(CommandError, match="Nothing has been changed"):
        call_command("restore", str(whole))
    assert f"{whole.name} is intact: 1 tournament(s), 1 report(s)." in capsys.readouterr().out


def test_where_nobody_is_at_a_terminal_to_say_yes_nothing_is_changed(whole, monkeypatch):
    def nobody(_question):
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    with pytest.raises(CommandError, match="Without a terminal, use --yes"):
        call_command("restore", str(whole))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("rows", "refused"), [(-1, True), (0, False), (1, True)])
def test_a_backup_that_holds_less_or_more_than_the_database_is_none(
    tmp_path, monkeypatch, table, rows, refused
):
    make_tournament(4)
    kind = backups.kind_here()
    found = kind.contents

    def miscounted(file: Path):
        counted = found(file)
        counted.counts[table] += rows
        return counted

    monkeypatch.setattr(kind, "contents", miscounted)
    if refused:
        with pytest.raises(BackupError, match=f"rows in {table}"):
            back_up(tmp_path / "usb", now=NOW)
    else:
        back_up(tmp_path / "usb", now=NOW)
    assert len(backups_in(tmp_path / "usb")) == (not refused)
    assert not list((tmp_path / "usb").glob(".*"))


def test_a_backup_written_while_reports_come_in_may_hold_those_or_not():
    before, after = dict.fromkeys(TABLES, 5), dict.fromkeys(TABLES, 7)
    for count in (5, 6, 7):
        backups.refuse_incomplete(dict.fromkeys(TABLES, count), before, after)
    for count in (4, 8):
        with pytest.raises(BackupError):
            backups.refuse_incomplete(dict.fromkeys(TABLES, count), before, after)


def manage(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    told = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CACHE_URL")}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=django_settings.BASE_DIR,
        env=told | {"SPADILLE_DATA": str(folder)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_data_folder_of_any_name_is_backed_up_and_restored(tmp_path):
    folder, stick = lay_out(tmp_path / "club #1? 50%23; æ & 'b'=\"c\""), tmp_path / "stick #2?"
    who = ["--club", "Stilling", "--username", "alice"]
    made = manage(folder, "first_organiser", *who, SPADILLE_PASSWORD="tre gode ord")
    assert (made.returncode, made.stderr) == (0, "")
    file = Path(manage(folder, "backup", "--to", str(stick)).stdout.strip())
    with ZipFile(file) as packed:
        assert packed.namelist() == ["database.br", "sha256.json"]
    with backups.archive.unpacked(file, tmp_path) as database:
        counts = backups.sqlite.contents(database).counts
    assert (counts[Club._meta.db_table], counts[Account._meta.db_table]) == (1, 1)
    restored = manage(folder, "restore", "--yes", str(file))
    assert (restored.returncode, restored.stderr) == (0, "")
    assert "Restored" in restored.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([folder.name, stick.name])


@pytest.mark.sqlite
def test_a_database_that_makes_way_comes_back_where_the_backup_cannot_be_put_there(
    whole, tmp_path, monkeypatch
):
    """As on a full disk: what was damaged was moved aside, and is more than nothing."""
    kind, moved = backups.kind_here(), []

    def fail(*_told, **_named) -> None:
        raise BackupError("The disk is full.")

    monkeypatch.setattr("tournaments.management.commands.restore.back_up", fail)
    monkeypatch.setattr(kind, "put_away", lambda _told, target: moved.append(("away", target)))
    monkeypatch.setattr(kind, "take_back", lambda _told, target: moved.append(("back", target)))
    monkeypatch.setattr(kind, "restore", fail)
    with pytest.raises(CommandError, match=r"Nothing has been restored\. The disk is full\."):
        call_command("restore", str(whole), yes=True)
    (away, to), (back, of) = moved
    assert (away, back, to) == ("away", "back", of)


def test_a_damaged_database_is_moved_with_all_its_files_and_back(tmp_path):
    told, aside = {"NAME": tmp_path / "here.sqlite3"}, tmp_path / "damaged-1.sqlite3"
    for suffix in ("", "-wal"):
        Path(f"{told['NAME']}{suffix}").write_text(suffix)
    backups.sqlite.put_away(told, aside)
    assert sorted(path.name for path in tmp_path.iterdir()) == [aside.name, f"{aside.name}-wal"]
    Path(f"{told['NAME']}-shm").write_text("begun since")
    backups.sqlite.take_back(told, aside)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here.sqlite3", "here.sqlite3-wal"]
