"""What is played at a table of bots is what is played in a club, and comes out as there."""

from collections import Counter

import pytest

from scoring import get_rulebook
from scoring.bots import play_round

DEALS = 600


@pytest.mark.slow
def test_a_table_of_bots_plays_like_a_club():
    deals = list(play_round(get_rulebook("union"), 4, DEALS, seed=1))
    played = Counter(deal.result.contract for deal in deals if not deal.result.all_passed)
    won = sum(deal.settlement.outcome == "won" for deal in deals)
    touts = sum(deal.result.tout is not None for deal in deals)
    assert 0.08 < 1 - played.total() / DEALS < 0.18
    assert 0.65 < won / played.total() < 0.78
    assert played.most_common(1)[0][0] == "simple_game"
    low = sum(played[name] for name in ("simple_game", "spade_game", "tourne", "simple_nolo", "grand_tourne"))
    assert low > 0.7 * played.total()
    assert played["nolo_ouvert"] + touts < 0.02 * DEALS
    assert set(played) >= {"simple_game", "spade_game", "tourne", "grand_tourne", "simple_nolo", "solo"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rulebook", "players"),
    [("union", 4), ("rasle", 4), ("renegado", 3), ("ombre_two", 2), ("ombre_intro", 3)],
)
def test_who_bids_what_is_bid_often_wins_by_it(rulebook, players):
    """A player who knows his hand does not bid what loses on the whole."""
    tokens, times = Counter(), Counter()
    for deal in play_round(get_rulebook(rulebook), players, DEALS, seed=2):
        result = deal.result
        if result.declarer and not result.takeover:
            position = deal.state.table.seating.position_of(result.declarer)
            tokens[result.contract] += deal.settlement.tokens[position]
            times[result.contract] += 1
    often = [contract for contract, count in times.items() if count >= DEALS / 10]
    assert often
    assert all(tokens[contract] > 0 for contract in often), tokens


@pytest.mark.slow
def test_who_has_had_enough_gives_up_and_who_can_win_takes_over():
    union = Counter(deal.result.abandoned for deal in play_round(get_rulebook("union"), 4, DEALS, seed=3))
    assert 0.005 < union[True] / DEALS < 0.06
    given_up = [
        deal for deal in play_round(get_rulebook("renegado"), 3, DEALS, seed=3) if deal.result.abandoned
    ]
    taken_over = [deal for deal in given_up if deal.result.takeover]
    assert 0.01 < len(given_up) / DEALS < 0.08
    assert len(taken_over) > len(given_up) / 3
    assert sum(deal.settlement.outcome == "won" for deal in taken_over) > len(taken_over) / 2


@pytest.mark.slow
def test_two_players_rarely_pass_out_and_the_declarer_wins_more_often_than_not():
    deals = list(play_round(get_rulebook("ombre_two"), 2, 2 * DEALS, seed=4))
    played = [deal for deal in deals if not deal.result.all_passed]
    assert 0.1 < 1 - len(played) / len(deals) < 0.22
    won = sum(deal.settlement.outcome == "won" for deal in played)
    assert 0.5 < won / len(played) < 0.62


@pytest.mark.slow
def test_a_grand_is_bid_on_hands_that_win_it_as_often_as_not():
    deals = play_round(get_rulebook("rasle", {"grand": True}), 4, 6 * DEALS, seed=11)
    grands = [deal for deal in deals if deal.result.contract == "grand"]
    assert len(grands) > DEALS / 20
    assert sum(deal.settlement.outcome == "won" for deal in grands) >= 0.48 * len(grands)


@pytest.mark.slow
def test_kaske_is_left_alone_with_a_hand_that_takes_the_kings_out_of_the_talon():
    deals = list(play_round(get_rulebook("rasle", {"kaske": True}), 3, 3 * DEALS, seed=12))
    kaskes = [deal for deal in deals if deal.result.contract == "kaske"]
    passed = [deal for deal in deals if deal.result.all_passed]
    assert len(passed) > 0.05 * (len(kaskes) + len(passed))
    assert sum(deal.settlement.outcome == "won" for deal in kaskes) > 0.6 * len(kaskes)


@pytest.mark.slow
def test_some_touts_are_won_and_some_fail():
    touts = Counter(deal.result.tout for deal in play_round(get_rulebook("union"), 4, 6 * DEALS, seed=11))
    assert touts["won"] > 0
    assert touts["failed"] > 0
    assert touts["won"] + touts["failed"] < 0.01 * 6 * DEALS
