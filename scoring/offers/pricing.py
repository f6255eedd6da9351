"""What an offer changes: an offer is a report in the making, and its effect is read off the accounts of that report.

So it cannot differ from what is settled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scoring.checks import examine
from scoring.outcomes import TRICKS
from scoring.prices import declarer_lines, joined_lines, lines_of_joined
from scoring.prices.lines import Side
from scoring.prices.shares import divided, shares_of
from scoring.results import read_result
from scoring.seats import ROLES, WITH_FOURTH, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.checks import Case
    from scoring.contracts import Contract
    from scoring.prices.lines import Line
    from scoring.rulebook import Rulebook

Told = dict[str, Any]
# Times the pool, `[times, plus, by]`: so many times the whole part of pool and plus divided by `by`; or `{"most": n}`:
# n tokens, but no more than lie in the pool.
Factor = int | list[int] | dict[str, int]
Tokens = dict[Role, int]
DECLARER, COUNT = "DECLARER", "COUNT"
# What comes before the fourth player could join a nolo.
_BEFORE_JOINING = frozenset(("abandoned", "foul"))


@dataclass(frozen=True, slots=True)
class Effect:
    """What an offer changes, by role: tokens, and the pool's part; `codes` are those of the account's lines."""

    tokens: Tokens
    pool: dict[Role, Factor] = field(default_factory=dict)
    codes: tuple[str, ...] = ()

    def beside(self, other: Effect) -> Effect:
        """What this has beyond the other."""
        tokens = {role: count - other.tokens[role] for role, count in self.tokens.items()}
        pool = {role: part for role, part in self.pool.items() if part != other.pool.get(role)}
        return Effect(tokens, pool)

    def without(self, role: Role) -> Effect:
        """The same without one role's part of the pool."""
        return Effect(self.tokens, {other: part for other, part in self.pool.items() if other is not role})


class Pricing:
    """Prices what may be told of one contract."""

    def __init__(self, rulebook: Rulebook, players: int, contract: Contract) -> None:
        self.rulebook = rulebook
        self.house = rulebook.house
        self.players = players
        self.contract = contract
        self.declarers = contract.declarers_at(players)
        self.seating = rulebook.seating(players, players - 1)
        self.counts_estuches = self.house.counts_estuches and self.house.estuche_price > 0
        self.fourth_joins = contract.fourth_joins and players in WITH_FOURTH

    def effects(self, told: Told) -> dict[Role, Effect]:
        """The effect for each declarer of whom it can be told: nobody beats himself."""
        winners = told.get("won_by", ())
        return {
            declarer: self.effect(told, declarer)
            for declarer in self.declarers
            if declarer.value not in winners
        }

    def effect(self, told: Told, declarer: Role) -> Effect:
        """What a report changes in the declarer's account; estuches that are not told count as none."""
        if self.counts_estuches and "estuches" not in told:
            one, two = (self.effect(told | {"estuches": count}, declarer) for count in (1, 2))
            tokens = {role: 2 * count - two.tokens[role] for role, count in one.tokens.items()}
            return Effect(tokens, one.pool, one.codes)
        fields = self._needed(told, declarer) | {"contract": self.contract.id, "declarer": declarer.value}
        for name, value in told.items():
            fields[name] = _in_place(value, declarer)
        if self.contract.all_join and "tricks" in fields:
            first, second = (
                role for role in ROLES[self.players] if role is not declarer and role is not Role.IDLE
            )
            fields["tricks"] |= {first.value: TRICKS - fields["tricks"][declarer.value], second.value: 0}
        case, found = examine(read_result(fields, self.seating), self.players, self.rulebook)
        if case is None or any(not problem.is_warning for problem in found):
            raise RuntimeError(f"the rules refuse what they offer: {fields}: {found}")
        return self._account(case)

    def _needed(self, told: Told, declarer: Role) -> Told:
        """What a report needs beside the offer: it is priced apart, or is the same for all."""
        fields: Told = {}
        if self.rulebook.pool is not None:
            fields["pool"] = self.rulebook.pool.each_deal(self.players)
        if self.contract.with_partner and "partner" not in told:
            fields["partner"] = next(role for role in ROLES[self.players] if role is not declarer).value
        if self.fourth_joins and told.keys().isdisjoint(_BEFORE_JOINING):
            fields |= {"joined": [Role.IDLE.value], "idle_abandoned": True}
        return fields

    def joined(self, owner: Role, tricks: int | None) -> Tokens:
        """The account of one who joined a nolo and took so many tricks; None gave that hand up."""
        return self._settled_with_each(
            owner, joined_lines(self.contract, tricks), fourth_plays=self.fourth_joins
        )

    def _settled_with_each(
        self, owner: Role, lines: Iterable[Line], *, fourth_plays: bool, foul: Role | None = None
    ) -> Tokens:
        each = sum(line.each for line in lines if line.side is Side.EACH)
        tokens = dict.fromkeys(ROLES[self.players], 0)
        for payer in shares_of(owner, self.players, self.house, fourth_plays, foul):
            tokens[payer] -= each
            tokens[owner] += each
        return tokens

    def _account(self, case: Case) -> Effect:
        """The declarer's account, and that of a fourth player who fouled the exchange when he joined."""
        lines, result = declarer_lines(case), case.result
        fourth_plays = self.contract.by_fourth or Role.IDLE in result.joined
        tokens = self._settled_with_each(case.declarer, lines, fourth_plays=fourth_plays, foul=result.foul)
        pool: dict[Role, Factor] = {}
        for line in lines:
            if line.side is not Side.EACH:
                _enter(line, case, tokens, pool)
        for role in result.joined if result.foul else ():
            own = lines_of_joined(case, role)
            beside = self._settled_with_each(role, own, fourth_plays=fourth_plays, foul=result.foul)
            tokens = {seat: count + beside[seat] for seat, count in tokens.items()}
        return Effect(tokens, pool, tuple(line.code for line in lines))


def _enter(line: Line, case: Case, tokens: Tokens, pool: dict[Role, Factor]) -> None:
    """Enter a line that is not settled with each."""
    shares = divided(line, case)
    for share in shares:
        if share.capped and share.tokens > 0:
            pool[share.own] = {"most": share.tokens}
            continue
        part: Factor = share.times if share.by == 1 else [share.times, share.plus, share.by]
        tokens[share.own] += share.tokens
        if line.side is not Side.WINNERS:
            _add(pool, share.own, part)
        if isinstance(share.other, Role):
            tokens[share.other] -= share.tokens
            _add(pool, share.other, _negative(part))
    if line.side is Side.WINNERS:
        # However it is divided, the declarer pays all of it.
        tokens[case.declarer] += line.each - sum(share.tokens for share in shares)
        _add(pool, case.declarer, line.pool)


def _in_place(value: Any, declarer: Role) -> Any:
    """A told value with the declarer's seat in DECLARER's place."""
    if isinstance(value, dict):
        return {declarer.value if seat == DECLARER else seat: count for seat, count in value.items()}
    return declarer.value if value == DECLARER else value


def _negative(part: Factor) -> Factor:
    return [-part[0], *part[1:]] if isinstance(part, list) else -part if isinstance(part, int) else part


def _add(pool: dict[Role, Factor], role: Role, part: Factor) -> None:
    """Add a part; those that are divided are divided alike."""
    known = pool.get(role, 0)
    if isinstance(part, int) and isinstance(known, int):
        total: Factor = known + part
    elif isinstance(part, list) and isinstance(known, list):
        total = [known[0] + part[0], *part[1:]]
    else:
        total = part if known == 0 else known
    if total:
        pool[role] = total
