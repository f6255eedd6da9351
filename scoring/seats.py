"""Positions at a table, the roles that they have in each deal, and whose turn it is to deal.

A *position* is a chair, numbered from 0 in order of play (counter-clockwise in the Danish games). A *role* is
what its player is in one deal: forehand (leads to the first trick), middlehand, backhand (the dealer), or the
fourth player, who sits out: opposite the dealer, or as dealer by rules with `dealer_out`, where the last player is
backhand. At a table of two there is no middlehand; at a table of five all play, third and fourth hand between
middlehand and backhand.

In pairs those opposite each other are partners, and a declarer meets the other pair: where the declarer's partner was
dealt cards, the player sitting out takes that hand over before the exchange. A role stays with its cards, so the
take-over changes whose position has which role; rules and prices are the same.

The turn to deal goes around the table from the first dealer on. In the middle of a round it may be moved to another
player, and two players may change seats. Each holds from a deal on, and is stored as a change (`Turns.changes`):

{"deal": 5, "dealer": 2}       position 2 deals deal 5, and the turn goes on from there
{"deal": 7, "swap": [0, 1]}    positions 0 and 1 change seats before deal 7; a chair deals when its turn comes
{"deal": 3, "insert": 1}       a forgotten deal was inserted as deal 3: changes of later deals move up by one
{"deal": 3, "insert": -1}      deal 3 was removed: changes of later deals move down by one
{"back": 0}                    the change at this index of the list, counted from 0, is revoked

Where two players change seats each keeps the position, because the columns of the score sheet are theirs; only the
order of play changes. A swap holds for later changes too: who was named as dealer from deal 9 on deals it in any seat.
Changes of other kinds are in the same list and do not concern the turn. The list is append-only: its beginning is the
state at an earlier time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any


class Role(StrEnum):
    """The part of a player in one deal; the values are stored and part of the API."""

    FH = "FH"
    MH = "MH"
    BH = "BH"
    IDLE = "IDLE"
    H3 = "H3"
    H4 = "H4"

    # Roles are dictionary keys everywhere; str.__hash__ is several times faster than Enum's.
    __hash__ = str.__hash__


ACTIVE = (Role.FH, Role.MH, Role.BH)
FIVE = (Role.FH, Role.MH, Role.H3, Role.H4, Role.BH)
# The roles at a table by its size, and those who are dealt cards, in the order in which reports list them.
ROLES = {2: (Role.FH, Role.BH), 3: ACTIVE, 4: (*ACTIVE, Role.IDLE), 5: FIVE}
PLAYING = ROLES | {4: ACTIVE}
ALL_ROLES = (*ACTIVE, Role.IDLE, Role.H3, Role.H4)
BY_CODE = {role.value: role for role in ALL_ROLES}
# Parties to a payment other than the positions 0, 1, …: the pool, and nobody for points that no player loses.
POOL, NOBODY = -1, -2
# The sizes of tables with a fourth player.
WITH_FOURTH = (4,)

# Roles in order of play from the dealer on.
_FROM_DEALER = {
    2: (Role.BH, Role.FH),
    3: (Role.BH, Role.FH, Role.MH),
    4: (Role.BH, Role.FH, Role.IDLE, Role.MH),
    5: (Role.BH, Role.FH, Role.MH, Role.H3, Role.H4),
}
# The same where the dealer sits out: the last player is backhand.
_DEALER_OUT = {4: (Role.IDLE, Role.FH, Role.MH, Role.BH)}
_ORDERS = {
    dealer_out: {players: (*roles[1:], roles[0]) for players, roles in from_dealer.items()}
    for dealer_out, from_dealer in ((False, _FROM_DEALER), (True, _FROM_DEALER | _DEALER_OUT))
}


def order_around(players: int, *, dealer_out: bool = False) -> tuple[Role, ...]:
    """All roles of a table in order of play, forehand first."""
    return _ORDERS[dealer_out][players]


def from_the_right_of(role: Role, players: int, *, dealer_out: bool = False) -> tuple[Role, ...]:
    """The other roles in order of play, beginning at the right of this one."""
    order = order_around(players, dealer_out=dealer_out)
    start = order.index(role)
    return (*order[start + 1 :], *order[:start])


# Declarer -> the role whose cards the player sitting out takes over; the dealer's partner sits out already.
_TAKEN_OVER = {Role.FH: Role.MH, Role.MH: Role.FH}

_BY_POSITION: dict[tuple[int, int, Role | None], tuple[Role, ...]] = {
    (players, dealer, None): tuple(roles[(position - dealer) % players] for position in range(players))
    for players, roles in _FROM_DEALER.items()
    for dealer in range(players)
} | {
    (4, dealer, taken): tuple(
        {Role.IDLE: taken, taken: Role.IDLE}.get(
            roles[(position - dealer) % 4], roles[(position - dealer) % 4]
        )
        for position in range(4)
    )
    for roles in (_FROM_DEALER[4],)
    for dealer in range(4)
    for taken in _TAKEN_OVER
}
# No hand is taken over where the dealer sits out.
_WITHOUT_DEALER = {
    (players, dealer): tuple(roles[(position - dealer) % players] for position in range(players))
    for players, roles in _DEALER_OUT.items()
    for dealer in range(players)
}
_POSITIONS_WITHOUT_DEALER = {
    key: {role: position for position, role in enumerate(roles)} for key, roles in _WITHOUT_DEALER.items()
}
_POSITIONS = {
    key: {role: position for position, role in enumerate(roles)} for key, roles in _BY_POSITION.items()
}


@lru_cache(maxsize=1024)
def _roles_in(
    order: tuple[int, ...], dealer: int, taken_over: Role | None, dealer_out: bool
) -> tuple[Role, ...]:
    """The role at each position of a table whose order of play differs from its positions."""
    chair = order.index(dealer)
    by_chair = (
        _WITHOUT_DEALER[len(order), chair] if dealer_out else _BY_POSITION[len(order), chair, taken_over]
    )
    return tuple(by_chair[order.index(position)] for position in range(len(order)))


@dataclass(frozen=True, slots=True)
class Seating:
    """A table of two to five players and the position that deals. Raises ValueError for any other table.

    - in_pairs: players opposite each other are partners (tables of four only)
    - taken_over: in pairs, the role whose cards the player sitting out plays, set once the declarer is known
    - order: positions in order of play where players have changed seats; empty for 0, 1, 2 …
    - dealer_out: the dealer sits out at a table of four; ignored at other tables
    """

    players: int
    dealer: int
    in_pairs: bool = False
    taken_over: Role | None = None
    order: tuple[int, ...] = ()
    dealer_out: bool = False

    def __post_init__(self) -> None:
        if (self.players, self.dealer, self.taken_over) not in _BY_POSITION:
            raise ValueError(f"no table of {self.players} with dealer at position {self.dealer}")
        if self.order and sorted(self.order) != list(range(self.players)):
            raise ValueError(f"no order of play at a table of {self.players}: {self.order}")
        if self.in_pairs and self.players not in WITH_FOURTH:
            raise ValueError(f"no pairs at a table of {self.players}")
        if self.dealer_out and self.players not in WITH_FOURTH:
            object.__setattr__(self, "dealer_out", False)
        if self.dealer_out and self.in_pairs:
            raise ValueError("no pairs where the dealer sits out")

    def declared_by(self, declarer: Role | None) -> Seating:
        """The seating once this role declares: in pairs, with the partner's hand taken over."""
        if not self.in_pairs:
            return self
        taken = _TAKEN_OVER.get(declarer) if declarer else None
        return self if taken is self.taken_over else replace(self, taken_over=taken)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The role at each position."""
        if self.order:
            return _roles_in(self.order, self.dealer, self.taken_over, self.dealer_out)
        if self.dealer_out:
            return _WITHOUT_DEALER[self.players, self.dealer]
        return _BY_POSITION[self.players, self.dealer, self.taken_over]

    @property
    def positions(self) -> dict[Role, int]:
        """The position of each role at this table. The dictionary is shared; do not change it."""
        if self.order:
            return {role: position for position, role in enumerate(self.roles)}
        if self.dealer_out:
            return _POSITIONS_WITHOUT_DEALER[self.players, self.dealer]
        return _POSITIONS[self.players, self.dealer, self.taken_over]

    @property
    def around(self) -> tuple[int, ...]:
        """All positions in the order of play."""
        return self.order or tuple(range(self.players))

    def role_of(self, position: int) -> Role:
        """The role of the player at this position."""
        return self.roles[position]

    def position_of(self, role: Role) -> int:
        """The position of a role. Raises KeyError if the table does not have the role."""
        return self.positions[role]

    @property
    def forehand(self) -> int:
        """The position to the dealer's right, which is dealt the first hand and deals next."""
        around = self.around
        return around[(around.index(self.dealer) + 1) % self.players]

    @property
    def sits_out(self) -> int | None:
        """The position that sits out this deal; None at tables without a fourth player."""
        return self.positions.get(Role.IDLE)


