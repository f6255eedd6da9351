"""What is played at a table of bots is what is played in a club, and comes out as there."""

from collections import Counter

from scoring import get_rulebook
from scoring.bots import play_round

DEALS = 600


def test_a_table_of_bots_plays_like_a_club():
    deals = list(play_round(get_rulebook("union"), 4, DEALS, seed=1))
    played = Counter(deal.result.contract for deal in deals if not deal.result.all_passed)
    won = sum(deal.settlement.outcome == "won" for deal in deals)
    touts = sum(deal.result.tout is not None for deal in deals)
    assert 0.01 < 1 - played.total() / DEALS < 0.06
    assert 0.55 < won / played.total() < 0.72
    assert played.most_common(1)[0][0] == "simple_game"
    low = sum(played[name] for name in ("simple_game", "spade_game", "tourne", "simple_nolo", "grand_tourne"))
    assert low > 0.7 * played.total()
    assert played["nolo_ouvert"] + touts < 0.02 * DEALS
    assert set(played) >= {"simple_game", "spade_game", "tourne", "grand_tourne", "simple_nolo", "solo"}
