"""Playing for no tricks: nolos and contrabola, by who declares and against him."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.bots.hands import avoiding_risk

if TYPE_CHECKING:
    from scoring.bots.knowledge import Table

Cards = tuple[str, ...]


def card_to_avoid(table: Table) -> str:
    """The card of a player where the declarer must not win tricks."""
    if len(table.legal) == 1:
        return table.legal[0]
    if table.seen.declares:
        return _lowest_lead(table) if table.best is None else _stay_under(table)
    return _lead_against(table) if table.best is None else _push(table)


def _lowest_lead(table: Table) -> str:
    """The card that others can play above most surely."""
    return min(table.legal, key=lambda card: (table.below(card), -table.above(card), card))


def _stay_under(table: Table) -> str:
    """The highest card that does not win; one that wins only where there is no other."""
    under = tuple(card for card in table.legal if not table.wins(card))
    if under:
        risk = avoiding_risk(table.seen.hand, table.order)
        return max(under, key=lambda card: (risk[card], table.order.strength[card]))
    # Last to play, the trick is lost and the highest card goes with it.
    return table.lowest(table.legal) if table.behind else table.highest(table.legal)


def _targets(table: Table) -> tuple[str, ...]:
    """Who is to be given tricks: declarers, those without a trick before others."""
    seen = table.seen
    declarers = tuple(role for role in (seen.declarer, *seen.joined) if role)
    without = tuple(role for role in declarers if role not in seen.winners)
    return without or declarers


def _lead_against(table: Table) -> str:
    """A low card of a suit in which a declarer must play a higher one, as far as one can know."""
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
    """Whether the declarer's open hand has nothing in this suit that is lower."""
    order = table.order
    suit = [order.strength[held] for held in table.seen.open_hand if order.suit[held] == order.suit[card]]
    return bool(suit) and min(suit) > order.strength[card]


def _push(table: Table) -> str:
    """Under a declarer who has the trick, or is still to play; else the highest card goes."""
    targets = _targets(table)
    if table.by in targets or any(role in targets for role in table.behind):
        under = tuple(card for card in table.legal if not table.wins(card))
        if table.by in targets and under:
            return table.highest(under)
        return table.lowest(under or table.legal)
    return table.highest(table.legal)
