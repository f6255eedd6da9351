"""The next step of a bot in any phase of a deal, and whole deals and rounds played by bots."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.bots import bidding
from scoring.bots.hands import avoiding_risk
from scoring.bots.knowledge import Knowledge, Table, knowledge_of, table
from scoring.game import Act, Ask, Deal, Phase, Step, deal_of, write_deal
from scoring.game.steps import known
from scoring.seats import Seating, dealer_of
from scoring.settlement import first_pool, pool_after, settle_at_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.game import State
    from scoring.results import DealResult
    from scoring.rulebook import Rulebook
    from scoring.seats import Role
    from scoring.settlement import Settlement


def card_to_avoid(table: Table) -> str:
    """Choose a card in a nolo or another contract whose declarer avoids tricks."""
    if len(table.legal) == 1:
        return table.legal[0]
    if table.seen.declares:
        return _lowest_lead(table) if table.best is None else _stay_under(table)
    return _lead_against(table) if table.best is None else _follow_against(table)


def _lowest_lead(table: Table) -> str:
    """The card with the fewest outstanding cards below it, so that others probably beat it."""
    return min(table.legal, key=lambda card: (table.below(card), -table.above(card), card))


def _stay_under(table: Table) -> str:
    """The most dangerous card that does not win; if all cards win, the highest or lowest."""
    under = tuple(card for card in table.legal if not table.wins(card))
    if under:
        risk = avoiding_risk(table.seen.hand, table.order)
        return max(under, key=lambda card: (risk[card], table.order.strength[card]))
    # Last to play, the trick is won by any card: it is the chance to get rid of the highest.
    return table.lowest(table.legal) if table.behind else table.highest(table.legal)


def _targets(table: Table) -> tuple[str, ...]:
    """The declarers to give tricks to: those without a trick, else all."""
    seen = table.seen
    declarers = tuple(role for role in (seen.declarer, *seen.joined) if role)
    without = tuple(role for role in declarers if role not in seen.winners)
    return without or declarers


def _lead_against(table: Table) -> str:
    """A low card that a declarer probably has to beat."""
    seen, order = table.seen, table.order
    if seen.open_hand:
        caught = tuple(card for card in table.legal if _catches(table, card))
        if caught:
            return min(caught, key=lambda card: (table.below(card), card))
    declarers = [role for role in (seen.declarer, *seen.joined) if role]
    follows = tuple(
        card
        for card in table.legal
        if not any(table.void_in(role, order.suit[card]) for role in declarers) and table.above(card)
    )
    return min(follows or table.legal, key=lambda card: (table.below(card), order.strength[card], card))


def _catches(table: Table, card: str) -> bool:
    """Whether the declarer's open hand follows this suit with higher cards only."""
    order = table.order
    suit = [order.strength[held] for held in table.seen.open_hand if order.suit[held] == order.suit[card]]
    return bool(suit) and min(suit) > order.strength[card]


def _follow_against(table: Table) -> str:
    """A card below a declarer who is winning the trick or still to play; else the highest."""
    targets = _targets(table)
    if table.by in targets or any(role in targets for role in table.behind):
        under = tuple(card for card in table.legal if not table.wins(card))
        if table.by in targets and under:
            return table.highest(under)
        return table.lowest(under or table.legal)
    return table.highest(table.legal)


# The least number of trumps with which a declarer draws the others' trumps, even with small ones.
_LONG_TRUMPS = 4


def card_to_win(table: Table) -> str:
    """Choose a card in a game, which is won by taking tricks."""
    if len(table.legal) == 1:
        return table.legal[0]
    if table.best is None:
        return _declarers_lead(table) if _with_declarer(table, table.seen.role) else _defenders_lead(table)
    return _follow(table)


def _with_declarer(table: Table, role: Role) -> bool:
    """Whether a player is on the declarer's side, as far as this player knows."""
    seen = table.seen
    if role is seen.declarer:
        return True
    king = seen.partner_king
    if king is None:
        return False
    if role is seen.role and king in seen.hand:
        return True
    return any((role, king) in trick for trick in (*seen.tricks, seen.trick))


def _declarers_lead(table: Table) -> str:
    """The declarer's lead: trumps while others may have some, then unbeatable cards, then a short suit."""
    trumps = tuple(card for card in table.legal if table.is_trump(card))
    others = tuple(card for card in table.legal if not table.is_trump(card))
    if trumps and table.trumps_out:
        high = table.highest(trumps)
        if table.above(high) == 0 and (len(trumps) > 1 or not others):
            return high
        if len(trumps) >= _LONG_TRUMPS:
            return table.lowest(trumps)
    sure = tuple(card for card in others if table.above(card) == 0)
    if sure:
        return table.highest(sure)
    return _from_short_suit(table, others) if others else table.highest(trumps)


