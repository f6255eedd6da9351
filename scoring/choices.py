"""Everything that a captain may report, as data with its price, so that a phone needs no rule.

A report is put together from patches: one of a contract's `results` or `rare` ones, any of its `extras`, and
the `joiners`' results. Its JSON is the deep merge of their `set`s (objects are merged, lists are joined) with
`contract`, `declarer` and `trump`, where the seat "DECLARER", as a key or a value, stands for the declarer's, and
"COUNT" for the number that was chosen. `with` names the results that an extra or a joiner goes with, `without`
the extras that exclude each other; extras of one code are one button, whose effect depends on the result.

The effect is the sum of the patches' `tokens[declarer]`, and where there is a pool of their `pool[declarer]`, by
role. A patch that does not name a declarer is not his. An entry of `pool` is a number, so many times what lies in
the pool; `[times, plus, by]`, which is `times * floor((pool + plus) / by)`; or `{"most": n}`, n but no more than the
pool. Roles are the engine's;
`seat_names` are what the rulebook calls them. What the roles win the pool loses, if `zero_sum`.

- `pool`, of the whole: `{"ante", "by_all", "first"}`, first being what lies in it at the first deal; else None
- `fields`: numbers to ask for: `{"name", "kind": "count", "minimum", "maximum", "must"}`, perhaps `with` results
- an extra with `count` `[least, most]` costs its tokens times the number; with `must` there is always one
- `partners`: patches of which exactly one is part of a report, for the `seat` that holds the called king
- `takeovers`: patches by which a `seat` takes over; the report's effect is then that of this seat as declarer, and
  DECLARER stands for it
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from scoring.cards import SPADILLE
from scoring.family_rules import Surrender
from scoring.offers import (
    COUNT,
    Effect,
    Pricing,
    Told,
    lhombre_extras,
    lost_with_first_five,
    rare_reports,
    results,
)
from scoring.outcomes import TRICKS, Outcome
from scoring.report_case import may_join
from scoring.results import OPPONENTS
from scoring.rulebook import Trumps
from scoring.seats import PLAYING, ROLES, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoring.offers import Reports
    from scoring.rulebook import Contract, Rulebook


Patch = dict[str, Any]
_MOST_ESTUCHES = 12


class Offers:
    """What may be reported of one contract."""

    def __init__(self, rulebook: Rulebook, players: int, contract: Contract) -> None:
        self.rulebook = rulebook
        self.house = rulebook.house
        self.players = players
        self.contract = contract
        self.pricing = Pricing(rulebook, players, contract)
        self.declarers = self.pricing.declarers
        self.results = results(rulebook, players, contract)
        self.rare = rare_reports(rulebook, players, contract)

    def as_json(self) -> dict[str, Any]:
        return {
            "results": [self.patch(code, told) for code, told in self.results.items()],
            "rare": [self.patch(code, told) for code, told in self.rare.items()],
            "extras": list(self.extras()),
            "joiners": list(self.joiners()),
            "takeovers": list(self.takeovers()),
            "partners": list(self.partners()),
            "fields": list(self.fields()),
        }

    def extras(self) -> Iterator[Patch]:
        """What is settled beside the contract."""
        for code, told, won_only, without in lhombre_extras(self.rulebook, self.players, self.contract):
            reports = {Outcome.WON.value: self.results[Outcome.WON]} if won_only else self.results
            for patch in self.beside(code, told, reports):
                yield patch | {"without": list(without)}
        any_report = self.results | self.rare
        yield from self.bids(any_report)
        if lost := lost_with_first_five(self.rulebook, self.contract, self.results):
            yield from self.beside("contraprimeras", {"first_five_by": OPPONENTS}, lost)
        if self.contract.counts_as and self.contract.trumps is Trumps.TURNED:
            yield from self.beside("turned_spadille", {"turned": SPADILLE, "trump": SPADILLE[0]}, any_report)
        if self.pricing.counts_estuches:
            more = {"count": [1, _MOST_ESTUCHES], "must": True}
            for patch in self.beside("estuches", {"estuches": 2}, any_report, {"estuches": 1}):
                yield patch | {"set": {"estuches": COUNT}} | more

    def bids(self, reports: Reports) -> Iterator[Patch]:
        """Bonus bids, made or failed as the result has it; where several may be made, each set of them."""
        possible = self.contract.bonus_bids
        most = len(possible) if self.house.several_bonus_bids else min(len(possible), 1)
        patches = [
            patch
            for size in range(1, most + 1)
            for bids in combinations(possible, size)
            for patch in self.beside("", {"bonus_bid": list(bids) if size > 1 else bids[0]}, reports)
        ]
        codes = list(dict.fromkeys(patch["code"] for patch in patches))
        for patch in patches:
            yield patch | {"without": [code for code in codes if code != patch["code"]]}

    def beside(self, code: str, told: Told, reports: Reports, before: Told | None = None) -> Iterator[Patch]:
        """One patch for all reports beside which something costs the same; `before` is told without it."""
        groups: list[Patch] = []
        for result, fields in reports.items():
            effects = self.pricing.effects(fields | told)
            plain = self.pricing.effects(fields | (before or {}))
            patch = self.priced(
                code or _bid_code(next(iter(effects.values())).codes),
                told,
                {declarer: effect.beside(plain[declarer]) for declarer, effect in effects.items()},
            )
            group = next((group for group in groups if _alike(group, patch)), None)
            if group is None:
                group = patch | {"with": [], "without": []}
                groups.append(group)
            for part in {"tokens", "pool"} & patch.keys():
                group[part] |= patch[part]
            group["with"].append(result)
        yield from groups

    def joiners(self) -> Iterator[dict[str, Any]]:
        """Who else becomes a declarer of this nolo, with the account of each; the fourth player must."""
        for role in ROLES[self.players]:
            declarers = [
                declarer
                for declarer in self.declarers
                if role in may_join(self.contract, declarer, self.players)
            ]
            if not declarers:
                continue
            must = role is Role.IDLE or self.contract.all_join
            accounts = [self.joined(role, declarers, took) for took in range(TRICKS + 1)]
            if role is Role.IDLE:
                accounts.append(self.joined(role, declarers, None))
            yield {"seat": role.value, "must": must, "with": list(self.results), "results": accounts}

    def joined(self, role: Role, declarers: Sequence[Role], took: int | None) -> Patch:
        """The account of one who joined and took so many tricks; None gave the hand up."""
        tokens = _by_code(self.pricing.joined(role, took))
        told = {"idle_abandoned": True} if took is None else {"tricks": {role.value: took}}
        return {
            "code": "gave_up" if took is None else f"tricks_{took}",
            "set": {"joined": [role.value]} | told,
            "tokens": {declarer.value: tokens for declarer in declarers},
        }

    def takeovers(self) -> Iterator[Patch]:
        """Who may take the contract over from a declarer who surrenders it."""
        if self.contract.surrender is Surrender.TAKE_OVER:
            for role in PLAYING[self.players]:
                yield {"seat": role.value, "set": {"abandoned": True, "takeover": role.value}}

    def partners(self) -> Iterator[Patch]:
        """Who may be the declarer's partner, with all but the declarer's own part of each report."""
        if not self.contract.with_partner:
            return
        for role in ROLES[self.players]:
            for code, told in (self.results | self.rare).items():
                effects = {
                    declarer: self.pricing.effect(told | {"partner": role.value}, declarer).without(declarer)
                    for declarer in self.declarers
                    if declarer is not role
                }
                patch = self.priced(f"partner_{role}", {"partner": role.value}, effects)
                yield patch | {"seat": role.value, "with": [code]}

    def fields(self) -> Iterator[dict[str, Any]]:
        """Numbers that a report needs, or may have, beside what patches set."""
        if self.rulebook.pool is not None:
            yield {"name": "pool", "kind": "count", "minimum": 0, "must": True}
        if self.contract.surrender is not Surrender.NEVER:
            last = self.rulebook.play.give_up_before
            yield {"name": "before_trick", "kind": "count", "minimum": 1, "maximum": last, "must": False,
                   "with": ["abandoned"]}  # fmt: skip

    def patch(self, code: str, told: Told) -> Patch:
        """A report with its whole effect; of a game with partners the declarer's own part."""
        effects = {}
        for declarer, effect in self.pricing.effects(told).items():
            if self.contract.with_partner:
                own = {declarer: effect.pool[declarer]} if declarer in effect.pool else {}
                effect = Effect(dict.fromkeys(effect.tokens, 0), own)  # noqa: PLW2901 - the part of it
            effects[declarer] = effect
        return self.priced(code, told, effects)

    def priced(self, code: str, told: Told, effects: Mapping[Role, Effect]) -> Patch:
        patch: Patch = {
            "code": code,
            "set": told,
            "tokens": {declarer.value: _by_code(effect.tokens) for declarer, effect in effects.items()},
        }
        if self.rulebook.pool is not None:
            patch["pool"] = {declarer.value: _by_code(effect.pool) for declarer, effect in effects.items()}
        return patch


