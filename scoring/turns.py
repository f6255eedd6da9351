"""Whose turn it is to deal, and in which order the seats play, deal by deal.

The turn to deal goes around the table from the first dealer on. In the middle of a round it may be moved to another
player, and two players may change seats; either holds from a deal on, and is written down as a change:

{"deal": 5, "dealer": 2}       position 2 deals deal 5, and the turn goes on from there
{"deal": 7, "swap": [0, 1]}    positions 0 and 1 change seats before deal 7; a chair deals when its turn comes
{"deal": 3, "insert": 1}       a forgotten deal was put in as deal 3: what was said of later ones moves up with them
{"deal": 3, "insert": -1}      deal 3 was taken out: what was said of later ones moves down with them
{"back": 0}                    the change in that place of the list, counted from 0, does not hold any more

A swap holds for what comes later too: whoever was said to deal from deal 9 on deals it, wherever they sit. Changes of
other kinds stand in the same list and have nothing to do with the turn. Nothing in it is ever altered: a table's list
grows, so that its beginning says how things stood before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from scoring.seats import WITH_FOURTH, Seating, dealer_of

Change = Mapping[str, Any]


def standing(changes: Iterable[Change]) -> list[Change]:
    """The changes that hold, in the order in which they were made, with the deals' numbers as they are now."""
    holding: dict[int, dict[str, Any]] = {}
    for place, change in enumerate(changes):
        if "back" in change:
            holding.pop(change["back"], None)
            continue
        if by := change.get("insert", 0):
            first = change["deal"] + (by < 0)
            for earlier in holding.values():
                earlier["deal"] += by * (earlier["deal"] >= first)
        holding[place] = dict(change)
    return list(holding.values())


# Nearly every deal has one of these few.
_in_turn = cache(Seating)


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns of a table of so many; `changes` as in the head of this module, `dealer_out` as in Seating."""

    players: int
    first_dealer: int = 0
    changes: Sequence[Change] = ()
    dealer_out: bool = False

    def seating(self, deal: int, *, in_pairs: bool = False) -> Seating:
        """Who is what in a deal (the first is 1)."""
        paired = in_pairs and self.players in WITH_FOURTH
        if not self.changes:
            dealer = dealer_of(deal, self.players, self.first_dealer)
            return _in_turn(self.players, dealer, paired, dealer_out=self.dealer_out)
        around, first = self._as_of(deal)
        dealer = around[dealer_of(deal, self.players, first)]
        order = () if around == sorted(around) else tuple(around)
        return Seating(self.players, dealer, paired, order=order, dealer_out=self.dealer_out)

    def in_turn(self, *, in_pairs: bool = False) -> list[Seating]:
        """The same of the first deals until everybody has dealt: it goes on so. Nothing where something was changed."""
        if self.changes:
            return []
        return [self.seating(deal, in_pairs=in_pairs) for deal in range(1, self.players + 1)]

    def dealer(self, deal: int) -> int:
        return self.seating(deal).dealer

    def _as_of(self, deal: int) -> tuple[list[int], int]:
        """The positions by chair in a deal, and the chair that would have dealt the first."""
        around, first = list(range(self.players)), self.first_dealer
        turning = [change for change in standing(self.changes) if "dealer" in change or "swap" in change]
        for change in sorted(turning, key=lambda change: int(change["deal"])):
            if change["deal"] > deal:
                break
            if "swap" in change:
                one, other = (around.index(position) for position in change["swap"])
                around[one], around[other] = around[other], around[one]
            else:
                first = (around.index(change["dealer"]) - change["deal"] + 1) % self.players
        return around, first
