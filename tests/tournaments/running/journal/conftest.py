"""A stick to write the journal to, in a data folder of its own."""

from __future__ import annotations

import pytest

from core.journal import triggers
from core.journal.places import Folder
from core.journal.writer import Follower


@pytest.fixture(autouse=True)
def _taken_down(settings, tmp_path):
    settings.DATA_DIR, settings.TIME_ZONE = (
        tmp_path / "data",
        "Europe/Copenhagen",
    )  # whose days files are named by
    settings.DATA_DIR.mkdir()
    settings.JOURNAL = str(tmp_path / "stick")
    (tmp_path / "stick").mkdir()
    yield
    triggers.take_down()


@pytest.fixture
def stick(tmp_path):
    return Folder(tmp_path / "stick")


@pytest.fixture
def follower(stick):
    return Follower(stick)
