"""Checks of what happens before the first trick: trump, giving up, fouled exchanges, joining, agreements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import Kind, trump_order
from scoring.checks.cases import may_join
from scoring.contracts import Trumps
from scoring.procedure import Surrender
from scoring.results import MOST_TOKENS
from scoring.seats import PLAYING, Role

if TYPE_CHECKING:
    from scoring.checks.cases import Case
    from scoring.results import DealResult

# As many as a red suit has trumps; a black one lacks its ace, or shares it.
_MOST_TRUMPS = 12


def check_trump(case: Case) -> None:
    trump, contract = case.result.trump, case.contract
    if contract.trumps is Trumps.NONE:
        case.blame("trump_none", contract=contract.id)
    elif f"{trump}K" not in case.rulebook.pack.cards:
        case.blame("trump_not_in_pack", suit=trump)
    elif contract.trumps is Trumps.SPADES and trump != "S":
        case.blame("trump_must_be_spades", contract=contract.id, suit=trump)
    elif contract.asks_about_spades and trump == "S":
        case.blame("solo_in_spades")


def check_given_up(case: Case) -> None:
    result, contract = case.result, case.contract
    if not result.abandoned:
        return
    if not contract.may_be_abandoned:
        case.blame("abandoned_not_allowed", contract=contract.id)
    last = case.rulebook.play.give_up_before
    late = result.declarer_has_played and last == 1
    before = last if result.before_trick is None else result.before_trick
    if late or not 1 <= before <= last:
        case.blame("abandoned_too_late", trick=last)
    if result.foul or (case.gave_up and (result.joined or _was_played(result))):
        case.blame("abandoned_with_more")


def check_surrender(case: Case) -> None:
    """What the opponents made of a surrender: accepted it, or took the contract over."""
    result, contract = case.result, case.contract
    needs_both = case.counted_as.surrender is Surrender.ACCEPTED
    if needs_both and result.accepted_by and set(result.accepted_by) != set(case.defenders):
        case.blame("surrender_not_accepted", seats=case.defenders)
    told = result.before_trick is not None or result.accepted_by or result.takeover
    if told and not result.abandoned:
        case.blame("surrender_missing")
    if result.takeover is None:
        return
    if case.counted_as.surrender is not Surrender.TAKE_OVER:
        case.blame("takeover_not_here", contract=contract.id)
    elif result.takeover is result.declarer or result.takeover not in PLAYING[case.players]:
        case.blame("takeover_by_nobody", seat=result.takeover)


def check_turned(case: Case) -> None:
    """A card that was turned shows the trump suit."""
    turned, trump = case.result.turned, case.result.trump
    if turned is None:
        return
    if case.contract.trumps is not Trumps.TURNED:
        case.blame("turned_not_here", contract=case.contract.id)
    elif trump and turned[0] != trump:
        case.blame("turned_disagrees", suit=turned[0])


def check_pool(case: Case) -> None:
    """A pooled game is settled with what lies in the pool, which is this deal's ante at least."""
    rules, pool = case.rulebook.pool, case.result.pool
    if rules is None:
        if pool is not None:
            case.blame("pool_not_here")
    elif pool is None:
        case.blame("pool_missing")
    elif not 0 <= pool <= MOST_TOKENS:
        case.blame("pool_range", most=MOST_TOKENS)
    elif pool < rules.each_deal(case.players):
        case.blame("pool_odd", ante=rules.each_deal(case.players))


def check_estuches(case: Case) -> None:
    house, count = case.rulebook.house, case.result.estuches
    if count is None:
        if house.counts_estuches and house.estuche_price:
            case.blame("estuches_missing")
    elif not house.estuche_price:
        case.blame("estuches_not_agreed")
    else:
        most = _most_estuches(case)
        if not 1 <= count <= most:
            case.blame("estuches_range", most=most)


def _most_estuches(case: Case) -> int:
    """As many as there are trumps; in a contrabola the declarer holds one of the suit, and lacks one fewer."""
    result = case.result
    trump = result.trump or (result.turned and result.turned[0])
    if not case.rulebook.house.estuches_by_suit:
        return _MOST_TRUMPS
    pack = case.rulebook.pack
    trumps = len(trump_order(Kind.TRUMP, trump, pack.ranking)) if trump else _MOST_TRUMPS
    return trumps - case.contract.avoids_tricks


