"""Deals played call by call and card by card.

A `Deal` is an immutable value: rulebook, seating, hands, talon and steps. It can be dealt from a seed, replayed up to
its first illegal step, and written as text. A `State` is a deal at one moment, which bots and the referee work with:

>>> from scoring import get_rulebook
>>> from scoring.game import Act, Deal, Phase, Step
>>> from scoring.seats import Role, Seating
>>> state = Deal.dealt(get_rulebook("union"), Seating(players=4, dealer=0), seed=7).start()
>>> state.phase is Phase.AUCTION, state.to_act is Role.FH
(True, True)
>>> [(step.act.value, step.value) for step in state.legal_calls()][:2]
[('pass', None), ('bid', 'simple_game')]
>>> state = state.after(Step(Role.FH, Act.BID, "simple_game"))
>>> state.after(Step(Role.MH, Act.BID, "tourne"))
Traceback (most recent call last):
    ...
scoring.game.steps.IllegalStep: step 2, MH bid: bid_not_lowest (union §9.4)

- `state.to_act` is the role whose turn it is, None when the deal is over; `state.phase` its phase.
- `state.legal_steps()` yields every legal step of that role, in any phase. In exchanges these are all sets of
  cards that may be discarded (hundreds); a bot uses `state.limits()`, the least and the most cards,
  and discards with `Step(role, Act.EXCHANGE, cards)`, or `Act.LAY_OFF` where `state.ask` is `Ask.LAY_OFF`.
- `state.legal_calls()` and `state.legal_cards()` are the legal calls and cards.
- `state.after(step)` is the next state, or raises IllegalStep; `state.problem_of(step)` is the problem, or None.
- `state.view(role)` is what that player knows: own hand, cards seen, numbers of cards of the others.
- `state.result()` is the DealResult to settle, when `state.over`; `deal_of(state)` the deal with its steps.

Steps by phase:

- auction: PASS, BID contract, SELF (equals the last bid)
- definition: DEFINE contract (where there is a choice), TRUMP suit or `sans`, KING card, PROMISE bonus bid or NO
- exchange: EXCHANGE cards (in a tourné the turned card is the first that is drawn), LAY_OFF cards of too many,
  OFFER the second defender to go first or NO, ACCEPT or NO, JOIN a nolo or NO, draw ONE_MORE card or NO
- play: PLAY card, ANNOUNCE `tout` or `first_five`, GIVE_UP, STOP where the outcome is clear; TAKE_OVER or NO,
  ACCEPT or NO in answer to a surrender

`write_deal(deal)` and `read_deal(text)` write a deal as text and parse it; see `scoring.game.deal`.
"""

from scoring.game.auction import Auction, Status
from scoring.game.deal import Deal, State, UnreadableDeal, WrongCards, deal_of, read_deal, write_deal
from scoring.game.position import Phase, View
from scoring.game.steps import SANS, Act, Ask, Holdings, IllegalStep, Step

__all__ = [
    "SANS",
    "Act",
    "Ask",
    "Auction",
    "Deal",
    "Holdings",
    "IllegalStep",
    "Phase",
    "State",
    "Status",
    "Step",
    "UnreadableDeal",
    "View",
    "WrongCards",
    "deal_of",
    "read_deal",
    "write_deal",
]
