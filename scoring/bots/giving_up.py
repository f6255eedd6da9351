"""When a bot gives up a deal or takes one over, tries for all tricks, or stops because all is clear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.bots.hands import HOPELESS_RISK, avoiding_risk, game_estimate
from scoring.cards import TRUMPS
from scoring.contracts import FIRST_FIVE

if TYPE_CHECKING:
    from scoring.bots.seen import Seen
    from scoring.bots.tricks import Table

# With less than this a game is given up rather than lost as kodille; with more a deal is taken over.
_HOPELESS_POINTS, _TAKES_OVER_FROM = 1.5, 3.5
_HOPELESS_IN_GRAND = 0.5
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
    points = game_estimate(seen.hand, seen.trump, seen.rulebook.pack.ranking).points
    return seen.winners.count(seen.role) + points < (_HOPELESS_POINTS if seen.trump else _HOPELESS_IN_GRAND)


def takes_over(seen: Seen) -> bool:
    """Whether a defender becomes declarer of a game that was given up."""
    points = game_estimate(seen.hand, seen.trump, seen.rulebook.pack.ranking).points
    return seen.winners.count(seen.role) + points > _TAKES_OVER_FROM


def stops(table: Table) -> bool:
    """Whether to stop if all is clear. After five tricks in a row a declarer plays on only if sure of the rest."""
    seen = table.seen
    won = [seen.winners.count(role) for role in seen.playing]
    if table.best is not None or max(won) < _CLEAR_FROM:
        return False
    return not (has_won_all(seen) and sure_of_rest(table))


def has_won_all(seen: Seen) -> bool:
    return seen.role is seen.declarer and all(role is seen.role for role in seen.winners)


def sure_of_rest(table: Table) -> bool:
    """Whether a player on lead wins every trick that is left, whoever holds what."""
    suit_of = table.order.suit
    if table.best is not None or any(table.above(card) for card in table.seen.hand):
        return False
    trumps = sum(suit_of[card] == TRUMPS for card in table.seen.hand)
    return trumps == len(table.seen.hand) or trumps >= table.trumps_out


def announces_tout(table: Table) -> bool:
    return has_won_all(table.seen) and sure_of_rest(table)


def announces_first_five(table: Table) -> bool:
    """Whether the declarer is on lead and the first five cards cannot be beaten."""
    seen = table.seen
    if seen.winners or table.best is not None or not table.order.matadors:
        return False
    trumps = [card for card in seen.hand if table.is_trump(card)]
    return len(trumps) >= FIRST_FIVE and sum(table.above(card) == 0 for card in trumps) >= FIRST_FIVE - 1


def accepts(_seen: Seen) -> bool:
    """A surrender is always accepted: it is worth as much as the deal would be, and nobody waits."""
    return True
