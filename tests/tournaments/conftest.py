"""What tests in several rooms begin with."""

from __future__ import annotations

from datetime import date
from io import BytesIO

import pytest

from core.pdf import render
from tests.factories import made_once
from tests.tagged import Tagged
from tests.tournaments.seasons.test_season import make_teams, play_round
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rulings import set_dates


@pytest.fixture(autouse=True)
def _pdfs_are_read_aloud():
    """Whatever PDF a test makes, of whatever kind: a screen reader finds in it what PDF/UA asks for.

    It does not use `monkeypatch`, which turns `tests.tape` off: no stored row depends on this.
    """
    write, fitting = render.write, render.fitting

    def write_and_look(pages, title, target, *, folded=False, tell=None):
        write(pages, title, target, folded=folded, tell=tell)
        # What is folded is for the printer; the same pages unfolded are for who has them read aloud.
        if not folded:
            assert Tagged(target).faults() == []

    def fit_and_look(variants, title):
        data = fitting(variants, title)
        assert Tagged(BytesIO(data)).faults() == []
        return data

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "write", write_and_look)
        patch.setattr(render, "fitting", fit_and_look)
        yield


@pytest.fixture
def five_teams(club, by_alice):
    """Five teams, one with a reserve: one round played, one running, the rest to come."""
    return made_once("five teams", [club, by_alice["account"]], lambda: _five_teams(club, by_alice))


def _five_teams(club, by):
    tournament = make_teams(club, by, teams=5, reserves=[1], date=date(2026, 9, 1))
    first, second, *_more = tournament.rounds.order_by("number")
    set_dates(tournament, {1: date(2026, 9, 1)}, **by)
    play_round(first, by)
    close_round(first, **by)
    start_round(second, **by)
    return tournament
