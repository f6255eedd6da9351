"""A player's deals counted: each is one thing, and together they bring the tokens of the seat."""

from __future__ import annotations

import pytest

from scoring import get_rulebook
from scoring.seats import Role
from tests.factories import first_table, make_tournament, report
from tournaments.demo.play import results
from tournaments.ledger import Author
from tournaments.ledger.queries import rulebook_of
from tournaments.models import Entry, Seat
from tournaments.standings.statistics import Tally, deals_of, running_totals, statistics


def counted(entry):
    return statistics(deals_of(entry), rulebook_of(entry.tournament).contracts)


def sitting(table):
    return [seat.entry for seat in table.seats.order_by("position")]


def game(declarer, outcome="won", **more):
    return {"contract": "simple_game", "declarer": declarer, "trump": "H", "outcome": outcome} | more


@pytest.fixture
def union_table(club):
    """A table of four in the union's rules: position 0 deals, 1 leads, 2 sits out, 3 is middlehand."""
    return first_table(make_tournament(4, club=club))


@pytest.mark.parametrize(
    ("result", "kinds"),
    [
        ({"all_passed": True}, ["washed_out", "washed_out", "sat_out", "washed_out"]),
        (game(1), ["defended", "declared", "sat_out", "defended"]),
        (game(0, "bete"), ["declared", "defended", "sat_out", "defended"]),
    ],
)
def test_a_deal_is_one_thing_to_each_player(union_table, result, kinds):
    assert report(union_table, 1, result).status == "accepted"
    assert [deals_of(entry)[0].kind for entry in sitting(union_table)] == kinds


def test_a_ruling_is_neither_declared_nor_defended(union_table, alice):
    answer = report(
        union_table, 1, {"ruled": [3, -1, -1, -1]}, author=Author("desk", alice), reason="wrong cards"
    )
    assert answer.status == "accepted"
    statistics = [counted(entry) for entry in sitting(union_table)]
    assert [line.ruled for line in statistics] == [Tally(1, 3), Tally(1, -1), Tally(1, -1), Tally(1, -1)]
    assert {line.declared.deals + line.defended.deals + line.sat_out.deals for line in statistics} == {0}


def test_who_joins_a_nolo_is_counted_as_joining_it(club):
    table = first_table(make_tournament(4, club=club, rulebook="rasle"))
    nolo = {"contract": "simple_nolo", "declarer": 1, "tricks": {"1": 0, "2": 1}, "joined": [2]}
    assert report(table, 1, nolo).status == "accepted"
    declarer, joiner = sitting(table)[1:3]
    assert counted(declarer).declared.won == 1
    assert (counted(joiner).joined.deals, counted(joiner).sat_out.deals) == (1, 0)


def test_declared_games_are_listed_by_contract_in_the_order_of_bidding(union_table):
    solo = {"contract": "solo", "trump": "H"}
    report(union_table, 1, solo | {"declarer": 1, "outcome": "kodille"})
    report(union_table, 2, game(1, "bete"))
    report(union_table, 3, game(1))
    numbers = counted(sitting(union_table)[1])
    assert list(numbers.contracts) == ["simple_game", "solo"]
    lines = [(line.deals, line.won, line.bete, line.kodille) for line in numbers.contracts.values()]
    assert lines == [(2, 1, 1, 0), (1, 0, 0, 1)]
    assert (
        numbers.declared.deals,
        numbers.declared.won,
        numbers.declared.bete,
        numbers.declared.kodille,
    ) == (3, 1, 1, 1)
    assert numbers.declared.tokens == sum(line.tokens for line in numbers.contracts.values())


def test_touts_tried_and_made(union_table):
    report(union_table, 1, game(1, tout="won"))
    report(union_table, 2, game(1, "bete", tout="failed"))
    report(union_table, 3, game(1))
    numbers = counted(sitting(union_table)[1])
    assert (numbers.touts_tried, numbers.touts_made) == (2, 1)


def test_seats_are_counted_by_role(union_table):
    for deal in (1, 2, 3, 4):
        report(union_table, deal)
    assert {role.value: line.deals for role, line in counted(sitting(union_table)[0]).roles.items()} == {
        "FH": 1,
        "MH": 1,
        "BH": 1,
        "IDLE": 1,
    }


def test_a_deal_taken_back_does_not_count(union_table):
    report(union_table, 1, game(1))
    report(union_table, 1, game(1, "bete"), base=1, reason="misread")
    report(union_table, 2, game(2))
    record = Seat.objects.get(table=union_table, position=1)
    assert [deal.tokens for deal in deals_of(record.entry)] == [-2, -1]
    assert running_totals(deals_of(record.entry)) == [0, -2, -3]


def test_averages_are_by_the_deal_and_nothing_for_none():
    assert (Tally(4, -2).average, Tally().average) == (-0.5, 0.0)


@pytest.mark.parametrize("rulebook", ["union", "rasle"])
@pytest.mark.parametrize("players", [3, 4])
def test_all_sorts_together_are_all_deals_and_the_tokens_of_the_seat(club, rulebook, players):
    tournament = make_tournament(players, club=club, rulebook=rulebook)
    table = first_table(tournament)
    played = results(get_rulebook(rulebook), players, table.deals, seed=players)
    for deal, result in enumerate(played, start=1):
        assert report(table, deal, result).status == "accepted"
    for seat in Seat.objects.filter(table=table):
        numbers = counted(seat.entry)
        sorts = (numbers.declared, numbers.defended, numbers.joined, numbers.sat_out, numbers.ruled)
        assert sum(sort.deals for sort in sorts) + numbers.washed_out == numbers.deals == table.deals
        # By some rules, who sits out may join a nolo.
        joined = sum(one.kind == "joined" and one.role is Role.IDLE for one in deals_of(seat.entry))
        assert numbers.sat_out.deals + joined == numbers.roles.get(Role.IDLE, Tally()).deals
        assert numbers.tokens == seat.tokens == running_totals(deals_of(seat.entry))[-1]
        assert sum(line.tokens for line in numbers.roles.values()) == seat.tokens


@pytest.mark.parametrize("deals", [1, 3])
def test_a_players_deals_take_three_queries_however_many(union_table, deals, django_assert_num_queries):
    for deal in range(1, deals + 1):
        report(union_table, deal)
    entry = Entry.objects.get(pk=sitting(union_table)[0].pk)
    with django_assert_num_queries(3):
        counted_deals = deals_of(entry)
    assert len(counted_deals) == deals
