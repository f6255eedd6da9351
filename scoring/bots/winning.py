"""Playing for tricks: games, by the declarer and against him."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.game.turns import known

if TYPE_CHECKING:
    from scoring.bots.knowledge import Table
    from scoring.seats import Role

# From so many trumps on a declarer draws the others', even with small ones.
_LONG_TRUMPS = 4


def card_to_win(table: Table) -> str:
    """The card of a player in a game."""
    if len(table.legal) == 1:
        return table.legal[0]
    if table.best is None:
        return _declarers_lead(table) if _with_declarer(table, table.seen.role) else _defenders_lead(table)
    return _follow(table)


def _with_declarer(table: Table, role: Role) -> bool:
    """Whether a player wins and loses with the declarer, as far as this player knows."""
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
    """Trumps while others may have them, then cards that nobody can beat, then a short suit."""
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
    suits = [card[0] for card in cards]
    return min(cards, key=lambda card: (suits.count(card[0]), table.order.strength[card]))


def _defenders_lead(table: Table) -> str:
    """Where the declarer may have to follow: a card that nobody can beat, else low in a long suit. Trumps last."""
    seen = table.seen
    others = tuple(card for card in table.legal if not table.is_trump(card))
    if not others:
        # The last trumps: high ones win now, small ones are no good later.
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
    """The partner's trick is left to him; else it is won as cheaply as may be, or the lowest card is thrown."""
    better = tuple(card for card in table.legal if table.wins(card))
    if not better or _is_left_to_partner(table):
        return _worst(table)
    if not table.behind:
        return table.lowest(better)
    sure = tuple(card for card in better if table.above(card) == 0)
    return table.lowest(sure or better)


def _own_side(table: Table) -> bool:
    return _with_declarer(table, table.seen.role)


def _is_left_to_partner(table: Table) -> bool:
    """Whether a partner has the trick and nobody of the other side can, or is likely to, take it."""
    if _with_declarer(table, known(table.by)) is not _own_side(table):
        return False
    opponents = [role for role in table.behind if _with_declarer(table, role) is not _own_side(table)]
    return not opponents or table.above(known(table.best)) == 0


def _worst(table: Table) -> str:
    """The card that is missed least: no trump, nor one that may win yet, and the lowest."""
    return min(
        table.legal,
        key=lambda card: (table.is_trump(card), table.above(card) == 0, table.order.strength[card]),
    )
