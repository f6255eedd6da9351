"""Backups: taken while reports come in, restored with the old kept aside; phones then deliver what is missing."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from clubs.models import Account
from core.backup import archive, backups
from core.backup.backups import back_up
from core.backup.folder import backups_folder, backups_in
from core.errors import BackupError
from core.jobs.models import Job
from core.jobs.queue import do_here
from core.journal import restore
from core.journal.places import PICTURES, Folder
from tests.factories import first_table, make_tournament, report
from tournaments.changes.versions import jump_versions, newest_version
from tournaments.exports.verify.recount import differences
from tournaments.models import Photograph, Report, SheetPicture, Table, Tournament
from tournaments.models.ledger import photographs_folder
from tournaments.standings.players import standings

pytestmark = pytest.mark.databases

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def restored(path):
    """The command without its preparing, which compresses static files of the data folder."""
    seen = newest_version()
    with backups.open_backup(path) as backup:
        backups.restore(backup)
    call_command("migrate", verbosity=0)
    jump_versions(seen)


@pytest.mark.django_db(transaction=True)
class TestWhole:
    def test_a_backup_holds_what_was_there_and_a_restore_brings_it_back(self):
        tournament = make_tournament(4)
        table = first_table(tournament)
        report(table, 1)
        path = back_up(backups_folder(), now=NOW)
        assert path.name == "spadille-20261121T193000Z-by-hand.zip"
        assert path.stat().st_mode & 0o777 == 0o600
        assert [file.name for file in path.parent.iterdir()] == [path.name]
        report(table, 2)
        restored(path)
        assert list(Report.objects.values_list("deal_number", flat=True)) == [1]
        assert list(differences(Tournament.objects.get())) == []

    def test_phones_deliver_what_a_restored_backup_misses(self, client):
        tournament = make_tournament(4)
        table = first_table(tournament)
        url = reverse("captain_reports", args=[table.secret])
        sent = [
            {"key": str(uuid4()), "deal": deal, "base": 0, "result": {"all_passed": True}}
            for deal in range(1, 9)
        ]

        def deliver(items):
            body = json.dumps({"reports": items})
            answer = client.post(url, body, content_type="application/json").json()
            return [result["status"] for result in answer["results"]], answer["state_version"]

        deliver(sent[:5])
        path = back_up(backups_folder(), now=NOW)
        statuses, seen = deliver(sent[5:])
        assert statuses == ["accepted"] * 3
        restored(path)
        # The phone asks as it always does, and is told the whole: deals 6 to 8 are not there.
        state = client.get(reverse("captain_state", args=[table.secret]), {"v": seen, "seq": 8}).json()
        assert (state["partial"], state["sequence"]) == (False, 5)
        assert [deal["number"] for deal in state["deals"] if "revision" in deal] == [1, 2, 3, 4, 5]
        assert deliver(sent)[0] == ["duplicate"] * 5 + ["accepted"] * 3
        assert Report.objects.count() == 8
        assert list(differences(Tournament.objects.get())) == []

    def test_a_backup_restored_twice_is_another_state_each_time(self, client):
        table = first_table(make_tournament(4))
        path = back_up(backups_folder(), now=NOW)
        url, asked = reverse("captain_state", args=[table.secret]), []
        for _restore in range(3):
            restored(path)
            report(Table.objects.select_related("round__tournament").get(pk=table.pk), 1)
            asked.append(client.get(url).json()["version"])
            told = client.get(url, {"v": asked[0], "seq": 1}).json() if len(asked) > 1 else {"partial": False}
            assert told["partial"] is False
        assert asked == sorted(set(asked))

    def test_no_page_or_cache_takes_what_it_knew_for_what_is_restored(self):
        tournament = make_tournament(4)
        table = first_table(tournament)
        path = back_up(backups_folder(), now=NOW)
        report(table, 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
        tournament.refresh_from_db()
        assert any(row.total for row in standings(tournament).rows)
        restored(path)
        for _deal in range(3):  # until the version would have been the same again
            report(table, _deal + 1)
        again = Tournament.objects.get()
        assert again.version > tournament.version + 1000
        assert Table.objects.get(pk=table.pk).version > 1000
        assert not any(row.total for row in standings(again).rows)

    def test_the_commands_keep_the_old_aside_and_ask(self, tmp_path, capsys, monkeypatch):
        monkeypatch.setattr("tournaments.management.commands.restore.call_command", lambda *_a, **_o: None)
        make_tournament(4)
        left = tmp_path / ".restore-left"  # by one that was killed
        left.mkdir()
        call_command("backup", to=str(tmp_path / "usb"))
        path = capsys.readouterr().out.strip()
        monkeypatch.setattr("builtins.input", lambda _question: "no")
        with pytest.raises(CommandError, match="Nothing has been changed"):
            call_command("restore", path)
        Tournament.objects.update(name="newer")
        monkeypatch.setattr("builtins.input", lambda _question: "yes")
        call_command("restore", path)
        said = capsys.readouterr().out
        assert "1 tournament(s), 0 report(s)" in said
        assert not left.exists()
        assert not Tournament.objects.filter(name="newer").exists()
        (aside,) = backups_in(backups_folder() / "before-restore")
        assert str(aside.path) in said
        restored(aside.path)
        assert Tournament.objects.filter(name="newer").exists()

    def test_a_restore_waits_until_nobody_serves(self, tmp_path):
        path = back_up(tmp_path / "usb", now=NOW)
        with (tmp_path / "in-use").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_SH)
            with pytest.raises(CommandError, match="Stop it first"):
                call_command("restore", str(path), yes=True)


@pytest.fixture
def photograph(transactional_db):
    kept = Photograph.objects.create(
        table=first_table(make_tournament(4)),
        file="a-name_nobody-guesses.jpg",
        attached_by="Alice",
        attached_at=NOW,
    )
    kept.path.write_bytes(b"a picture")
    return kept


class TestPhotographs:
    def test_are_in_the_same_file_and_come_back_where_they_are_missing(self, photograph, tmp_path):
        table = photograph.table
        sent = [
            table.sheet_pictures.create(
                tournament=table.round.tournament, file=f"{state}.jpg", state=state, sent_at=NOW
            )
            for state in ("waiting", "aside", "unreadable")
        ]
        for picture in sent:
            picture.path.write_bytes(b"a sheet")
        path = back_up(tmp_path / "usb", now=NOW)
        for picture in sent:
            picture.path.unlink()
        assert path.name == "spadille-20261121T193000Z-by-hand.zip"
        assert path.stat().st_mode & 0o777 == 0o600
        assert [file.name for file in path.parent.iterdir()] == [path.name]
        assert [backup.path for backup in backups_in(path.parent)] == [path]
        photograph.path.unlink()
        Photograph.objects.all().delete()
        restored(path)
        again = Photograph.objects.get()
        assert (again.file, again.path.read_bytes()) == (photograph.file, b"a picture")
        # What waits to be read comes back too; what could not be read may be a picture of anything.
        assert [picture.is_there for picture in sent] == [True, True, False]
        assert sorted(file.name for file in path.parent.iterdir()) == [path.name]

    @pytest.mark.usefixtures("photograph")
    def test_are_left_out_by_the_timer_and_stay_after_its_restore(self, tmp_path):
        path = back_up(tmp_path / "usb", now=NOW, by_hand=False)
        assert path.name == "spadille-20261121T193000Z.zip"
        assert ZipFile(path).namelist()[1:] == ["sha256.json"]
        restored(path)
        assert Photograph.objects.get().path.read_bytes() == b"a picture"


@pytest.mark.django_db
@pytest.mark.parametrize("lacking", [(), (SheetPicture,), (SheetPicture, Photograph)])
def test_data_of_a_version_that_had_no_table_for_pictures_have_those_of_the_other(lacking, tmp_path):
    """As they are backed up before an update, kept aside by a restore, and brought back by an older journal."""
    table = first_table(make_tournament(4))
    if Photograph not in lacking:
        Photograph.objects.create(table=table, file="a.jpg", attached_by="Alice", attached_at=NOW)
    (tmp_path / PICTURES).mkdir()
    (tmp_path / PICTURES / "a.jpg").write_bytes(b"a picture")
    (photographs_folder() / "a.jpg").unlink(missing_ok=True)
    with connection.cursor() as cursor:
        for model in lacking:
            cursor.execute(f'DROP TABLE "{model._meta.db_table}"')
    restore._put_pictures_back(Folder(tmp_path))
    assert [picture.name for picture in archive.pictures()] == ["a.jpg"] * (Photograph not in lacking)


def test_the_newest_are_kept_and_other_files_left_alone(tmp_path):
    folder = tmp_path / "usb"
    folder.mkdir()
    for hour in range(5):
        (folder / f"spadille-20261121T{hour:02d}0000Z.sqlite3").touch()
    (folder / "holiday.jpg").touch()
    backups.drop_old(folder, 2)
    kept = sorted(path.name for path in folder.iterdir())
    assert kept == ["holiday.jpg", "spadille-20261121T030000Z.sqlite3", "spadille-20261121T040000Z.sqlite3"]


@pytest.mark.django_db(transaction=True)
def test_two_backups_of_one_second_are_two_files(tmp_path):
    one, other = back_up(tmp_path, now=NOW), back_up(tmp_path, now=NOW)
    assert (one.stem, other.stem) == (
        "spadille-20261121T193000Z-by-hand",
        "spadille-20261121T193000Z-by-hand-2",
    )
    assert [backup.path for backup in backups_in(tmp_path)] == [one, other]


@pytest.mark.django_db(transaction=True)
def test_a_folder_that_cannot_be_written_is_said_and_leaves_no_half_backup(tmp_path):
    (tmp_path / "usb").write_text("a file where the folder should be")
    with pytest.raises(BackupError, match="usb"):
        back_up(tmp_path / "usb", now=NOW)


@pytest.mark.parametrize("option", ["keep", "every"])
def test_a_number_that_makes_no_sense_is_refused(db, option):
    with pytest.raises(CommandError, match="must be at least 1"):
        call_command("backup", **{option: -3})


def test_the_desk_shows_how_old_the_last_backup_is(as_alice):
    def shown():
        return as_alice.get(reverse("desk")).content.decode()

    assert "There is no backup yet." in shown()
    folder = backups_folder()
    folder.mkdir()
    at = timezone.now() - timedelta(hours=3)
    (folder / f"spadille-{at:%Y%m%dT%H%M%SZ}.sqlite3").touch()
    assert "Last backup: 3\xa0hours ago." in shown()
    assert "message warning" not in shown()
    shutil.rmtree(folder)
    folder.mkdir()
    at -= timedelta(days=2)
    (folder / f"spadille-{at:%Y%m%dT%H%M%SZ}.sqlite3").touch()
    assert "message warning" in shown()


def test_without_pg_dump_the_package_is_named(monkeypatch):
    monkeypatch.setitem(os.environ, "PATH", "/nowhere")
    with pytest.raises(BackupError, match="apt-get install postgresql-client"):
        backups.postgresql.write({"NAME": "spadille"}, backups_folder())


@pytest.mark.django_db(transaction=True)
def test_the_owner_saves_the_same_file_at_the_desk_and_the_clubs_log_says_so(client, settings):
    tournament = make_tournament(4)
    owner = Account.objects.create_superuser("alice", password="a long password")
    client.force_login(owner)
    assert reverse("desk_backup") in client.get(reverse("desk")).content.decode()
    page = client.post(reverse("desk_backup")).url
    assert client.post(reverse("desk_backup")).url == page  # a double tap
    assert not tournament.host.log.exists()
    job = do_here(Job.objects.get())
    assert (job.state, job.done) == ("done", job.total)
    assert "-by-hand.zip" in client.get(page).content.decode()
    answer = client.get(reverse("desk_job_file", args=[job.pk]))
    assert answer["Content-Disposition"].startswith('attachment; filename="spadille-')
    file = settings.DATA_DIR / "saved"
    file.write_bytes(b"".join(answer.streaming_content))
    assert tournament.host.log.get().words == "Saved a backup of everything as a file"
    Tournament.objects.update(name="Later")
    restored(file)
    assert Tournament.objects.get().name == tournament.name


@pytest.mark.parametrize("signed_in", [True, False])
def test_nobody_else_sees_or_saves_a_backup(db, client, alice, signed_in):
    if signed_in:
        client.force_login(alice)
        assert reverse("desk_backup") not in client.get(reverse("desk")).content.decode()
    for ask in (client.get, client.post):
        assert ask(reverse("desk_backup")).status_code == (403 if signed_in else 302)
    assert not Job.objects.exists()
