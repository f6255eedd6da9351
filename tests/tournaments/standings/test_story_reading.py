"""An evening read for its story: what its deals' reports say, by whichever database."""

from __future__ import annotations

import pytest

from tests.factories import first_table, make_tournament, report
from tournaments.standings.story_data import evening_of

TOUT = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won", "tout": "won"}


@pytest.mark.databases
@pytest.mark.django_db
def test_a_tout_is_known_of_the_deal_it_was_made_in():
    tournament = make_tournament(4)
    for deal, result in ((1, TOUT), (2, None)):
        assert report(first_table(tournament), deal, result).status == "accepted"
    told = evening_of(tournament, frozenset()).deals
    assert [(deal.number, deal.tout, deal.is_passed) for deal in told] == [(1, "won", False), (2, "", True)]
