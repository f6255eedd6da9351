"""What must hold of every deal that is played, worked out beside the engine where that can be done in a few lines."""

from collections import Counter

from scoring.cards import BASTA, SPADILLE
from scoring.family_rules import LHombreRules
from scoring.game import deal_of, read_deal, write_deal
from scoring.game.play import order_of_cards
from scoring.seats import PLAYING
from scoring.settlement import problems

FIRST_FIVE = 5


def broken(played, *, replay=True):
    """What is wrong with a deal that was played, in words; nothing, one hopes."""
    state = played.state
    found = [
        *_cards_lost(state),
        *_revokes(state),
        *_payments(played),
        *(f"the report has {found.code}" for found in _problems(played)),
    ]
    if state.contract is not None and isinstance(state.rulebook.house, LHombreRules) and not state.joined:
        found += _differs_from_play(played)
    if replay:
        found += _replayed_otherwise(played)
    return found


def _problems(played):
    state = played.state
    return [
        found
        for found in problems(played.result, state.table.seating, state.rulebook)
        if not found.is_warning
    ]


def _cards_lost(state):
    pack = sorted(state.rulebook.pack.cards)
    played = [card for trick in (*state.tricks, state.trick) for _role, card in trick]
    held = [card for hand in state.hands.values() for card in hand]
    laid = [card for cards in state.discards.values() for card in cards]
    if sorted({*played, *held, *laid, *state.talon}) != pack:
        yield "cards are lost"
    if len({*played, *held}) != len(played) + len(held):
        yield "a card is twice in play"
    casco = state.contract is not None and state.contract.exchange.from_discards
    if not casco and len(played) + len(held) + len(laid) + len(state.talon) != len(pack):
        yield "a card lies in two places"
    hand = state.rulebook.pack.hand
    # Who sits out has no hand; who gave up a joined nolo keeps his.
    if any(len(cards) != hand for cards in state.opening.values()):
        yield "not everybody began with a full hand"
    if any(len(trick) != len({role for role, _card in trick}) for trick in state.tricks):
        yield "somebody played twice to a trick"


def _revokes(state):
    """Who could not follow a suit has no card of it later, but matadors that were kept back."""
    if state.contract is None or not state.tricks:
        return
    order = order_of_cards(state)
    manille = next((card for card in order.matadors if card not in (SPADILLE, BASTA)), None)
    void = set()
    tricks = (*state.tricks, state.trick) if state.trick else state.tricks
    for number, trick in enumerate(tricks):
        if number and trick[0][0] is not state.winners[number - 1]:
            yield "who won a trick did not lead"
        led = order.suit[trick[0][1]]
        for role, card in trick:
            suit = order.suit[card]
            if (role, suit) in void and card not in (SPADILLE, BASTA, manille):
                yield f"{role} revoked with {card}"
            if suit != led:
                void.add((role, led))
            if number < len(state.winners) and role is not state.winners[number]:
                best = dict(trick)[state.winners[number]]
                if suit == order.suit[best] and order.strength[card] > order.strength[best]:
                    yield f"{card} did not win"


def _payments(played):
    state, settled = played.state, played.settlement
    rulebook = state.rulebook
    booked = Counter()
    for part in settled.parts:
        booked[part.payer] -= part.tokens
        booked[part.payee] += part.tokens
    if any(booked[position] != tokens for position, tokens in enumerate(settled.tokens)):
        yield "the parts do not add up"
    if rulebook.zero_sum and sum(settled.tokens) + settled.pool:
        yield "tokens come from nowhere"
    if not rulebook.zero_sum and played.result.declarer is not None:
        declarer = state.table.seating.position_of(played.result.takeover or played.result.declarer)
        if any(tokens for position, tokens in enumerate(settled.tokens) if position != declarer):
            yield "somebody else than the declarer scored"
    if played.result.pool is not None and played.result.pool + settled.pool < 0:
        yield "the pool owes tokens"


def _differs_from_play(played):
    """The outcome and the tout, from the tricks alone, where all were played."""
    state, settled = played.state, played.settlement
    contract, winners = state.contract, state.winners
    took = Counter(winners)
    declarer = took[state.declarer]
    if len(winners) == state.rulebook.pack.hand and not contract.wins_from:
        best = max(
            tricks
            for role, tricks in {**dict.fromkeys(PLAYING[3], 0), **took}.items()
            if role is not state.declarer
        )
        if contract.is_game:
            outcome = "won" if declarer > best else "bete" if declarer == best else "kodille"
        else:
            outcome = ("won", "bete")[declarer] if declarer < 2 else "kodille"
        one_four_four = declarer == 1 and best == 4 and contract.is_game
        if settled.outcome != outcome and not one_four_four:
            yield f"{settled.outcome} where play showed {outcome}"
    five = winners[:FIRST_FIVE] == (state.declarer,) * FIRST_FIVE
    led = five and len(winners) > FIRST_FIVE and (declarer == 9 or not contract.bids_beyond_five)
    tried = contract.is_game and (led or "tout" in state.announced)
    if settled.outcome != "won" and not state.rulebook.house.tout_counts_in_defeat:
        tried = False
    shown = ("tout_won" if declarer == state.rulebook.pack.hand else "tout_failed") if tried else None
    if "first_five" in state.announced and f"five_first_{'won' if five else 'failed'}" not in settled.extras:
        yield "the first five tricks are not paid as play showed"
    paid = next((code for code in settled.extras if code.startswith("tout")), None)
    if paid != shown:
        yield f"{paid} where play showed {shown}"


def _replayed_otherwise(played):
    state = played.state
    again = read_deal(write_deal(deal_of(state))).replay()
    if (again.hands, again.winners, again.steps) != (state.hands, state.winners, state.steps):
        yield "the deal is another when it is replayed"
    if not again.over or again.result(played.result.pool) != played.result:
        yield "the result is another when it is replayed"