def _from_short_suit(table: Table, cards: tuple[str, ...]) -> str:
    """The lowest card of the shortest suit."""
    suits = [card[0] for card in cards]
    return min(cards, key=lambda card: (suits.count(card[0]), table.order.strength[card]))


def _defenders_lead(table: Table) -> str:
    """A defender's lead: an unbeatable card of a suit that the declarer may have, else low in a long suit."""
    seen = table.seen
    others = tuple(card for card in table.legal if not table.is_trump(card))
    if not others:
        # Only trumps are left: the high ones win now, and keeping small ones gains nothing.
        return table.highest(table.legal)
    declarer = seen.declarer
    follows = tuple(
        card for card in others if declarer is None or not table.void_in(declarer, table.order.suit[card])
    )
    sure = tuple(card for card in follows if table.above(card) == 0)
    if sure:
        return table.highest(sure)
    suits = [card[0] for card in seen.hand]
    return min(follows or others, key=lambda card: (-suits.count(card[0]), table.order.strength[card]))


def _follow(table: Table) -> str:
    """A card to a trick: the lowest that wins it, or the least useful if it cannot be won or a partner has it."""
    better = tuple(card for card in table.legal if table.wins(card))
    if not better or _is_left_to_partner(table):
        return _least_useful(table)
    if not table.behind:
        return table.lowest(better)
    sure = tuple(card for card in better if table.above(card) == 0)
    return table.lowest(sure or better)


def _own_side(table: Table) -> bool:
    """Whether this player is on the declarer's side."""
    return _with_declarer(table, table.seen.role)


def _is_left_to_partner(table: Table) -> bool:
    """Whether a partner is winning the trick, and no opponent can beat the card or is still to play."""
    if _with_declarer(table, known(table.by)) is not _own_side(table):
        return False
    opponents = [role for role in table.behind if _with_declarer(table, role) is not _own_side(table)]
    return not opponents or table.above(known(table.best)) == 0


def _least_useful(table: Table) -> str:
    """The lowest card, preferring those that are neither trumps nor unbeatable."""
    return min(
        table.legal,
        key=lambda card: (table.is_trump(card), table.above(card) == 0, table.order.strength[card]),
    )


TOUT, FIRST_FIVE = "tout", "first_five"
_NAMING = {
    Ask.DEFINE: (Act.DEFINE, bidding.choose_contract),
    Ask.TRUMP: (Act.TRUMP, bidding.choose_trump),
    Ask.KING: (Act.KING, bidding.choose_king),
}
_ANSWERS: dict[Ask, tuple[Act, Callable[[Knowledge], bool]]] = {
    Ask.OFFER: (Act.OFFER, bidding.offers),
    Ask.ANSWER: (Act.ACCEPT, bidding.accepts_offer),
    Ask.JOIN: (Act.JOIN, bidding.joins),
    Ask.ONE_MORE: (Act.ONE_MORE, bidding.takes_one_more),
    Ask.TAKE_OVER: (Act.TAKE_OVER, bidding.takes_over),
    Ask.SURRENDER: (Act.ACCEPT, bidding.accepts),
}


def next_step(state: State, *, stops_for_others: bool = True) -> Step:
    """The step of a bot for the player whose turn it is; it uses only what this player knows.

    A bot on lead also claims for another declarer that the outcome is clear, unless `stops_for_others` is False.
    """
    role = known(state.to_act)
    if state.trick and len(state.winners) >= state.rulebook.play.give_up_before:
        cards = state.legal_cards()
        if len(cards) == 1:
            return Step(role, Act.PLAY, cards[0])
    seen = knowledge_of(state, role)
    if state.phase is Phase.AUCTION:
        return bidding.call(seen, state.legal_calls())
    if state.ask is not None:
        return _answer(state, seen, state.ask)
    to_play = table(seen, known(seen.order), state.legal_cards())
    for step in _instead_of_a_card(to_play):
        if (stops_for_others or step.role is role) and state.problem_of(step) is None:
            return step
    choose = card_to_win if known(seen.contract).is_game else card_to_avoid
    return Step(role, Act.PLAY, choose(to_play))


def _answer(state: State, seen: Knowledge, ask: Ask) -> Step:
    """The answer to a question before play or after a surrender."""
    role = seen.role
    if ask in _NAMING:
        act, choose = _NAMING[ask]
        return Step(role, act, choose(seen, tuple(str(step.value) for step in state.legal_steps())))
    if ask is Ask.PROMISE:
        return bidding.promise(seen, tuple(state.legal_steps()))
    if ask in _ANSWERS:
        act, agrees = _ANSWERS[ask]
        return Step(role, act if agrees(seen) else Act.NO)
    limits = state.limits()
    if ask is Ask.LAY_OFF:
        return Step(role, Act.LAY_OFF, bidding.choose_laid_off(seen, limits[1]))
    if ask is Ask.REPEAT:
        return Step(role, Act.EXCHANGE, bidding.second_exchange(seen, limits[1]))
    return Step(role, Act.EXCHANGE, bidding.choose_discards(seen, limits))


