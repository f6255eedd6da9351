"""The referee: is this allowed, why or why not by which paragraph, and what comes out.

Each question has a function that answers with a `Ruling`: problems with what was asked about, sentences that
say what follows and why, and everything that could be done now, each with its reason. Sentences are `Said`:
English texts with parameters, to be translated and filled in by whoever shows them.

>>> from scoring import get_rulebook
>>> from scoring.referee import answer_question, in_english
>>> union = get_rulebook("union")
>>> for line in in_english(answer_question("trick h: H7 / SA CA DK", union, players=3), union):
...     print(line)
♥7 is winning: it is the highest trump so far. (union §10.3)
♥7 was led, and a lower matador must follow it: ♣A. (union §2.4)
allowed: ♠A, ♣A
not ♦K: ♦K does not follow trumps. (union §2.4)
Trumps, from high to low: ♠A, ♥7, ♣A, ♥A, ♥K, ♥Q, ♥J, ♥2, ♥3, ♥4, ♥5, ♥6. (union §2.2)

- `rule_on_calls`: the calls so far; what may be called next, or who plays what
- `rule_on_definition`: what the winner of the auction may play
- `rule_on_exchange`: how many cards may be taken
- `rule_on_trick`: which cards may be played, and who wins
- `rule_on_deal`: a whole deal, up to the first step that is not allowed, or to what it comes to
- `rule_on_result`: what a deal comes to, who pays whom and why
- `answer_question`: the first four, from one line of text; `in_english` reads the answer out
"""

from scoring.referee.calls import CallsRuling, known_spadille, rule_on_calls, rule_on_definition
from scoring.referee.deals import DealRuling, rule_on_deal
from scoring.referee.english import deal_in_english, in_english, result_in_english
from scoring.referee.exchanging import rule_on_exchange
from scoring.referee.questions import (
    UnreadableQuestion,
    answer_question,
    call_of,
    calls_in_turn,
    is_question,
)
from scoring.referee.results import Payment, ResultRuling, rule_on_result
from scoring.referee.rulings import Card, Choice, Ruling, Said
from scoring.referee.tricks import Trick, TrickRuling, four_may_play, rule_on_trick

__all__ = [
    "CallsRuling",
    "Card",
    "Choice",
    "DealRuling",
    "Payment",
    "ResultRuling",
    "Ruling",
    "Said",
    "Trick",
    "TrickRuling",
    "UnreadableQuestion",
    "answer_question",
    "call_of",
    "calls_in_turn",
    "deal_in_english",
    "four_may_play",
    "in_english",
    "is_question",
    "known_spadille",
    "result_in_english",
    "rule_on_calls",
    "rule_on_deal",
    "rule_on_definition",
    "rule_on_exchange",
    "rule_on_result",
    "rule_on_trick",
]
