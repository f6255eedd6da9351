"""Draws, late fourths, mended tables, starts taken back, calls and rulings in any order: the seats stay whole."""

from __future__ import annotations

import random

import pytest
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import make_tournament
from tests.tournaments.lifecycle.test_odd_numbers import Organiser
from tournaments.exports.verify.recount import differences
from tournaments.ledger.table_actions import raise_flag
from tournaments.lifecycle.drawing import discard_draw, draw
from tournaments.lifecycle.playing import start_round, take_start_back
from tournaments.lifecycle.round_repair import mend_tables
from tournaments.lifecycle.rulings import penalise
from tournaments.lifecycle.seat_changes import sit_at_threes
from tournaments.lifecycle.seat_plan import seat_plan
from tournaments.models import Flag, Table


class BusyOrganiser(Organiser):
    STEPS = (*Organiser.STEPS, "fourth", "mend", "take_back", "discard", "call", "rule", "choose")

    def does(self, step):
        getattr(self, step)()
        self.done.add(step)
        self.tournament.refresh_from_db()

    def fourth(self):
        sit_at_threes(self.anybody(), **self.how)

    def mend(self):
        mend_tables(self.anybody(), **self.how)

    def in_state(self, state):
        found = self.tournament.rounds.filter(state=state).order_by("number").first()
        if found is None:
            raise NotPossible("no round")
        return found

    def start(self):
        start_round(self.in_state("drawn"), **self.how)

    def take_back(self):
        take_start_back(self.in_state("running"), **self.how)

    def discard(self):
        discard_draw(self.tournament, **self.how)

    def call(self):
        for table in Table.objects.filter(round__tournament=self.tournament, round__state="running")[:1]:
            raise_flag(table, Flag.Kind.CALL, deal=None, words="", now=self.how["now"])

    def rule(self):
        penalise(self.anybody(), tokens=-2, reason="slip", round_=self.a_round(), **self.how)

    def choose(self):
        draw(self.tournament, seed=None, even_threes=self.rnd.choice([True, False]), **self.how)


def assert_seats_are_whole(tournament):
    for planned in seat_plan(tournament):
        sitting = [seat.entry for _table, chairs in planned.seated for seat in chairs if seat]
        assert len(sitting) == len(set(sitting))
        for table, chairs in planned.seated:
            assert len(chairs) == 4, (planned.round.number, table.number)
            positions = [seat.position for seat in chairs if seat]
            assert positions == list(range(len(positions)))
            assert len(positions) in (3, 4)
            if planned.round.is_drawn:
                assert table.deals == tournament.deals_for(len(positions))


@pytest.mark.slow
@pytest.mark.usefixtures("hasty_draws")
@pytest.mark.parametrize(
    ("mode", "players", "seed"),
    [("whole", 13, 0), ("whole", 10, 1), ("standings", 11, 0), ("by_round", 9, 0)],
)
def test_whatever_is_done_next_everybody_has_one_chair_and_the_recount_agrees(
    as_alice, alice, mode, players, seed
):
    tournament = make_tournament(players, 4, account=alice, draw_mode=mode, drawn=False, deals_per_round=4)
    organiser = BusyOrganiser(tournament, alice, random.Random(f"{mode} {seed}"))
    for step in ("draw", "start", "call", "rule", "take_back", "discard", "draw"):
        organiser.does(step)
    for _step in range(25):
        organiser.does_something()
        assert_seats_are_whole(tournament)
    assert list(differences(tournament)) == []
    assert len(organiser.done) > len(organiser.STEPS) / 2
    for name in ("desk_draw", "desk_draw_explained", "desk_board", "desk_tournament"):
        assert as_alice.get(reverse(name, args=[tournament.code])).status_code == 200
