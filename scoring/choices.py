"""Everything that a captain may report, as data with its price, so that a phone needs no rule.

A report is put together from patches: one of a contract's `results` or `rare` ones, any of its `extras`, and
the `joiners`' results. Its JSON is the deep merge of their `set`s (objects are merged, lists are joined) with
`contract`, `declarer` and `trump`, where the seat "DECLARER", as a key or a value, stands for the declarer's, and
"COUNT" for the number that was chosen. `with` names the results that an extra or a joiner goes with, `without`
the extras that exclude each other; extras of one code are one button, whose effect depends on the result.

The effect is the sum of the patches' `tokens[declarer]`, and where there is a pool of their `pool[declarer]`, by
role. A patch that does not name a declarer is not his. An entry of `pool` is a number, so many times what lies in
the pool; or `[times, plus, by]`, which is `times * floor((pool + plus) / by)`. Roles are the engine's;
`seat_names` are what the rulebook calls them. What the roles win the pool loses, if `zero_sum`.

- `pool`, of the whole: `{"ante", "by_all", "first"}`, first being what lies in it at the first deal; else None
- `fields`: numbers to ask for: `{"name", "kind": "count", "minimum", "maximum", "must"}`, perhaps `with` results
- an extra with `count` `[least, most]` costs its tokens times the number; with `must` there is always one
- `partners`: patches of which exactly one is part of a report, for the `seat` that holds the called king
- `takeovers`: patches by which a `seat` takes over; the report's effect is then that of this seat as declarer, and
  DECLARER stands for it
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.cards import Kind
from scoring.checks import may_join
from scoring.contracts import Family
from scoring.offers import DECLARER, Offers
from scoring.outcomes import KODILLE_FROM, TRICKS, Outcome
from scoring.prices import joined_lines
from scoring.prices.lines import (
    Line,
    aces_line,
    first_five_line,
    game_line,
    kodille_line,
    repeat_line,
    tout_line,
)
from scoring.prices.shares import shares_of
from scoring.seats import ROLES, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scoring.contracts import Contract
    from scoring.rulebook import Rulebook

Patch = dict[str, Any]
_MAIN = (Outcome.WON, Outcome.BETE, Outcome.KODILLE)


def choices(rulebook: Rulebook, players: int) -> dict[str, Any]:
    """All that may be reported at a table of so many, JSON-able; tokens are net changes by role."""
    return {
        "rulebook": rulebook.id,
        "players": players,
        "roles": [role.value for role in ROLES[players]],
        "seat_names": {role.value: rulebook.seat_name(role) for role in ROLES[players]},
        "zero_sum": rulebook.zero_sum,
        "pool": rulebook.pool
        and {
            "ante": rulebook.pool.ante,
            "by_all": rulebook.pool.by_all,
            "first": rulebook.pool.each_deal(players),
        },
        "all_passed": rulebook.may_be_passed_out(players),
        "contracts": [_contract(rulebook, players, row) for row in rulebook.contracts_at(players)],
    }


def _contract(rulebook: Rulebook, players: int, row: Contract) -> dict[str, Any]:
    offers = _Offers if rulebook.house.family is Family.LHOMBRE else Offers
    return {
        "id": row.id,
        "name": row.name,
        "kind": row.kind.value,
        "rank": row.rank,
        "group": row.group,
        "declarers": [role.value for role in row.declarers_at(players)],
        "trumps": [suit for suit in row.suits if f"{suit}K" in rulebook.pack.cards],
        "trump_must": not row.or_sans,
        **offers(rulebook, players, row).as_json(),
    }


class _Offers:
    """What may be reported of one contract."""

    def __init__(self, rulebook: Rulebook, players: int, contract: Contract) -> None:
        self.rulebook = rulebook
        self.house = rulebook.house
        self.players = players
        self.contract = contract
        self.declarers = contract.declarers_at(players)

    def as_json(self) -> dict[str, Any]:
        results, rare = self.results(), self.rare()
        return {
            "results": results,
            "rare": rare,
            "extras": list(self.extras([result["code"] for result in results])),
            "joiners": list(self.joiners([result["code"] for result in results])),
            "takeovers": [],
            "partners": [],
            "fields": [],
        }

    def results(self) -> list[Patch]:
        """How the deal was won or lost; tricks are asked for where each one costs."""
        if not self.contract.extra_per_trick:
            return [self.patch(outcome, {"outcome": outcome.value}, self.lines(outcome)) for outcome in _MAIN]
        kodilles = [
            self.patch(f"tricks_{took}", {"tricks": {DECLARER: took}}, self.lines(Outcome.KODILLE, took))
            for took in range(KODILLE_FROM, TRICKS + 1)
        ]
        return [
            self.patch(Outcome.WON, {"tricks": {DECLARER: 0}}, self.lines(Outcome.WON)),
            self.patch(Outcome.BETE, {"tricks": {DECLARER: 1}}, self.lines(Outcome.BETE)),
            *kodilles,
        ]

    def lines(self, outcome: Outcome, took: int | None = None) -> list[Line]:
        lines = [game_line(self.contract, outcome)]
        return [*lines, kodille_line(self.contract, took)] if outcome is Outcome.KODILLE else lines

    def rare(self) -> list[Patch]:
        """What comes in place of a result: the hand given up, an exchange fouled."""
        patches = []
        if self.contract.may_be_abandoned:
            lines = self.lines(Outcome.BETE)
            tokens = {
                declarer.value: self.tokens(declarer, lines, joined=False) for declarer in self.declarers
            }
            patches.append({"code": "abandoned", "set": {"abandoned": True}, "tokens": tokens})
        if self.house.fouls:
            fourth_plays = self.contract.by_fourth
            patches += [
                self.foul(role) for role in ROLES[self.players] if fourth_plays or role is not Role.IDLE
            ]
        return patches

    def foul(self, foul: Role) -> Patch:
        lost = Outcome(self.house.declarer_foul)
        tokens = {
            declarer.value: self.tokens(
                declarer, self.lines(lost if foul is declarer else Outcome.WON), foul=foul
            )
            for declarer in self.declarers
        }
        return {"code": f"foul_{foul}", "set": {"foul": foul.value}, "tokens": tokens}

    def extras(self, results: list[str]) -> Iterable[Patch]:
        """What is settled beside the contract."""
        house = self.house
        won = [Outcome.WON.value]
        if self.contract.kind is not Kind.NOLO:
            yield self.bonus("tout", "won", tout_line, won, ["tout_failed", "five_first_failed"])
            tried = results if house.tout_counts_in_defeat else won
            yield self.bonus("tout", "failed", tout_line, tried, ["tout_won"])
            if house.first_five_bonus:
                yield self.bonus("five_first", "won", first_five_line, won, ["five_first_failed"])
                yield self.bonus(
                    "five_first", "failed", first_five_line, results, ["five_first_won", "tout_won"]
                )
        if house.repeat_exchange and self.contract.may_repeat_exchange:
            line = repeat_line(self.contract)
            yield self.patch(line.code, {line.code: True}, [line], {"with": results, "without": []})
        if house.aces_bonus and self.contract.may_have_aces:
            line = aces_line(house.aces_bonus)
            yield self.patch(line.code, {line.code: True}, [line], {"with": won, "without": []})

    def bonus(
        self, field: str, how: str, line: Callable[[str], Line], results: list[str], without: list[str]
    ) -> Patch:
        return self.patch(f"{field}_{how}", {field: how}, [line(how)], {"with": results, "without": without})

    def joiners(self, results: list[str]) -> Iterable[dict[str, Any]]:
        """Who else becomes a declarer of this nolo, with the account of each; the fourth player must."""
        for role in ROLES[self.players]:
            declarers = [
                declarer
                for declarer in self.declarers
                if role in may_join(self.contract, declarer, self.players)
            ]
            if not declarers:
                continue
            accounts = [self.joined(role, declarers, took) for took in range(TRICKS + 1)]
            if role is Role.IDLE:
                accounts.append(self.joined(role, declarers, None))
            yield {"seat": role.value, "must": role is Role.IDLE, "with": results, "results": accounts}

    def joined(self, role: Role, declarers: list[Role], took: int | None) -> Patch:
        tokens = self.tokens(role, joined_lines(self.contract, took))
        told = {"idle_abandoned": True} if took is None else {"tricks": {role.value: took}}
        return {
            "code": "gave_up" if took is None else f"tricks_{took}",
            "set": {"joined": [role.value]} | told,
            "tokens": {declarer.value: tokens for declarer in declarers},
        }

    def patch(
        self, code: str, told: dict[str, Any], lines: list[Line], more: dict[str, Any] | None = None
    ) -> Patch:
        tokens = {declarer.value: self.tokens(declarer, lines) for declarer in self.declarers}
        return {"code": str(code), "set": told, "tokens": tokens} | (more or {})

    def tokens(
        self, owner: Role, lines: list[Line], foul: Role | None = None, *, joined: bool = True
    ) -> dict[str, int]:
        """Net change by role of one declarer's account."""
        each = sum(line.each for line in lines)
        # A foul, and giving up, come before the fourth player could join.
        fourth_plays = self.contract.by_fourth or (self.contract.fourth_joins and foul is None and joined)
        tokens = dict.fromkeys((role.value for role in ROLES[self.players]), 0)
        for payer in shares_of(owner, self.players, self.house, fourth_plays, foul):
            tokens[payer] -= each
            tokens[owner] += each
        return tokens
