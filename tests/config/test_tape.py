"""What many tests begin with is made once: only where a test may change the program is it made anew."""

from __future__ import annotations

from tests.tape import recorder


def test_what_was_made_before_is_played_again():
    assert recorder.is_on


def test_a_test_that_may_change_the_program_makes_all_anew(monkeypatch):
    assert not recorder.is_on
