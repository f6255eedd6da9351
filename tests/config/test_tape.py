"""What many tests begin with is made once: only where a test may change the program is it made anew."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.db import transaction

from tests.factories import first_table, make_club, make_tournament, rows_at
from tests.tape import recorder


def test_what_was_made_before_is_played_again():
    assert recorder.is_on


@pytest.fixture
def before():
    return recorder.is_on


@pytest.fixture
def _changed(monkeypatch):
    """The program itself, for all that a test knows."""


def test_a_test_that_may_change_the_program_makes_all_anew(before, monkeypatch):
    assert (before, recorder.is_on) == (True, False)


@pytest.mark.usefixtures("_changed")
def test_where_a_fixture_may_what_a_test_begins_with_is_made_anew_too(before):
    assert not before


@pytest.mark.django_db
def test_what_is_set_otherwise_and_what_the_club_decides_is_made_anew(settings):
    made = []
    for settings.PUSH in (True, True, False, True):
        recorder.played("by settings", [], lambda: made.append(settings.PUSH) or 1)
    assert made == [True, False]
    tournament = make_tournament()
    assert tournament.host in rows_at(first_table(tournament))


@pytest.mark.django_db
def test_what_was_taken_back_while_it_was_made_is_not_written_again():
    made = []

    def make():
        with suppress(ZeroDivisionError), transaction.atomic():
            made.append(make_club().name)
            raise ZeroDivisionError
        return 1

    for _time in range(2):
        recorder.played("undone", [], make)
    assert len(made) == 2
