"""The journal is written: all that is stored, a moment later elsewhere, whatever becomes of the stick."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from clubs.models import Player
from core.data_hooks import data_hooks
from core.journal import triggers, writer
from core.journal.models import followed, is_followed
from core.journal.places import AWAY, FOREIGN, FULL, PICTURES, READ_ONLY, PlaceError, books_in
from core.journal.restore import checked
from core.journal.status import journal_status
from core.journal.writer import Follower
from tests.factories import first_table, make_tournament, report
from tests.tournaments.running.journal.stage import begin_a_line
from tournaments.models import ChangedRow, JournalState, Report, SheetPicture
from tournaments.models.append_only import unprotected
from tournaments.models.ledger import photographs_folder

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


def test_every_table_is_followed_but_those_that_are_named_and_what_it_points_to_is_too():
    from django.apps import apps

    models = apps.get_models(include_auto_created=True)
    named = {model._meta.app_label for model in models} | {model._meta.label for model in models}
    assert named >= data_hooks().not_followed.keys()
    triggers.put_up()
    assert triggers.are_up()
    assert list(unprotected(connection)) == []
    for model in followed():
        ends = {relation.related_model for relation in model._meta.concrete_fields if relation.is_relation}
        assert [end for end in ends if not is_followed(end)] == [], model
    with connection.cursor() as cursor:
        on_table = " ON clubs_player" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER journal_update_clubs_player{on_table}")
    assert not triggers.are_up()


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
    state = journal_status(timezone.now())
    assert state.is_written
    assert state.words == f"Everything saved is also in the journal: {stick.path}."
    assert "same disk" in state.notice
    stick.path.rename(tmp_path / "pulled out")
    report(table, 1)
    with pytest.raises(PlaceError):
        follower.look(NOW)
    state = journal_status(timezone.now())
    assert (state.is_written, "is not available" in state.words, state.since is not None) == (
        False,
        True,
        True,
    )
    assert not stick.path.exists()
    assert Report.objects.count() == 1
    (tmp_path / "pulled out").rename(stick.path)
    assert follower.look(NOW)
    assert journal_status(timezone.now()).is_written
    (book,) = books_in(stick.names())
    assert checked(stick, book).last == 1
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR", "WARNING"]
    assert "written again" in caplog.records[-1].getMessage()


def test_a_photographed_sheet_lies_beside_the_journal_as_in_a_backup_and_is_written_once(
    follower, stick, monkeypatch
):
    table = first_table(make_tournament(4))
    follower.look(NOW)
    laid, put = [], stick.put
    monkeypatch.setattr(
        type(stick), "put", lambda _stick, name, data: laid.append((name, data)) or put(name, data)
    )
    # Seen while it waits, while it is read, as it was left after that, and as its table's photograph.
    states = [("waiting", 0), ("waiting", 1), ("aside", 1), ("unreadable", 3)]
    for state, tries in states:
        file = f"{state}-{tries}.jpg"
        (photographs_folder() / file).write_bytes(file.encode())
        SheetPicture.objects.create(
            tournament=table.round.tournament, file=file, sent_at=NOW, state=state, tries=tries
        )
    for tries in (1, 2):
        follower.look(NOW)
        assert {name for name, _data in laid} == {
            f"{PICTURES}/{name}" for name in SheetPicture.names_to_back_up()
        }
        SheetPicture.objects.update(tries=tries)
    photograph = table.photographs.create(file="aside-1.jpg", attached_by="Bob", attached_at=NOW)
    SheetPicture.objects.filter(state="aside").update(photograph=photograph, state="read")
    follower.look(NOW)
    assert len(laid) == len(SheetPicture.names_to_back_up()) == len(states) - 1


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (28, FULL, "no room left"),
        (30, READ_ONLY, "Spadille is not allowed to write in"),
        (13, READ_ONLY, "Spadille is not allowed to write in"),
        (5, AWAY, "is not available"),
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
    with pytest.raises(PlaceError) as problem:
        follower.look(NOW)
    assert problem.value.kind == kind
    assert words in journal_status(timezone.now()).words
    monkeypatch.setattr(os, "fsync", fsync)
    assert Follower(stick).look(NOW)
    (book,) = books_in(stick.names())
    assert (checked(stick, book).last, checked(stick, book).broken) == (1, "")


def test_what_is_away_for_long_begins_anew_and_notes_do_not_grow_without_end(
    follower, stick, tmp_path, monkeypatch
):
    make_tournament(4)
    follower.look(NOW)
    monkeypatch.setattr(writer, "MOST_NOTED", 3)
    stick.path.rename(tmp_path / "pulled out")
    Player.objects.update(phone="1")
    with pytest.raises(PlaceError):
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
    with pytest.raises(PlaceError) as problem:
        Follower(stick).look(NOW)
    assert problem.value.kind == FOREIGN
    assert "Another Spadille" in journal_status(timezone.now()).words
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
    triggers.begin_anew(forgets=True)
    follower.look(NOW + timedelta(days=91))
    assert len(books_in(stick.names())) == 1


def test_rows_that_are_stored_otherwise_begin_a_book_of_their_own(follower, stick, monkeypatch):
    make_tournament(4)
    follower.look(NOW)
    follower.see_whether_it_is_there(NOW)
    assert len(books_in(stick.names())) == 1
    monkeypatch.setattr(writer, "migrations_now", lambda: {"tournaments": "9999_tomorrow"})
    follower.see_whether_it_is_there(NOW)
    assert len(books_in(stick.names())) == 2


def test_nothing_is_noted_where_there_is_no_journal():
    triggers.take_down()
    make_tournament(4)
    assert not ChangedRow.objects.exists()
