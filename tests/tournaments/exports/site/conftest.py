"""Two evenings of four people, as their pages over the years have them; and a disk that nobody waits for."""

import pytest

from tests.tournaments.hall.years.conftest import chairs, evenings, people, play
from tournaments.exports.site import publishing
from tournaments.exports.site.addresses import BRIEF
from tournaments.exports.site.fingerprints import MadeOf
from tournaments.exports.site.publishing import Wanted, publish

__all__ = ["chairs", "evenings", "people", "play"]

ENGLISH = Wanted(("en",), depth=BRIEF)


@pytest.fixture(autouse=True)
def _no_power_cut(patch_display):
    """A test's site need not outlive a power cut, and all disks of the machine would be waited for."""
    patch_display.setattr(publishing, "flush_folder_to_disk", lambda _folder: None)


@pytest.fixture
def site(evenings, tmp_path, patch_display):
    """Without the rules' texts, which are most of two small evenings, and hang on neither."""
    prints = MadeOf.prints
    patch_display.setattr(
        MadeOf,
        "prints",
        lambda asked: {unit: told for unit, told in prints(asked).items() if unit != "rules"},
    )
    folder = tmp_path / "site"
    publish(folder, ENGLISH)
    return folder
