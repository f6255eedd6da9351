"""The journal: all that is stored, a moment later elsewhere; brought back, it is what was there, row by row."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import paramiko
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from clubs.models import Crest, Player
from tests.factories import first_table, make_tournament, report
from tests.tournaments.running.sftp_server import Machine
from tournaments.files.recount import differences
from tournaments.models import ChangedRow, JournalState, Photograph, Report, Seat, Tournament
from tournaments.models.append_only import unprotected
from tournaments.models.evidence import photographs_folder
from tournaments.models.journal import NOT_FOLLOWED, followed, is_followed
from tournaments.running import backups
from tournaments.running.journal import following, noting, restoring
from tournaments.running.journal.books import books_in
from tournaments.running.journal.contents import everything
from tournaments.running.journal.following import Follower
from tournaments.running.journal.lines import Chain
from tournaments.running.journal.places import PICTURES, Folder, place_at
from tournaments.running.journal.problems import AWAY, FOREIGN, FULL, READ_ONLY, JournalProblem, PlaceProblem
from tournaments.running.journal.reading import checked
from tournaments.running.journal.told import told

pytestmark = pytest.mark.django_db
# A backup, which is made of what was there before, sees only what is stored.
restores = pytest.mark.django_db(transaction=True)

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _taken_down(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    settings.JOURNAL = str(tmp_path / "stick")
    (tmp_path / "stick").mkdir()
    yield
    noting.take_down()


@pytest.fixture
def stick(tmp_path):
    return Folder(tmp_path / "stick")


@pytest.fixture
def follower(stick):
    return Follower(stick)


def rows_now() -> list[str]:
    return sorted(line.decode() for line in everything())


def disk_is_lost() -> None:
    """A new machine: the database is there and empty, of another installation."""
    noting.take_down()
    call_command("flush", verbosity=0, interactive=False, inhibit_post_migrate=True)
    noting.state()


def restored(monkeypatch, *file: str, **options) -> None:
    """The command without what compresses static files, and without its recount."""
    monkeypatch.setattr("tournaments.management.commands.restore.call_command", lambda *_told, **_named: None)
    monkeypatch.setattr("tournaments.management.commands.restore.write_down", lambda *_told, **_named: None)
    monkeypatch.setattr("tournaments.management.commands.restore.tell_apart", lambda _seen: None)
    call_command("restore", *file, yes=True, **options)


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_table_is_followed_but_those_that_are_named_and_what_it_points_to_is_too():
    from django.apps import apps

    models = apps.get_models(include_auto_created=True)
    named = {model._meta.app_label for model in models} | {model._meta.label for model in models}
    assert named >= NOT_FOLLOWED.keys()
    noting.put_up()
    assert noting.are_up()
    assert list(unprotected(connection)) == []
    for model in followed():
        ends = {relation.related_model for relation in model._meta.concrete_fields if relation.is_relation}
        assert [end for end in ends if not is_followed(end)] == [], model
    with connection.cursor() as cursor:
        on_table = " ON clubs_player" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER journal_update_clubs_player{on_table}")
    assert not noting.are_up()


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
        monkeypatch.setattr(restoring, "make_room", lambda _found: disk_is_lost())
        monkeypatch.setattr(
            "tournaments.management.commands.restore.make_room", lambda _found: disk_is_lost()
        )
        restored(monkeypatch, str(file), journal=str(stick.path))
        assert f"{steps} step(s) of the journal" in capsys.readouterr().out
        assert rows_now() == before
    assert list(differences(Tournament.objects.get())) == []


def begin_a_line(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"in": "clubs_player", "row": {"id": 1')


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
            r"-day-2026-11-21\.jsonl, line \d+: .* Up to step 0, of 2026-11-21T19:30:00\+00:00, it is",
        ),
        (1, torn, r"-day-2026-11-22\.jsonl: the file before it breaks off\. Up to step 1, .*--up-to 1"),
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


def test_a_step_that_was_half_written_counts_for_nothing_and_is_cut_off(follower, stick, tmp_path):
    make_tournament(4)
    follower.look(NOW)
    Player.objects.update(phone="1")
    follower.look(NOW)
    (book,) = books_in(stick.names())
    newest = stick.path / book.files[-1]
    whole = newest.read_bytes()
    begin_a_line(newest)
    assert (checked(stick, book).last, checked(stick, book).left, checked(stick, book).broken) == (1, 1, "")
    Player.objects.update(phone="2")
    Follower(stick).look(NOW)  # of a new process
    assert newest.read_bytes().startswith(whole)
    assert (checked(stick, book).last, checked(stick, book).left) == (2, 0)
    # Killed when it was written, and before that was noted: nobody can know which of two futures it is of.
    JournalState.objects.update(step=1, head=checked(stick, book).heads[1], size=len(whole))
    Follower(stick).look(NOW - timedelta(days=1))  # and the clock was set back
    assert [checked(stick, book).last for book in books_in(stick.names())] == [2, 0]


def test_a_stick_that_is_pulled_out_is_told_and_catches_up(follower, stick, tmp_path, caplog):
    table = first_table(make_tournament(4))
    follower.look(NOW)
    state = told(timezone.now())
    assert state.is_written
    assert state.words == f"All that is stored is in the journal too: {stick.path}."
    assert "same disk" in state.notice
    stick.path.rename(tmp_path / "pulled out")
    report(table, 1)
    with pytest.raises(PlaceProblem):
        follower.look(NOW)
    state = told(timezone.now())
    assert (state.is_written, "is not there" in state.words, state.since is not None) == (False, True, True)
    assert not stick.path.exists()
    assert Report.objects.count() == 1
    (tmp_path / "pulled out").rename(stick.path)
    assert follower.look(NOW)
    assert told(timezone.now()).is_written
    (book,) = books_in(stick.names())
    assert checked(stick, book).last == 1
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR", "WARNING"]
    assert "written again" in caplog.records[-1].getMessage()


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (28, FULL, "no room left"),
        (30, READ_ONLY, "may not write"),
        (13, READ_ONLY, "may not write"),
        (5, AWAY, "is not there"),
    ],
)
def test_a_disk_that_takes_nothing_more_is_told_and_what_was_stored_waits(
    follower, stick, monkeypatch, number, kind, words
):
    table = first_table(make_tournament(4))
    follower.look(NOW)
    report(table, 1)
    fsync = os.fsync

    def fail(_descriptor):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(PlaceProblem) as problem:
        follower.look(NOW)
    assert problem.value.kind == kind
    assert words in told(timezone.now()).words
    monkeypatch.setattr(os, "fsync", fsync)
    assert Follower(stick).look(NOW)
    (book,) = books_in(stick.names())
    assert (checked(stick, book).last, checked(stick, book).broken) == (1, "")


def test_what_is_away_for_long_begins_anew_and_notes_do_not_grow_without_end(
    follower, stick, tmp_path, monkeypatch
):
    make_tournament(4)
    follower.look(NOW)
    monkeypatch.setattr(following, "MOST_NOTED", 3)
    stick.path.rename(tmp_path / "pulled out")
    Player.objects.update(phone="1")
    with pytest.raises(PlaceProblem):
        follower.look(NOW)
    assert not ChangedRow.objects.exists()
    Player.objects.update(phone="2")
    assert not ChangedRow.objects.exists()
    (tmp_path / "pulled out").rename(stick.path)
    follower.look(NOW + timedelta(seconds=1))
    assert [checked(stick, book).last for book in books_in(stick.names())] == [0, 0]


def test_another_spadilles_journal_is_left_alone(follower, stick):
    make_tournament(4)
    follower.look(NOW)
    before = {name: (stick.path / name).read_bytes() for name in stick.names()}
    JournalState.objects.update(installation="f" * 32, book="")
    Player.objects.update(phone="1")
    with pytest.raises(PlaceProblem) as problem:
        Follower(stick).look(NOW)
    assert problem.value.kind == FOREIGN
    assert "Another Spadille" in told(timezone.now()).words
    assert {name: (stick.path / name).read_bytes() for name in stick.names()} == before


def test_a_book_of_before_the_oldest_daily_backup_goes_and_with_it_who_was_erased(follower, stick, settings):
    make_tournament(4)
    Player.objects.create(name="Vita Erased")
    follower.look(NOW)
    Player.objects.filter(name="Vita Erased").delete()
    follower.look(NOW + timedelta(days=29))
    assert len(books_in(stick.names())) == 1
    assert follower.look(NOW + timedelta(days=30))
    assert len(books_in(stick.names())) == 2
    follower.look(NOW + timedelta(days=60))
    assert len(books_in(stick.names())) == 3
    follower.look(NOW + timedelta(days=90))  # the first ended when the second was begun, 60 days ago
    assert len(books_in(stick.names())) == 3
    assert "Vita" not in "".join((stick.path / name).read_text("utf-8") for name in stick.names())
    noting.begin_anew(forgets=True)
    follower.look(NOW + timedelta(days=91))
    assert len(books_in(stick.names())) == 1


def test_a_journal_of_a_newer_spadille_is_refused(follower, stick, monkeypatch):
    make_tournament(4)
    follower.look(NOW)
    whole_book = restoring.whole_book

    def newer(*of):
        found = whole_book(*of)
        found.header["migrations"]["tournaments"] = "9999_tomorrow"
        return found

    monkeypatch.setattr(restoring, "whole_book", newer)
    with pytest.raises(JournalProblem, match=r"newer Spadille \(9999_tomorrow\)"):
        restoring.found_in(stick, up_to=None)


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
        CommandError, match=r"cannot be stored: KeyError\('clubs_gambler'\) The database is empty\."
    ):
        restored(monkeypatch, journal=str(stick.path))


def test_rows_that_are_stored_otherwise_begin_a_book_of_their_own(follower, stick, monkeypatch):
    make_tournament(4)
    follower.look(NOW)
    follower.see_whether_it_is_there(NOW)
    assert len(books_in(stick.names())) == 1
    monkeypatch.setattr(following, "migrations_now", lambda: {"tournaments": "9999_tomorrow"})
    follower.see_whether_it_is_there(NOW)
    assert len(books_in(stick.names())) == 2


def test_nothing_is_noted_where_there_is_no_journal():
    noting.take_down()
    make_tournament(4)
    assert not ChangedRow.objects.exists()


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
            with pytest.raises(PlaceProblem, match=r"Authentication failed.*ssh there once"):
                follower.look(NOW)
            return
        follower.look(NOW)
        report(table, 1)
        machine.cut()
        with pytest.raises(PlaceProblem) as problem:
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
