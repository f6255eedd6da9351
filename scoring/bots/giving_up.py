"""When a bot gives up a deal or takes one over, tries for all tricks, or stops because all is clear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.bots.hands import HOPELESS_RISK, avoiding_risk, game_estimate
from scoring.cards import TRUMPS
from scoring.contracts import FIRST_FIVE
from scoring.procedure import Surrender

if TYPE_CHECKING:
    from scoring.bots.knowledge import Table
    from scoring.bots.seen import Seen

# With less than this a game is given up: one in six would be won, and most are lost as kodille. Where a loss costs as
# much either way there is nothing to save, and only one in ten is given up. With more a deal is taken over.
_HOPELESS_POINTS, _HOPELESS_LATER, _TAKES_OVER_FROM = 3.15, 2.8, 3.5
_HOPELESS_IN_GRAND = 2.0
# Nothing is clear before somebody has so many tricks.
_CLEAR_FROM = 4


def gives_up(seen: Seen) -> bool:
    """Whether a declarer has had enough: with a hopeless hand in the first trick, or without a trick of three."""
    contract = seen.contract
    if not seen.declares or contract is None or seen.order is None:
        return False
    if len(seen.winners) != seen.rulebook.play.give_up_before - 1:
        return False
    if not contract.is_game:
        return sum(avoiding_risk(seen.hand, seen.order).values()) > HOPELESS_RISK
    later = contract.surrender is not Surrender.NEVER
    # Without matadors the same points win more.
    cheap = later or not seen.order.matadors
    hopeless = _HOPELESS_LATER if cheap else _HOPELESS_POINTS
    return _tricks_hoped_for(seen) < (hopeless if seen.trump else _HOPELESS_IN_GRAND)


def _tricks_hoped_for(seen: Seen) -> float:
    """About how many tricks a player will have won in the end."""
    points = game_estimate(seen.hand, seen.trump, seen.rulebook.pack.ranking).points
    return seen.winners.count(seen.role) + points


def takes_over(seen: Seen) -> bool:
    """Whether a defender becomes declarer of a game that was given up."""
    return _tricks_hoped_for(seen) > _TAKES_OVER_FROM


def stops(table: Table) -> bool:
    """Whether to stop if all is clear. After five tricks in a row a declarer plays on only to win the rest too."""
    seen = table.seen
    won = [seen.winners.count(role) for role in seen.playing]
    if table.best is not None or max(won) < _CLEAR_FROM:
        return False
    return not tries_for_all(table)


def has_won_all(seen: Seen) -> bool:
    return seen.role is seen.declarer and all(role is seen.role for role in seen.winners)


def sure_of_rest(table: Table) -> bool:
    """Whether a player on lead wins every trick that is left, whoever holds what."""
    suit_of = table.order.suit
    if table.best is not None or any(table.above(card) for card in table.seen.hand):
        return False
    trumps = sum(suit_of[card] == TRUMPS for card in table.seen.hand)
    return trumps == len(table.seen.hand) or trumps >= table.trumps_out


def tries_for_all(table: Table) -> bool:
    """Whether a declarer who has won all tricks so far tries for the rest: if sure, or where little is lost, bold."""
    if not has_won_all(table.seen):
        return False
    return sure_of_rest(table) or (table.seen.rulebook.play.announces_tout and _nearly_sure_of_rest(table))


def _nearly_sure_of_rest(table: Table) -> bool:
    """Whether, late in the deal, one card alone can still be beaten, by one alone, and others' trumps are few."""
    seen = table.seen
    if table.best is not None or len(seen.winners) < FIRST_FIVE:
        return False
    trumps = sum(table.order.suit[card] == TRUMPS for card in seen.hand)
    return trumps >= table.trumps_out and sum(map(table.above, seen.hand)) == 1


def announces_tout(table: Table) -> bool:
    return tries_for_all(table)


def announces_first_five(table: Table) -> bool:
    """Whether the declarer is on lead and the first five cards cannot be beaten."""
    seen = table.seen
    if seen.winners or table.best is not None or not table.order.matadors:
        return False
    trumps = [card for card in seen.hand if table.is_trump(card)]
    return len(trumps) >= FIRST_FIVE and sum(table.above(card) == 0 for card in trumps) >= FIRST_FIVE - 1


def accepts(seen: Seen) -> bool:
    """Whether to let a declarer surrender: not with a hand that would win a codille."""
    return not takes_over(seen)
