"""Results for rehearsals: what bots played, in a captain's few words."""

import pytest

from scoring import get_rulebook
from scoring.bots import play_round
from scoring.results import read_result
from scoring.rulebooks import rulebooks
from scoring.seats import Seating, dealer_of
from scoring.settlement import settle_at_table
from tournaments.demo.play import results

TABLES = [(rulebook.id, players) for rulebook in rulebooks() for players in rulebook.players]


@pytest.mark.parametrize(("rulebook", "players"), TABLES)
def test_a_result_settles_as_the_deal_that_was_played(rulebook, players):
    rules = get_rulebook(rulebook)
    reported = list(results(rules, players, 25, seed=4, first_dealer=1))
    played = list(play_round(rules, players, 25, seed=4, first_dealer=1))
    for deal, (result, told) in enumerate(zip(played, reported, strict=True), start=1):
        seating = Seating(players, dealer_of(deal, players, 1))
        read = read_result(told, seating, rules.roles_by_name)
        assert settle_at_table(read, seating, rules) == result.settlement


def test_a_plain_deal_is_reported_by_its_outcome():
    union = get_rulebook("union")
    fields = {name for result in results(union, 4, 40, seed=4) for name in result}
    assert fields <= {"contract", "declarer", "trump", "outcome", "all_passed", "tout", "abandoned"}


def test_tricks_are_reported_where_they_are_paid_for():
    rasle = get_rulebook("rasle")
    nolos = [result for result in results(rasle, 3, 120, seed=4) if result.get("contract") == "simple_nolo"]
    assert nolos
    for result in nolos:
        assert ("tricks" in result) is (result.get("outcome") is None)


def test_who_never_slips_plays_as_a_bot_and_who_slips_loses_to_them():
    union = get_rulebook("union")
    assert list(results(union, 4, 12, seed=4, strengths=[1] * 4)) == list(results(union, 4, 12, seed=4))

    def won(strengths):
        tokens = [0] * 4
        told = list(results(union, 4, 80, seed=4, strengths=strengths))
        assert told == list(results(union, 4, 80, seed=4, strengths=strengths))
        for deal, result in enumerate(told, start=1):
            seating = Seating(4, dealer_of(deal, 4))
            settled = settle_at_table(read_result(result, seating, union.roles_by_name), seating, union)
            tokens = [sum(both) for both in zip(tokens, settled.tokens, strict=True)]
        declared = [result["declarer"] for result in told if "declarer" in result]
        return tokens, [declared.count(position) for position in range(4)]

    strong, weak = (0, 2), (1, 3)
    tokens, declared = won([1, 0, 1, 0])
    assert min(tokens[position] for position in strong) > max(tokens[position] for position in weak)
    # What they declare moves with it.
    assert declared != won([1, 1, 1, 1])[1]
