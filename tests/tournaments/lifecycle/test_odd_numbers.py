"""Any number of players by rulebooks with tables of their own size: drawn, or refused in words, and always whole."""

from __future__ import annotations

import random

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from scoring import get_rulebook
from tests.factories import first_round, make_player, make_tournament, report
from tests.tournaments.exports.test_transfer import forget
from tournaments.entries import entering
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.lifecycle import drawing, seat_changes
from tournaments.lifecycle.playing import close_round, reopen_round, start_round
from tournaments.lifecycle.seat_changes import swap_changes, take_seats
from tournaments.models import Round, Seat

BOOKS = ["crocodile", "ombre_two", "ombre_five"]
ROUNDS = 4


def check(tournament):
    """Every round seats everybody at most once, at tables that the rules seat."""
    sizes = set(get_rulebook(tournament.rulebook).players)
    for round_ in tournament.rounds.all():
        seated = list(Seat.objects.filter(round=round_).values_list("entry", flat=True))
        assert len(seated) == len(set(seated))
        for table in round_.tables.all():
            positions = sorted(table.seats.values_list("position", flat=True))
            assert len(positions) in sizes
            assert positions == list(range(len(positions)))
            assert table.deals == tournament.deals_for(len(positions))


@pytest.mark.slow
@pytest.mark.usefixtures("hasty_draws")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6, 7, 9, 11])
@pytest.mark.parametrize("rulebook", BOOKS)
def test_so_many_players_are_all_seated_alike_or_the_draw_says_why_not(alice, rulebook, players):
    tournament = make_tournament(players, ROUNDS, account=alice, rulebook=rulebook, drawn=False)
    try:
        drawing.draw(tournament, seed=3, account=alice, now=timezone.now())
    except NotPossible as refused:
        said = str(refused)
        assert players < min(get_rulebook(rulebook).players) or rulebook == "ombre_five", said
        assert not tournament.rounds.exists()
        return
    check(tournament)
    played = [entry.seats.count() for entry in tournament.entries.all()]
    assert max(played) - min(played) <= 1


class Organiser:
    """Does one thing after another, possible or not; what is not possible is said in words."""

    STEPS = (
        "draw",
        "withdraw",
        "bring_back",
        "substitute",
        "late",
        "swap",
        "deals",
        "start",
        "close",
        "reopen",
    )

    def __init__(self, tournament, account, rnd):
        self.tournament, self.rnd = tournament, rnd
        self.how = {"account": account, "now": timezone.now()}
        self.done = set()

    def does_something(self):
        step = self.rnd.choice(self.STEPS)
        try:
            getattr(self, step)()
            self.done.add(step)
        except NotPossible as refused:
            said = str(refused)
            assert said
        self.tournament.refresh_from_db()

    def anybody(self):
        return self.rnd.choice(list(self.tournament.entries.order_by("number")))

    def a_round(self):
        found = list(self.tournament.rounds.order_by("number"))
        if not found:
            raise NotPossible("no round")
        return self.rnd.choice(found)

    def draw(self):
        drawing.draw(self.tournament, seed=self.rnd.choice([None, 5]), **self.how)

    def withdraw(self):
        entering.withdraw(self.anybody(), reason="home", **self.how)

    def bring_back(self):
        entering.bring_back(self.anybody(), **self.how)

    def substitute(self):
        take_seats(self.anybody(), self.anybody(), **self.how)

    def late(self):
        club = self.tournament.host
        name = f"Late {self.tournament.entries.count()}"
        entry = entering.enter(self.tournament, make_player(name, club), club=club, **self.how)
        entering.check_in(entry, present=True, **self.how)

    def swap(self):
        round_ = self.a_round()
        first, second = self.rnd.sample(list(Seat.objects.filter(round=round_).order_by("pk")), 2)
        swap_changes(round_, first.entry.number)
        seat_changes.swap(round_, first, second, **self.how)

    def deals(self):
        for round_ in self.tournament.rounds.filter(state=Round.State.RUNNING):
            for table in round_.tables.select_related("round__tournament"):
                report(table, self.rnd.randrange(1, table.deals + 1))

    def start(self):
        start_round(self.a_round(), **self.how)

    def close(self):
        close_round(self.a_round(), force_reason="late", **self.how)

    def reopen(self):
        reopen_round(self.a_round(), reason="a slip", **self.how)


@pytest.mark.slow
@pytest.mark.usefixtures("hasty_draws")
@pytest.mark.parametrize(
    ("rulebook", "mode", "players"),
    [("crocodile", "whole", 7), ("ombre_two", "standings", 5), ("ombre_five", "lot", 11)],
)
def test_whatever_the_organiser_does_next_the_tournament_stays_whole(
    as_alice, alice, capsys, rulebook, mode, players
):
    tournament = make_tournament(
        players, ROUNDS, account=alice, rulebook=rulebook, drawn=False, draw_mode=mode,
        deals_per_round=20, deals_at_three=30,
    )  # fmt: skip
    organiser = Organiser(tournament, alice, random.Random(1))
    organiser.draw()
    start_round(first_round(tournament), **organiser.how)
    for _step in range(30):
        organiser.does_something()
        check(tournament)
    assert len(organiser.done) > len(organiser.STEPS) / 2
    for name in ("desk_tournament", "desk_draw", "desk_board", "hall", "standings", "seats", "projector"):
        assert as_alice.get(reverse(name, args=[tournament.code])).status_code == 200
    call_command("verify")
    assert "every total agrees" in capsys.readouterr().out
    text = export_tournament(tournament)
    forget(tournament)
    assert export_tournament(import_tournament(text)) == text