def _by_code(amounts: Mapping[Role, Any]) -> dict[str, Any]:
    return {role.value: amount for role, amount in amounts.items()}


def _alike(one: Patch, other: Patch) -> bool:
    """Whether two patches say and cost the same for every declarer whom both are about."""
    return one["code"] == other["code"] and all(
        one[part].get(declarer, effect) == effect
        for part in {"tokens", "pool"} & other.keys()
        for declarer, effect in other[part].items()
    )


def _bid_code(codes: Sequence[str]) -> str:
    """What became of the bids: the account's lines that say so."""
    return "+".join(code for code in codes if code.endswith(("_made", "_failed")))


@lru_cache(maxsize=32)
def choices(rulebook: Rulebook, players: int) -> dict[str, Any]:
    """All that may be reported at a table of so many, JSON-able; tokens are net changes by role.

    Pricing it all takes up to 30 ms. The answer is shared: it is not to be changed.
    """
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
    return {
        "id": row.id,
        "name": row.name,
        "kind": row.kind.value,
        "rank": row.rank,
        "group": row.group,
        "declarers": [role.value for role in row.declarers_at(players)],
        "trumps": [suit for suit in row.suits if f"{suit}K" in rulebook.pack.cards],
        "trump_must": not row.or_sans,
        **Offers(rulebook, players, row).as_json(),
    }
