"""What people talk about afterwards: games, runs, the deal of the evening, touts and the pace."""

from __future__ import annotations

from tournaments.standings.story import (
    Counted,
    Games,
    Pace,
    StoryDeal,
    Tempo,
    count,
    deal_of_the_evening,
    dearest_game,
    longest_run,
    tempo,
    touts,
)

ANNA, BO, CARL = 1, 2, 3


def game(number, declarer, tokens, contract="solo", **more):
    others = [player for player in (ANNA, BO, CARL) if player != declarer]
    paid = dict.fromkeys(others, -tokens // 2)
    return StoryDeal(
        1,
        1,
        number,
        {declarer: tokens} | paid,
        contract=contract,
        declarer=declarer,
        is_won=tokens > 0,
        **more,
    )


PASSED = StoryDeal(1, 1, 9, {ANNA: 0, BO: 0, CARL: 0}, is_passed=True)
RULED = StoryDeal(1, 1, 10, {ANNA: 40, BO: -20, CARL: -20})
TOTALS = StoryDeal(1, 2, 40, {ANNA: 90, BO: -45, CARL: -45}, is_totals_only=True)
UNTOLD = (PASSED, RULED, TOTALS)


def test_deals_are_counted_by_what_they_were_contracts_in_the_order_of_the_rules():
    deals = (
        game(1, BO, 4),
        game(2, BO, -4),
        game(3, BO, -8),
        game(4, ANNA, 2, "game"),
        *UNTOLD,
    )
    assert count(deals, ["game", "nolo", "solo"]) == Counted(
        deals=6,
        passed=1,
        ruled=1,
        tables_unknown=1,
        contracts={"game": Games(1, 1), "solo": Games(3, 1)},
    )
    assert list(count(deals, ["game", "nolo", "solo"]).contracts) == ["game", "solo"]
    assert count(deals, []).declared == Games(4, 2)
    assert count((), []).declared == Games()


def test_a_run_is_of_ones_own_games_whatever_lay_between_and_ends_with_a_loss():
    deals = (
        game(1, BO, 2),
        game(2, ANNA, -2),
        PASSED,
        game(3, BO, 2),
        game(4, BO, -2),
        game(5, BO, 2),
        game(6, ANNA, 2),
    )
    assert longest_run(deals) == ([BO], 2)
    assert longest_run((game(1, BO, 2), game(2, ANNA, 2))) == ([BO, ANNA], 1)
    assert longest_run((game(1, BO, -2), *UNTOLD)) == ([], 0)


def test_the_deal_of_the_evening_moved_the_most_tokens_and_was_a_game():
    first, dearest, same = game(1, BO, 6), game(2, ANNA, -10), game(3, CARL, 10)
    deals = (first, dearest, same, *UNTOLD)
    assert deal_of_the_evening(deals) == dearest
    assert dearest.turnover == 20
    assert dearest_game(deals) == dearest
    assert (deal_of_the_evening(UNTOLD), dearest_game((first, *UNTOLD))) == (None, None)


def test_touts_are_told_of_who_made_most_of_them_first():
    deals = (game(1, BO, 6, tout="won"), game(2, ANNA, 6, tout="won"), game(3, ANNA, 6, tout="won"))
    assert list(touts((*deals, game(4, CARL, -6, tout="failed"))).items()) == [(ANNA, 2), (BO, 1)]


def test_the_pace_is_of_tables_that_reported_as_they_played():
    slow, quick = Pace(1, 1, 3900, 20), Pace(1, 2, 2400, 20)
    typed, too_few, with_a_meal = Pace(1, 3, 60, 39), Pace(1, 4, 400, 4), Pace(1, 5, 9000, 9)
    assert tempo((slow, quick, typed, too_few, with_a_meal)) == Tempo(157.5, quick, slow)
    assert tempo((slow,)) == Tempo(195.0, None, None)
    assert tempo((typed, too_few, with_a_meal)) is None
