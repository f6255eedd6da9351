"""Two evenings of four people, as their pages over the years have them; and a disk that nobody waits for."""

import pytest

from tests.tournaments.hall.years.conftest import chairs, evenings, people, play
from tournaments.published import placing

__all__ = ["chairs", "evenings", "people", "play"]


@pytest.fixture(autouse=True)
def _no_power_cut(monkeypatch):
    """A test's site need not outlive a power cut, and all disks of the machine would be waited for."""
    monkeypatch.setattr(placing, "bring_all_to_disk", lambda _folder: None)
