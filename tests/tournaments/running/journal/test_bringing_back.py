"""The journal brought back: it is what was there, row by row, and says where it is not whole."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import paramiko
import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.urls import reverse

from clubs.models import Crest, Player
from core.backup import backups
from core.journal import restore
from core.journal.format import Chain
from core.journal.location import place_at
from core.journal.models import ChangedRow
from core.journal.places import AWAY, PICTURES, JournalError, PlaceError, books_in
from core.journal.writer import Follower
from tests.factories import first_table, make_tournament, report
from tests.tournaments.running.journal.stage import begin_a_line, disk_is_lost, lines_of, restored, rows_now
from tests.tournaments.running.sftp_server import Machine
from tournaments.exports.verify.recount import differences
from tournaments.models import JournalState, Photograph, Report, Seat, Tournament
from tournaments.models.ledger import photographs_folder

pytestmark = pytest.mark.django_db
# A backup, which is made of what was there before, sees only what is stored.
restores = pytest.mark.django_db(transaction=True)

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


@restores
def test_an_evening_is_brought_back_from_nothing_row_by_row(follower, stick, monkeypatch):
    tournament = make_tournament(4)
    Crest.objects.create(club=tournament.host, picture=b"\x89PNG \xff")
    assert follower.look(NOW)
    table = first_table(tournament)
    for deal in range(1, 4):
        report(table, deal)
        assert follower.look(NOW + timedelta(seconds=deal))
    # Two who swap chairs in one step, somebody who is taken away, a picture.
    first, second = Seat.objects.filter(table=table).order_by("position")[:2]
    with transaction.atomic():
        Seat.objects.filter(pk=first.pk).update(position=4)
        Seat.objects.filter(pk=second.pk).update(position=first.position)
        Seat.objects.filter(pk=first.pk).update(position=second.position)
    Player.objects.create(name="Ülla Æbelø 🂡").delete()
    photograph = Photograph.objects.create(table=table, file="a.jpg", attached_by="Bob", attached_at=NOW)
    photograph.path.write_bytes(b"JPEG")
    assert follower.look(NOW + timedelta(days=1))
    assert not follower.look(NOW + timedelta(days=1))
    before, odd = rows_now(), list(differences(tournament))

    (book,) = books_in(stick.names())
    assert [name.partition(book.name)[2] for name in book.files] == [
        "-beginning.jsonl",
        "-day-2026-11-21.jsonl",
        "-day-2026-11-22.jsonl",
    ]
    head = lines_of(stick.path / book.files[0])[0]
    assert head["journal"].startswith("Spadille 20")
    assert "manage.py restore --journal" in head["about"]
    assert (stick.path / book.files[0]).stat().st_mode & 0o777 == 0o600
    assert (stick.path / PICTURES / "a.jpg").read_bytes() == b"JPEG"

    photograph.path.unlink()
    disk_is_lost()
    restored(monkeypatch, journal=str(stick.path))
    assert rows_now() == before
    assert photograph.path.read_bytes() == b"JPEG"
    assert list(differences(Tournament.objects.get())) == odd
    report(first_table(Tournament.objects.get()), 4)  # the next keys are free
    assert JournalState.objects.get().book == ""
    # What was brought back goes on as the same installation, in a book of its own.
    assert Follower(stick).look(NOW + timedelta(days=2))
    assert len(books_in(stick.names())) == 2


@restores
def test_what_a_disk_has_lost_after_the_journal_had_it_is_counted(
    follower, stick, monkeypatch, tmp_path, capsys
):
    def missing():
        capsys.readouterr()
        call_command("journal", missing=True)
        return capsys.readouterr().out.strip()

    table = first_table(make_tournament(4))
    follower.look(NOW)
    report(table, 1)
    # The journal has the step, and the power fails before the database says so: all of it is noted there still.
    with monkeypatch.context() as patch:
        patch.setattr(Follower, "_say_written", lambda _self: None)
        follower.look(NOW)
        assert missing() == "0"
    follower = Follower(stick)
    follower.look(NOW)
    stored = backups.back_up(tmp_path / "disk", now=NOW)
    position = JournalState.objects.values().get()
    for deal in (2, 3):
        report(table, deal)
        follower.look(NOW)
    before = rows_now()
    assert missing() == "0"
    # A backup that was restored on purpose lacks nothing; a disk that lost both deals was never told to.
    disk_is_lost()
    restored(monkeypatch, str(stored))
    assert missing() == "0"
    ChangedRow.objects.all().delete()
    JournalState.objects.update(**position)
    assert missing() == "2"
    disk_is_lost()
    restored(monkeypatch, journal=str(stick.path))
    assert rows_now() == before


@restores
def test_a_backup_is_brought_up_to_the_last_step_and_one_of_before_the_book_is_not_needed(
    follower, stick, monkeypatch, tmp_path, capsys
):
    tournament = make_tournament(4)
    table = first_table(tournament)
    too_old = backups.back_up(tmp_path / "usb", now=NOW - timedelta(hours=1))
    follower.look(NOW)
    report(table, 1)
    follower.look(NOW)
    report(table, 2)  # noted, and not written when the backup is made
    backup = backups.back_up(tmp_path / "usb", now=NOW)
    follower.look(NOW)
    report(table, 3)
    follower.look(NOW)
    before = rows_now()
    for file, steps in ((backup, 2), (too_old, 4)):
        disk_is_lost()
        monkeypatch.setattr(restore, "make_room", lambda _found: disk_is_lost())
        monkeypatch.setattr(
            "tournaments.management.commands.restore.make_room", lambda _found: disk_is_lost()
        )
        restored(monkeypatch, str(file), journal=str(stick.path))
        assert f"{steps} step(s) of the journal" in capsys.readouterr().out
        assert rows_now() == before
    assert list(differences(Tournament.objects.get())) == []


def torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-30])


def another_name(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace("Anna Holm", "Anna Hjort"), "utf-8")


def without_a_line(path: Path) -> None:
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:-4]), "utf-8")


@pytest.mark.parametrize(
    ("of", "damage", "says"),
    [
        (0, another_name, r"-beginning\.jsonl, line \d+: what stands before it is not as it was written"),
        (
            1,
            another_name,
            r"-day-2026-11-21\.jsonl, line \d+: .* It is intact up to step 0, of 2026-11-21T19:30:00\+00:00: use",
        ),
        (
            1,
            torn,
            r"-day-2026-11-22\.jsonl: the file before it breaks off\. It is intact up to step 1, .*--up-to 1",
        ),
        (
            1,
            Path.unlink,
            r"-day-2026-11-22\.jsonl: it goes on from step 2, and what is before it ends at 0\.",
        ),
        (0, Path.unlink, r"there is no journal|no beginning is before it"),
    ],
)
def test_a_broken_journal_is_refused_in_words_and_offered_up_to_where_it_is_whole(
    follower, stick, monkeypatch, of, damage, says
):
    make_tournament(4)
    follower.look(NOW)
    for step in range(3):
        Player.objects.filter(name="Anna Holm").update(phone=f"6252104{step}")
        follower.look(NOW + timedelta(days=step // 2))
    (book,) = books_in(stick.names())
    damage(stick.path / book.files[of])
    with pytest.raises(CommandError, match=f"Nothing has been restored.*{says}"):
        restored(monkeypatch, journal=str(stick.path))
    with pytest.raises(CommandError, match=r"breaks off|not as it was|goes on|no beginning"):
        call_command("journal", check=str(stick.path))


@restores
def test_a_broken_journal_is_brought_back_up_to_where_it_is_whole(follower, stick, monkeypatch):
    make_tournament(4)
    follower.look(NOW)
    for step in range(3):
        Player.objects.filter(name="Anna Holm").update(phone=f"6252104{step}")
        follower.look(NOW)
    newest = stick.path / books_in(stick.names())[0].files[-1]
    newest.write_text(newest.read_text("utf-8").replace("62521041", "62521049"), "utf-8")
    disk_is_lost()
    with pytest.raises(CommandError, match=r"The journal has no step 2; it ends with step 1|is broken"):
        restored(monkeypatch, journal=str(stick.path), up_to=2)
    restored(monkeypatch, journal=str(stick.path), up_to=1)
    assert Player.objects.get(name="Anna Holm").phone == "62521040"


def test_a_journal_of_a_newer_spadille_is_refused(follower, stick, monkeypatch):
    make_tournament(4)
    follower.look(NOW)
    whole_book = restore.whole_book

    def newer(*of):
        found = whole_book(*of)
        found.header["migrations"]["tournaments"] = "9999_tomorrow"
        return found

    monkeypatch.setattr(restore, "whole_book", newer)
    with pytest.raises(JournalError, match=r"newer version of Spadille \(9999_tomorrow\)"):
        restore.found_in(stick, up_to=None)


@restores
def test_what_cannot_be_stored_is_said_with_where_the_rest_is_kept(follower, stick, monkeypatch):
    make_tournament(4)
    follower.look(NOW)
    (book,) = books_in(stick.names())
    said = (stick.path / book.files[0]).read_text("utf-8")
    (stick.path / book.files[0]).write_text(said.replace('"clubs_player"', '"clubs_gambler"'), "utf-8")
    monkeypatch.setattr(Chain, "close", lambda of, _begun: found.setdefault(of, heads.pop(0)))
    found, heads = {}, [said.splitlines()[-1].partition('"sha256": "')[2][:64]]
    disk_is_lost()
    with pytest.raises(
        CommandError, match=r"cannot be stored: KeyError\('clubs_gambler'\) The database is now empty\."
    ):
        restored(monkeypatch, journal=str(stick.path))


@restores
@pytest.mark.parametrize("lets_in", [True, False])
def test_another_machine_is_written_to_by_ssh_and_brought_back_from(tmp_path, monkeypatch, lets_in):
    key, folder = paramiko.ECDSAKey.generate(), tmp_path / "there"
    folder.mkdir()
    home = tmp_path / "home" / ".ssh"
    home.mkdir(parents=True)
    key.write_private_key_file(str(home / "id_ecdsa"))
    monkeypatch.setenv("HOME", str(home.parent))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    machine = Machine(tmp_path, key if lets_in else paramiko.ECDSAKey.generate())
    known = f"[127.0.0.1]:{machine.port} {machine.key.get_name()} {machine.key.get_base64()}\n"
    (home / "known_hosts").write_text(known)
    place = place_at(f"sftp://bob@127.0.0.1:{machine.port}/there")
    follower = Follower(place)
    try:
        table = first_table(make_tournament(4))
        if not lets_in:
            with pytest.raises(PlaceError, match=r"Authentication failed.*ssh there once"):
                follower.look(NOW)
            return
        follower.look(NOW)
        report(table, 1)
        machine.cut()
        with pytest.raises(PlaceError) as problem:
            follower.look(NOW)
        assert problem.value.kind == AWAY
        Photograph.objects.create(table=table, file="a.jpg", attached_by="Bob", attached_at=NOW)
        (photographs_folder() / "a.jpg").write_bytes(b"JPEG")
        assert follower.look(NOW)
        begin_a_line(folder / books_in(place.names())[0].files[-1])
        report(table, 2)
        follower.see_whether_it_is_there(NOW)
        before = rows_now()
        (photographs_folder() / "a.jpg").unlink()
        disk_is_lost()
        restored(monkeypatch, journal=place.said)
        assert rows_now() == before
        assert (photographs_folder() / "a.jpg").read_bytes() == b"JPEG"
        assert {path.stat().st_mode & 0o077 for path in folder.glob("*.jsonl")} == {0}
    finally:
        place.close()
        machine.close()


@restores
def test_phones_send_what_a_journal_had_not_yet_each_once_whenever_the_disk_is_lost(
    follower, stick, client, monkeypatch
):
    """Twice in an evening: with reports noted and not written, and with half a step at the journal's end."""
    table = first_table(make_tournament(4))
    url = reverse("captain_reports", args=[table.secret])
    sent = [
        {"key": str(uuid4()), "deal": deal, "base": 0, "result": {"all_passed": True}}
        for deal in range(1, 13)
    ]

    def deliver(items):
        answer = client.post(url, json.dumps({"reports": items}), content_type="application/json").json()
        return [result["status"] for result in answer["results"]]

    follower.look(NOW)
    for lost in (4, 8):
        assert deliver(sent[: lost - 1])[-2:] == ["accepted"] * 2
        Follower(stick).look(NOW)
        assert deliver(sent[lost - 1 : lost]) == ["accepted"]
        begin_a_line(stick.path / books_in(stick.names())[-1].files[-1])
        disk_is_lost()
        restored(monkeypatch, journal=str(stick.path))
        assert Report.objects.count() == lost - 1
        Follower(stick).look(NOW + timedelta(hours=lost))
    assert deliver(sent) == ["duplicate"] * 7 + ["accepted"] * 5
    assert Report.objects.count() == len(sent)
    assert list(differences(Tournament.objects.get())) == []
