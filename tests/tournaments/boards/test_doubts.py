"""Results that the cards make impossible or nearly so: the desk alone is asked, once the round is over."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from core.jobs.models import Job
from core.jobs.queue import run_now
from scoring.game import Deal
from scoring.rulebooks import get_rulebook
from scoring.seats import Role, Seating
from scoring.solver import CannotSolveError, range_of_tricks
from tests.evenings import close_round, play_folders
from tests.factories import first_round, make_tournament, report, tables_of
from tests.pages import words_at
from tests.tournaments.boards.conftest import known_range
from tournaments.boards import analysis
from tournaments.boards.analysis import deal_of, doubts_at, find_doubts
from tournaments.boards.dealing import deal_folder, dealer_seat
from tournaments.boards.folders import cards_of
from tournaments.lifecycle.playing import reopen_round
from tournaments.models import Flag

pytestmark = pytest.mark.django_db
UNION = get_rulebook("union")


@pytest.fixture
def evening(club, alice, known_cards, monkeypatch):
    """Two tables with three folders; each table's contracts of the analysis itself are left out, which takes long."""
    monkeypatch.setattr(analysis, "analyse", lambda _rulebook, _folder: [])
    return make_tournament(
        8, club=club, account=alice, boards=True, board_sets=2, deals_per_round=4, deals_at_three=3
    )


def best_of(folder, role):
    """A suit in which this seat may play solo, and the tricks of best play."""
    for suit in "SHDC":
        try:
            found = known_range(deal_of(UNION, folder), role, UNION.by_id["solo"], suit, seed=folder.number)
        except CannotSolveError:
            continue
        if found:
            return suit, found
    raise AssertionError("no solo is possible")


def closed_with(evening, alice, tricks_of):
    """The round closed after the first table's first deal was a solo of the first seat with these tricks."""
    table, *others = tables_of(evening)
    for other in others:
        play_folders(other)
    folder = cards_of(evening.board_sets_dealt.get())[table.folders[0] - 1]
    position = UNION.seating(4, dealer_seat(folder.number, 4)).positions[Role.FH]
    suit, best = best_of(folder, Role.FH)
    tricks = tricks_of(best)
    outcome = "won" if tricks > 4 else "kodille"
    result = {"contract": "solo", "declarer": position, "trump": suit, "outcome": outcome}
    answer = report(table, 1, result | {"tricks": {str(position): tricks}}, asked=True)
    assert answer.status == "accepted"
    for deal in (2, 3, 4):
        report(table, deal)
    close_round(evening, alice)
    run_now(Job.objects.get(kind="folders"))
    return table, best


def far_from(best):
    return 9 if best.most <= 6 else 0


def test_nine_tricks_where_best_play_makes_six_at_most_are_asked_about(evening, alice, as_alice):
    table, best = closed_with(evening, alice, far_from)
    (flag,) = doubts_at(first_round(evening)).filter(table=table, deal=1)
    assert flag.kind == Flag.Kind.RARE
    assert flag.about == {"cards": {"least": best.least, "most": best.most, "exchanges": best.solved}}
    said = words_at(as_alice, reverse("desk_table", args=[evening.code, 1, table.number]))
    assert f"With these cards best play makes {best.least} to {best.most} tricks" in said
    boards = words_at(as_alice, reverse("desk_boards", args=[evening.code]))
    assert f"Table {table.number}, deal 1" in boards


def test_it_is_asked_quietly_at_the_desk_alone(evening, alice, client, as_alice):
    table, _best = closed_with(evening, alice, far_from)
    for name, args in (
        ("hall_table", [evening.code, 1, table.number]),
        ("hall_folder", [evening.code, 1, table.folders[0]]),
        ("hall_boards", [evening.code]),
        ("captain_state", [table.secret]),
        ("captain", [table.secret]),
    ):
        assert "best play makes" not in client.get(reverse(name, args=args), follow=True).content.decode()


def test_who_has_looked_at_it_is_not_asked_again(evening, alice, as_alice):
    table, _best = closed_with(evening, alice, far_from)
    flag = doubts_at(first_round(evening)).get(table=table, deal=1)
    address = reverse("desk_settle_flag", args=[evening.code, 1, table.number, flag.pk])
    for _twice in range(2):
        assert as_alice.post(address, {"back": "table"}).status_code == 302
    flag.refresh_from_db()
    assert flag.settled_by == "Alice"
    assert "Table 1, deal 1" not in words_at(as_alice, reverse("desk_boards", args=[evening.code]))


def test_a_round_opened_again_is_asked_nothing_about(evening, alice):
    closed_with(evening, alice, far_from)
    reopen_round(first_round(evening), reason="a slip was found", account=alice, now=timezone.now())
    assert not doubts_at(first_round(evening)).exists()


def test_what_best_play_makes_is_not_asked_about(evening, alice):
    table, _best = closed_with(evening, alice, lambda best: best.most)
    assert not doubts_at(first_round(evening)).filter(table=table, deal=1).exists()


# Without a database: what a line is compared by.


def line_with(result, role=Role.FH, outcome="won"):
    class Place:
        position = 1

    Place.role = role

    class Reported:
        deal_number, table_id, declarer = 1, 1, 1

    Reported.result, Reported.outcome = result, outcome

    class Played:
        report, places = Reported(), (Place(),)

    return Played()


SOLO = {"contract": "solo", "declarer": 1}


@pytest.mark.parametrize(
    "result",
    [
        None,
        {},
        {"all_passed": True},
        SOLO,  # without trump
        SOLO | {"trump": "Z", "tricks": {"1": 9}},
        SOLO | {"trump": "H", "tricks": {"1": 9}, "abandoned": True},
        {"contract": "whist", "declarer": 1, "tricks": {"1": 9}},
        {"contract": "simple_nolo", "declarer": 1, "joined": [2], "tricks": {"1": 9}},
    ],
    ids=str,
)
def test_what_cannot_be_compared_is_not_asked_about(result):
    assert find_doubts(UNION, deal_folder("5eed", 1), [line_with(result)]) == []


def test_an_outcome_alone_is_compared_by_the_tricks_that_it_allows():
    folder = next(
        folder
        for folder in (deal_folder("5eed", number) for number in range(1, 20))
        if best_of(folder, Role.FH)[1].most == 0
    )
    suit, _best = best_of(folder, Role.FH)
    (doubt,) = find_doubts(UNION, folder, [line_with(SOLO | {"trump": suit}, outcome="won")])
    assert doubt.most == 0
    assert find_doubts(UNION, folder, [line_with(SOLO | {"trump": suit}, outcome="kodille")]) == []


def test_the_range_is_of_best_play_and_the_same_for_the_same_seed():
    deal = Deal.dealt(UNION, Seating(4, 0), 1)
    solo = UNION.by_id["solo"]
    one, again = (range_of_tricks(deal, Role.BH, solo, "H", seed=3) for _twice in range(2))
    assert one == again
    assert 0 <= one.least <= one.most <= 9
    assert one.solved == 12
    assert one.by_outcome["won"][1] == 9
    assert range_of_tricks(deal, Role.BH, UNION.by_id["pure_nolo"], None).solved == 1


def test_where_time_runs_out_for_every_exchange_nothing_is_known():
    deal = Deal.dealt(UNION, Seating(4, 0), 1)
    assert range_of_tricks(deal, Role.BH, UNION.by_id["solo"], "H", limit=5) is None
