"""A disk whose plug is pulled at any write of an evening: nothing answered is missing, nothing is half there.

`python -m tests.bench torn` pulls it after every single write of a longer evening.
"""

from __future__ import annotations

import pytest

from config.environment import SQLITE_OPTIONS
from tests.factories import make_tournament
from tests.faults.evening import ASK, an_evening, recorded
from tests.faults.torn import wrong_after

pytestmark = pytest.mark.sqlite


@pytest.mark.django_db(transaction=True)
def test_the_plug_may_be_pulled_at_any_write(alice, by_alice, tmp_path):
    evening = an_evening(make_tournament(4, deals_per_round=4), **by_alice)
    base, events, said = recorded(SQLITE_OPTIONS["init_command"], evening)
    tried, wrong = wrong_after(base, events, said, tmp_path, ask=ASK, every=15)
    assert wrong == []
    assert tried > 60
    # The log, and the database by its checkpoints.
    assert len({event.file for event in events if event.what == "write"}) == 2


@pytest.mark.django_db(transaction=True)
def test_a_database_that_answers_before_it_is_on_the_disk_would_be_found_out(alice, by_alice, tmp_path):
    evening = an_evening(make_tournament(4, deals_per_round=4), **by_alice)
    hasty = SQLITE_OPTIONS["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    base, events, said = recorded(hasty, evening)
    _tried, wrong = wrong_after(base, events, said, tmp_path, ask=ASK, every=60)
    assert any("missing" in each for each in wrong)
