"""Bots that bid, name, exchange and play whole deals by every rulebook and option.

`next_step(state)` is what the player to act does; it decides by a `Seen`, which is all that this player knows.
Chance has no part in it: the same cards are always played alike. To judge a hand, a bot works out about how
many tricks it wins (`hands`), how likely that makes each contract (`chances`), and what that is worth (`bidding`).

In 20,000 deals each at the rules' own options, of a hundred deals (`python -m tests.bench bots` counts anew):

    union, 4 players    simple game 39, spade game 20, solo 13, tourné 12, simple nolo 5, grand tourné 3, spade solo 3,
                        pure nolo 1.6, nolo ouvert 0.4, passed out 2.4; a tout in 0.4; the declarer wins 66
    rasle, 4 players    simple game 41, spade game 20, solo 11, tourné 10, simple nolo 7, grand tourné 3, spade solo 3,
                        pure nolo 1.2, nolo ouvert 0.5, passed out 2.4; a tout in 0.4; the declarer wins 67
    crocodile           play 40, tournee 28, solo 19, exchange nolo 6, nolo 5, grandissimo 1.3, tournee respect 0.7,
                        nolo ouvert 0.4, casco 0.2, grand 0.2; the declarer wins 67
    renegado, 4 players entrada 65, vuelta 18, solo 15, voltereta 1.4, gascarola 1, contrabola 0.1; the declarer wins 67
    ombre_two           ombre 88, passed out 12; the declarer wins 53
    ombre_five          ask leave 94, solo 0.2, passed out 6; the declarer wins 71
"""

from scoring.bots.deals import Played, deal_json, play_deal, play_round
from scoring.bots.player import next_step

__all__ = ["Played", "deal_json", "next_step", "play_deal", "play_round"]
