"""What a captain would report of a deal that was played card by card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import HAND, SPADILLE, Kind, trump_order
from scoring.contracts import FIRST_FIVE
from scoring.game.turns import known
from scoring.results import DealResult
from scoring.seats import ALL_ROLES, Role

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Literal

    from scoring.cards import Ranking
    from scoring.game.position import Position

_ACES = ("SA", "HA", "DA", "CA")
_BONUS_ACES = 3


def report(state: Position, pool: int | None = None) -> DealResult:
    """The result of a deal that is over."""
    contract = state.contract
    if contract is None:
        return DealResult(all_passed=True, pool=pool)
    declarer = state.gave_up[0] if state.taken_over else state.declarer
    common = DealResult(
        contract=contract.id,
        declarer=declarer,
        trump=state.trump,
        joined=tuple(role for role in ALL_ROLES if role in state.joined),
        idle_abandoned=Role.IDLE in state.joined and Role.IDLE in state.gave_up,
        exchange_repeated=state.repeated,
        pool=pool,
        bonus_bid=state.promised,
        turned=state.turned if contract.counts_as else None,
        estuches=_estuches(state),
        aces=_earns_aces(state),
        takeover=state.declarer if state.taken_over else None,
        partner=_partner(state),
        nine_matadors=_nine_matadors(state),
    )
    if state.declarer in state.gave_up and not state.taken_over:
        # Where the declarer of a nolo gives up nobody plays it.
        return common._replace(
            abandoned=True,
            before_trick=state.surrendered,
            accepted_by=_in_order(state.accepted),
            joined=(),
            idle_abandoned=False,
        )
    if state.taken_over:
        common = common._replace(abandoned=True, before_trick=state.surrendered)
    return _played(state, common)


def _played(state: Position, result: DealResult) -> DealResult:
    """The same with the tricks that were played, and what was tried or announced on the way."""
    winners = state.winners
    playing = [
        role
        for role in ALL_ROLES
        if role in state.opening and not (role is Role.IDLE and result.idle_abandoned)
    ]
    result = result._replace(
        tricks=tuple((role, winners.count(role)) for role in playing),
        played_out=not state.stopped,
        claimed_after=len(winners) if state.stopped else None,
    )
    if state.contract is None or not state.contract.is_game:
        return result
    return result._replace(
        first_five_by=_first_five_by(state),
        led_sixth=_tried_for_tout(state),
        tout=_tout(state),
        five_first=_announced_five(state),
    )


def _first_five_by(state: Position) -> Role | Literal["OPP"] | None:
    """Who won the first five tricks: one player, or the opponents together where that is settled.

    No game that is played ends before them.
    """
    first = set(state.winners[:FIRST_FIVE])
    if len(first) == 1:
        return state.winners[0]
    together = state.rulebook.house.opponents_share_five
    return "OPP" if together and state.declarer not in first else None


def _tried_for_tout(state: Position) -> bool:
    """Whether the declarer won the first five tricks and led to the sixth."""
    first = state.winners[:FIRST_FIVE]
    went_on = len(state.winners) > FIRST_FIVE and not known(state.contract).bids_beyond_five
    return went_on and all(role is state.declarer for role in first)


def _tout(state: Position) -> str | None:
    if not state.rulebook.house.has_tout:
        return None
    won = not state.stopped and all(role is state.declarer for role in state.winners)
    if "tout" not in state.announced and not _tried_for_tout(state):
        return "won" if won and known(state.contract).bids_beyond_five else None
    return "won" if won else "failed"


def _announced_five(state: Position) -> str | None:
    if "first_five" not in state.announced:
        return None
    first = state.winners[:FIRST_FIVE]
    won = len(first) == FIRST_FIVE and all(role is state.declarer for role in first)
    return "won" if won else "failed"


def _partner(state: Position) -> Role | None:
    """Who was dealt the king that the declarer called."""
    return next((role for role, hand in state.table.hands.items() if state.king in hand), None)


def _earns_aces(state: Position) -> bool:
    if not (known(state.contract).may_have_aces and state.rulebook.house.aces_bonus):
        return False
    return sum(ace in state.table.hands[known(state.declarer)] for ace in _ACES) >= _BONUS_ACES


def _nine_matadors(state: Position) -> Role | None:
    """Who began to play with nothing but the top trumps, where that is noted."""
    if not state.rulebook.house.nine_matadors or state.trump is None:
        return None
    ranking, nine = state.rulebook.pack.ranking, (HAND, True)
    holders = (role for role, hand in state.opening.items() if top_trumps(state.trump, hand, ranking) == nine)
    return next(holders, None)


def _estuches(state: Position) -> int | None:
    """The declarer's estuches, in the hand with which he began to play, where the rules count them."""
    house = state.rulebook.house
    if not (house.counts_estuches and house.estuche_price) or state.trump is None or not state.opening:
        return None
    return top_trumps(state.trump, state.opening[known(state.declarer)], state.rulebook.pack.ranking)[0]


def top_trumps(trump: str, held: Collection[str], ranking: Ranking) -> tuple[int, bool]:
    """How many trumps from spadille down are held, or lacked, without a gap; and whether they are held."""
    order = trump_order(Kind.TRUMP, trump, ranking)
    holds = SPADILLE in held
    count = next((place for place, card in enumerate(order) if (card in held) is not holds), len(order))
    return count, holds


def _in_order(roles: tuple[Role, ...]) -> tuple[Role, ...]:
    return tuple(role for role in ALL_ROLES if role in roles)