def _instead_of_a_card(to_play: Table) -> Iterator[Step]:
    """The steps that the bot prefers to playing a card, if they are legal."""
    role = to_play.seen.role
    if bidding.gives_up(to_play.seen):
        yield Step(role, Act.GIVE_UP)
    if bidding.announces_first_five(to_play):
        yield Step(role, Act.ANNOUNCE, FIRST_FIVE)
    if bidding.announces_tout(to_play):
        yield Step(role, Act.ANNOUNCE, TOUT)
    if bidding.stops(to_play):
        yield Step(known(to_play.seen.declarer), Act.STOP)


_CALLS = frozenset((Act.PASS, Act.BID, Act.SELF))
_EXCHANGES = frozenset((Act.EXCHANGE, Act.LAY_OFF))
_STATEMENTS = frozenset(Act) - _CALLS - _EXCHANGES - {Act.PLAY}
_SEEDS = 2**32
Player = Callable[["State"], "Step"]


class PlayedDeal(NamedTuple):
    """A deal played to its end: number in the round, seed, final state, report, and settlement with the ante."""

    number: int
    seed: int
    state: State
    result: DealResult
    settlement: Settlement


def play_deal(rulebook: Rulebook, seating: Seating, seed: int, choose: Player = next_step) -> State:
    """Play the deal of this seed to its end; `choose` decides for every player."""
    state = Deal.dealt(rulebook, seating, seed).start()
    while not state.over:
        state = state.after(choose(state))
    return state


def play_round(
    rulebook: Rulebook,
    players: int,
    deals: int,
    seed: int,
    *,
    first_dealer: int = 0,
    in_pairs: bool = False,
    choose: Player = next_step,
) -> Iterator[PlayedDeal]:
    """Play a number of deals at one table, `in_pairs` as in Seating. The same seed gives the same deals."""
    random = Random(seed)
    pool = first_pool(rulebook, players)
    for number in range(1, deals + 1):
        seating = rulebook.seating(players, dealer_of(number, players, first_dealer), in_pairs=in_pairs)
        cards = random.randrange(_SEEDS)
        state = play_deal(rulebook, seating, cards, choose)
        result = state.result(pool)
        yield PlayedDeal(number, cards, state, result, settle_at_table(result, seating, rulebook))
        pool = pool_after(result, seating, rulebook)


def deal_json(played: PlayedDeal) -> dict[str, Any]:
    """The JSON of a deal; seats are the rulebook's codes, but positions in result and settlement.

    `text` is the whole deal in the format of `scoring.game.read_deal`.
    """
    state = played.state
    table, name = state.table, state.rulebook.seat_name
    return {
        "deal": played.number,
        "seed": played.seed,
        "rulebook": state.rulebook.id,
        "players": table.seating.players,
        "dealer": table.seating.dealer,
        "hands": {name(role): list(cards) for role, cards in table.hands.items()},
        "talon": list(table.talon),
        "calls": [_call_json(state, step) for step in state.steps if step.act in _CALLS],
        "said": [_statement_json(state, step) for step in state.steps if step.act in _STATEMENTS],
        "exchanges": list(_exchanges(state)),
        "tricks": [
            {"cards": [[name(role), card] for role, card in trick], "winner": name(winner)}
            for trick, winner in zip(state.tricks, state.winners, strict=True)
        ],
        "result": played.result.to_json(table.seating),
        "settlement": played.settlement.to_json(),
        "text": write_deal(deal_of(state)),
    }


def _call_json(state: State, step: Step) -> dict[str, Any]:
    """The JSON of a call."""
    name = step.value if step.act is Act.BID else step.act.value
    call = {"seat": state.rulebook.seat_name(step.role), "call": name}
    return call | {"contract": step.value} if step.act is Act.SELF and step.value else call


def _statement_json(state: State, step: Step) -> dict[str, Any]:
    """The JSON of a step that is neither a call, an exchange nor a card."""
    statement = {"seat": state.rulebook.seat_name(step.role), "act": step.act.value}
    return statement if step.value is None else statement | {"value": step.value}


def _exchanges(state: State) -> Iterator[dict[str, Any]]:
    """The JSON of all exchanges: the cards discarded, and those drawn."""
    before = deal_of(state).start()
    for step in state.steps:
        after = before.after(step)
        if step.act in _EXCHANGES:
            held = before.hands.get(step.role, ())
            drawn = [card for card in after.hands[step.role] if card not in held]
            seat = state.rulebook.seat_name(step.role)
            yield {"seat": seat, "discarded": list(step.value or ()), "drawn": drawn}
        before = after
