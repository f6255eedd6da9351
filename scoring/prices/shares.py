"""Who settles a declarer's account, and what each pays of a line that is not settled with each alike."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from scoring.family_rules import LHombreRules
from scoring.prices.lines import Side
from scoring.seats import ACTIVE, NOBODY, PLAYING, POOL, ROLES, from_the_right_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.checks import Case
    from scoring.family_rules import HouseRules
    from scoring.prices.lines import Line
    from scoring.seats import Role

_TWO_THIRDS, _THIRDS = 2, 3


class Share(NamedTuple):
    """What one seat (or the pool, or nobody) pays a declarer of a line, or gets if negative.

    It is `tokens`, and `times` the pool and `plus` together, divided by `by` and rounded down; `capped` tokens are no
    more than lie in the pool.
    """

    own: Role
    other: Role | int
    tokens: int = 0
    times: int = 0
    plus: int = 0
    by: int = 1
    capped: bool = False

    def amount(self, pool: int) -> int:
        """The tokens with so many in the pool."""
        tokens = min(self.tokens, pool) if self.capped else self.tokens
        return tokens + self.times * ((pool + self.plus) // self.by)


def divided(line: Line, case: Case) -> list[Share]:
    """The shares of a line that is not settled with each."""
    declarer, partner = case.declarer, case.result.partner
    if line.side is Side.WINNERS:
        return _among_winners(line, case)
    if line.side is Side.TOGETHER:
        return _together(line, case)
    if line.side is Side.OPPONENTS:
        opponents = [role for role in case.defenders if role is not partner]
        owners = [declarer] * len(opponents) if partner is None else [declarer, declarer, partner]
        return [
            Share(own, other, times=line.pool, by=len(opponents))
            for own, other in zip(owners, opponents, strict=True)
        ]
    if partner is not None:
        return [
            Share(declarer, POOL, times=_TWO_THIRDS * line.pool, by=_THIRDS),
            Share(partner, POOL, times=line.pool, by=_THIRDS),
        ]
    other = NOBODY if line.side is Side.NOBODY else POOL
    return [Share(declarer, other, line.each, line.pool, capped=line.capped)]


def _among_winners(line: Line, case: Case) -> list[Share]:
    """Equal shares, an odd token to the one who is nearer at the declarer's right."""
    owed, count = -line.each, len(case.winners)
    if count == 1 or not line.pool:
        return [
            Share(case.declarer, winner, -((owed + count - 1 - place) // count), line.pool)
            for place, winner in enumerate(case.winners)
        ]
    return [
        Share(case.declarer, winner, 0, line.pool, owed + count - 1 - place, count)
        for place, winner in enumerate(case.winners)
    ]


def _together(line: Line, case: Case) -> list[Share]:
    """Equal shares of all who settle, an odd token to the one who is nearer at the declarer's right."""
    settling = shares_of(case.declarer, case.players, case.rulebook.house, case.contract.by_fourth)
    sign = 1 if line.each > 0 else -1
    whole, odd = divmod(abs(line.each), len(settling))
    dealer_out = case.rulebook.dealer_sits_out
    order = from_the_right_of(case.declarer, case.players, dealer_out=dealer_out)
    others = [role for role in order if role in settling]
    return [Share(case.declarer, role, sign * (whole + (place < odd))) for place, role in enumerate(others)]


def shares_of(
    owner: Role, players: int, house: HouseRules, fourth_plays: bool, foul: Role | None = None
) -> Sequence[Role]:
    """Who pays or receives each share of a declarer's account.

    Everybody who plays has one share, a player who sits out by the option only. A defender who fouled the
    exchange takes over the others' shares, that of a player who sits out by the option only.
    """
    shares = _settling(owner, players, fourth_plays or house.idle_settles)
    if foul is None or foul is owner:
        return shares
    covered = shares if fourth_plays or LHombreRules.of(house).defender_foul_covers_idle else ACTIVE
    return [foul if role in covered else role for role in shares]


@cache
def _settling(owner: Role, players: int, fourth_settles: bool) -> tuple[Role, ...]:
    return tuple(role for role in (ROLES if fourth_settles else PLAYING)[players] if role is not owner)