def check_bonus_bids(case: Case) -> None:
    """What a declarer promised must be possible in his contract; one promise, unless more were agreed."""
    bids, contract = case.result.bonus_bid, case.contract
    for bid in bids:
        if bid not in contract.bonus_bids:
            case.blame("bonus_not_here", bonus=bid, contract=contract.id)
    if len(bids) > 1 and not case.rulebook.house.several_bonus_bids:
        case.blame("bonus_only_one")


def check_partner(case: Case) -> None:
    """Who plays with the declarer: one of the others, in a contract that has a partner."""
    partner, contract = case.result.partner, case.contract
    if not contract.with_partner:
        if partner is not None:
            case.blame("partner_not_here", contract=contract.id)
    elif partner is None:
        case.blame("partner_missing")
    elif partner not in case.defenders:
        case.blame("partner_by_nobody", seat=partner)


def check_winner_here(case: Case) -> None:
    """Who won a kodille is told only where that one is paid."""
    if case.result.won_by and not case.rulebook.house.has_winners:
        case.blame("winner_not_here")


def check_foul(case: Case) -> None:
    result = case.result
    if result.foul is None:
        return
    if not case.rulebook.house.fouls:
        case.blame("foul_not_priced")
    elif result.foul is not case.declarer and result.foul not in case.defenders:
        case.blame("foul_by_nobody", seat=result.foul)
    before_joining = result.foul is case.declarer and result.joined
    if before_joining or result.idle_abandoned or _was_played(result):
        case.blame("foul_with_more")


def check_nine_matadors(case: Case) -> None:
    """Who held the nine top trumps is noted where a table has that custom, and there are trumps."""
    holder, contract = case.result.nine_matadors, case.contract
    if holder is None:
        return
    if not (case.rulebook.house.nine_matadors and contract.kind is Kind.TRUMP):
        case.blame("matadors_not_agreed", contract=contract.id)
    elif holder is not case.declarer and holder not in case.defenders:
        case.blame("matadors_of_nobody", seat=holder)
    else:
        case.blame("rare_matadors")


def _was_played(result: DealResult) -> bool:
    """Whether a report tells of cards played to tricks, or announced for them."""
    return bool(
        result.tricks
        or result.played_out
        or result.tout
        or result.five_first
        or result.first_five_by
        or result.led_sixth
        or result.claimed_after
    )


def check_fourth_joins(case: Case) -> None:
    result, contract = case.result, case.contract
    must = Role.IDLE in may_join(contract, case.declarer, case.players)
    if must and Role.IDLE not in result.joined and not result.foul and not result.abandoned:
        case.blame("fourth_must_join", contract=contract.id, seat=Role.IDLE)


def check_joined(case: Case) -> None:
    result, contract = case.result, case.contract
    allowed = may_join(contract, case.declarer, case.players)
    for role in result.joined:
        if role is case.declarer:
            case.blame("joined_by_declarer", seat=role)
        elif role not in allowed:
            code = "joined_not_agreed" if allowed and role is not Role.IDLE else "joined_not_here"
            case.blame(code, contract=contract.id, seat=role)
        elif (
            role not in case.tricks and not result.foul and not (role is Role.IDLE and result.idle_abandoned)
        ):
            case.blame("joined_tricks_needed", seat=role)


def check_fourth_gave_up(case: Case) -> None:
    if not case.result.idle_abandoned:
        return
    if Role.IDLE not in case.result.joined:
        case.blame("idle_abandoned_not_joined")
    elif case.tricks.get(Role.IDLE):
        case.blame("idle_abandoned_with_tricks", seat=Role.IDLE)


def check_agreements(case: Case) -> None:
    """What is paid only where a table has agreed on it."""
    result, house, contract = case.result, case.rulebook.house, case.contract
    if result.exchange_repeated and not (house.repeat_exchange and contract.may_repeat_exchange):
        case.blame("repeat_not_agreed", contract=contract.id)
    if result.aces and not (house.aces_bonus and contract.may_have_aces):
        case.blame("aces_not_agreed", contract=contract.id)
