"""Where one mark alone is asked for, a file is read in if a test in it may have that mark, and no other is."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from tests import marked
from tests.marked import is_left_out, of_another_database, unsaid

PLAIN = "def test_it(db):\n    pass\n"
SAYING = {
    "databases": [
        "pytestmark = pytest.mark.databases\n",
        "@pytest.mark.postgresql\n",
        "@pytest.mark.django_db(transaction=True)\n",
        "def test_it(transactional_db):\n",
        "def test_it(live_server):\n",
    ],
    "slow": ["@pytest.mark.slow\n", "    pytest.param(pool, marks=pytest.mark.slow)\n"],
}


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A folder of tests, of a tree whose own conftest.py says every mark."""
    monkeypatch.setattr(marked, "TOP", tmp_path)
    (tmp_path / "conftest.py").write_text("databases slow")
    room = tmp_path / "room"
    room.mkdir()
    return room


@pytest.mark.parametrize(("mark", "said"), [(mark, said) for mark, lines in SAYING.items() for said in lines])
def test_a_file_is_read_in_that_says_the_mark_or_lies_below_what_says_it(mark, said, room):
    file = room / "test_it.py"
    file.write_text(PLAIN)
    assert is_left_out(file, mark)
    assert not is_left_out(file, "")
    assert not is_left_out(file, f"not {mark}")
    file.write_text(said + PLAIN)
    assert not is_left_out(file, mark)
    file.write_text(PLAIN)
    (room / "conftest.py").write_text(said)
    assert not is_left_out(file, mark)
    assert not is_left_out(room / "conftest.py", mark)


@pytest.mark.parametrize("mark", SAYING)
def test_a_mark_that_its_file_does_not_say_is_found(mark, room):
    file = room / "test_it.py"
    test = SimpleNamespace(path=file, get_closest_marker=lambda name: name == mark)
    file.write_text(SAYING[mark][0])
    assert unsaid([test]) == []
    file.write_text(PLAIN)
    assert unsaid([test]) == [f"{file}: {mark}"]


def test_what_is_of_one_database_alone_is_left_out_on_the_other():
    tests = {
        mark: SimpleNamespace(get_closest_marker=mark.__eq__)
        for mark in ("sqlite", "postgresql", "databases")
    }
    for vendor, other in (("sqlite", "postgresql"), ("postgresql", "sqlite")):
        assert of_another_database(tests.values(), vendor) == [tests[other]]


def test_no_test_is_skipped_or_expected_to_fail():
    skips = re.compile(r"pytest\.(skip|importorskip|xfail)|mark\.(skip|xfail)")
    assert [file for file in marked.TOP.rglob("*.py") if skips.search(file.read_text("utf-8"))] == []


def test_every_test_that_runs_now_has_its_marks_said_in_its_file_or_above(request):
    """A mark may come by a fixture that is taken from another folder: where it is asked for, its test was missed."""
    assert unsaid(request.session.items) == []
