"""Bots that play whole deals by every rulebook and option: auction, exchange and cards.

`next_step(state)` is the step of the player whose turn it is; it uses a `Knowledge`, which has all that this player
knows. Bots are deterministic. They estimate the tricks of a hand and the chance of each contract (`hands`), and weigh
that with the price (`bidding`).

In 6,000 deals each at the rules' own options, per hundred deals (`python -m tests.bench bots` measures it again):

    union, 4 players    simple game 52, solo 12, spade game 7, tourné 6, simple nolo 3, spade solo 3, grand tourné 3,
                        pure nolo 1.6, nolo ouvert 0.3, passed out 12; given up 2; the declarer wins 70
    rasle, 4 players    simple game 54, solo 11, spade game 7, simple nolo 4, tourné 4, spade solo 3, grand tourné 2.5,
                        pure nolo 1.3, nolo ouvert 0.5, passed out 12; given up 2; the declarer wins 70
    crocodile           play 51, solo 19, tournee 18, exchange nolo 4, nolo 4, casco 1.7, grandissimo 1.1, grand 0.8,
                        nolo ouvert 0.5, tournee respect 0.1; conceded 2; the declarer wins 71
    renegado, 4 players entrada 64, solo 16, voltereta 8, vuelta 8, gascarola 4, contrabola 0.2; surrendered 3, two
                        thirds of it taken over; the declarer wins 69
    ombre_two           ombre 82, passed out 18; the declarer wins 57
    ombre_five          ask leave 93, solo 0.2, passed out 6; the declarer wins 71

With their options on, grand is 2 of a hundred and wins 51; kaske is taken in seven of eight deals that all have passed,
and wins 68. A tout is tried in 0.3, and fails nearly as often as it is won.

Bidding pays: every contract that is bid often wins tokens for its declarers on average.
"""

from scoring.bots.player import PlayedDeal, deal_json, next_step, play_deal, play_round

__all__ = ["PlayedDeal", "deal_json", "next_step", "play_deal", "play_round"]