def dealer_of(deal: int, players: int, first_dealer: int = 0) -> int:
    """The position that deals deal number `deal`, counted from 1; forehand deals next."""
    return (first_dealer + deal - 1) % players


def deals_each(deals: int, players: int) -> tuple[int, int] | None:
    """The numbers of deals that each player deals and sits out in a round; None if they differ between players."""
    each, left = divmod(deals, players)
    if left:
        return None
    return each, each if players in WITH_FOURTH else 0


Change = Mapping[str, Any]


def changes_in_force(changes: Iterable[Change]) -> list[Change]:
    """The changes that were not revoked, in the order in which they were made, with current deal numbers."""
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


# Almost all deals share a few seatings.
_in_turn = cache(Seating)


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns to deal of one table; `changes` as described at the top of this module, `dealer_out` as in Seating."""

    players: int
    first_dealer: int = 0
    changes: Sequence[Change] = ()
    dealer_out: bool = False

    def seating(self, deal: int, *, in_pairs: bool = False) -> Seating:
        """The seating of deal number `deal`, counted from 1."""
        paired = in_pairs and self.players in WITH_FOURTH
        if not self.changes:
            dealer = dealer_of(deal, self.players, self.first_dealer)
            return _in_turn(self.players, dealer, paired, dealer_out=self.dealer_out)
        around, first = self._as_of(deal)
        dealer = around[dealer_of(deal, self.players, first)]
        order = () if around == sorted(around) else tuple(around)
        return Seating(self.players, dealer, paired, order=order, dealer_out=self.dealer_out)

    def in_turn(self, *, in_pairs: bool = False) -> list[Seating]:
        """The seatings of the first deals, until all have dealt, which then repeat. Empty if there are changes."""
        if self.changes:
            return []
        return [self.seating(deal, in_pairs=in_pairs) for deal in range(1, self.players + 1)]

    def dealer(self, deal: int) -> int:
        """The position that deals deal number `deal`, counted from 1."""
        return self.seating(deal).dealer

    def _as_of(self, deal: int) -> tuple[list[int], int]:
        """The position in each chair in a deal, and the chair that deal 1 would have by the turn as it is then."""
        around, first = list(range(self.players)), self.first_dealer
        turning = [
            change for change in changes_in_force(self.changes) if "dealer" in change or "swap" in change
        ]
        for change in sorted(turning, key=lambda change: int(change["deal"])):
            if change["deal"] > deal:
                break
            if "swap" in change:
                one, other = (around.index(position) for position in change["swap"])
                around[one], around[other] = around[other], around[one]
            else:
                first = (around.index(change["dealer"]) - change["deal"] + 1) % self.players
        return around, first
