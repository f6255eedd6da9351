"""Tests of the rooms start from tournaments that were made once: no fixture of all of them turns that off."""

from tests.tape import recorder


def test_what_was_made_before_is_written_again_in_every_room():
    assert recorder.is_on
