"""All reports that a captain can enter, as JSON with their prices, so that a phone needs no rules.

A report is put together from patches: one of a contract's `results` or `rare` ones, any of its `extras`, and
the `joiners`' results. Its JSON is the deep merge of their `set`s (objects are merged, lists are joined) with
`contract`, `declarer` and `trump`, where the seat "DECLARER", as a key or a value, stands for the declarer's, and
"COUNT" for the number that the captain enters. `with` names the results that an extra or a joiner goes with, `without`
the extras that exclude each other; extras of one code are one button, whose effect depends on the result.

The effect is the sum of the patches' `tokens[declarer]`, and where there is a pool of their `pool[declarer]`, by
role. A patch without an entry for a declarer is not offered for this declarer. An entry of `pool` is a factor of the
tokens in the pool; `[times, plus, by]`, which is `times * floor((pool + plus) / by)`; or `{"most": n}`, which is
`min(n, pool)`. Roles are the engine's; `seat_names` has the rulebook's names. The pool loses what the roles win, if
`zero_sum`.

- `pool` at the top level: `{"ante", "by_all", "first"}`, first being the pool at the first deal; None without a pool
- `fields`: numbers to enter: `{"name", "kind": "count", "minimum", "maximum", "must"}`, perhaps `with` results
- an extra with `count` `[least, most]` costs its tokens times the number; with `must` there is always one
- `partners`: patches of which exactly one is part of a report, for the `seat` that holds the called king
- `takeovers`: patches by which a `seat` takes over; the effect is then that of this seat as declarer, and DECLARER
  is this seat
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
    Fields,
    Pricing,
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
    """The patches for one contract."""

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
        """The patches by their kind, as `choices` describes them."""
        return {
            "results": [self.patch(code, fields) for code, fields in self.results.items()],
            "rare": [self.patch(code, fields) for code, fields in self.rare.items()],
            "extras": list(self.extras()),
            "joiners": list(self.joiners()),
            "takeovers": list(self.takeovers()),
            "partners": list(self.partners()),
            "fields": list(self.fields()),
        }

    def extras(self) -> Iterator[Patch]:
        """The additions to a result, with their price."""
        for code, fields, won_only, without in lhombre_extras(self.rulebook, self.players, self.contract):
            reports = {Outcome.WON.value: self.results[Outcome.WON]} if won_only else self.results
            for patch in self.addition(code, fields, reports):
                yield patch | {"without": list(without)}
        any_report = self.results | self.rare
        yield from self.bids(any_report)
        if lost := lost_with_first_five(self.rulebook, self.contract, self.results):
            yield from self.addition("contraprimeras", {"first_five_by": OPPONENTS}, lost)
        if self.contract.counts_as and self.contract.trumps is Trumps.TURNED:
            yield from self.addition(
                "turned_spadille", {"turned": SPADILLE, "trump": SPADILLE[0]}, any_report
            )
        if self.pricing.counts_estuches:
            more = {"count": [1, _MOST_ESTUCHES], "must": True}
            for patch in self.addition("estuches", {"estuches": 2}, any_report, {"estuches": 1}):
                yield patch | {"set": {"estuches": COUNT}} | more

    def bids(self, reports: Reports) -> Iterator[Patch]:
        """The bonus bids, made or failed depending on the result; every combination where several are allowed."""
        possible = self.contract.bonus_bids
        most = len(possible) if self.house.several_bonus_bids else min(len(possible), 1)
        patches = [
            patch
            for size in range(1, most + 1)
            for bids in combinations(possible, size)
            for patch in self.addition("", {"bonus_bid": list(bids) if size > 1 else bids[0]}, reports)
        ]
        codes = list(dict.fromkeys(patch["code"] for patch in patches))
        for patch in patches:
            yield patch | {"without": [code for code in codes if code != patch["code"]]}

    def addition(
        self, code: str, fields: Fields, reports: Reports, base: Fields | None = None
    ) -> Iterator[Patch]:
        """One patch that adds `fields`, for each group of reports in which the addition costs the same.

        The price is the difference to the report with the fields of `base` instead.
        """
        groups: list[Patch] = []
        for result, reported in reports.items():
            effects = self.pricing.effects(reported | fields)
            plain = self.pricing.effects(reported | (base or {}))
            patch = self.priced(
                code or _bid_code(next(iter(effects.values())).codes),
                fields,
                {declarer: effect.minus(plain[declarer]) for declarer, effect in effects.items()},
            )
            group = next((group for group in groups if _same_price(group, patch)), None)
            if group is None:
                group = patch | {"with": [], "without": []}
                groups.append(group)
            for part in {"tokens", "pool"} & patch.keys():
                group[part] |= patch[part]
            group["with"].append(result)
        yield from groups

    def joiners(self) -> Iterator[dict[str, Any]]:
        """The roles that may join this nolo, with a patch for each number of tricks; the fourth player must join."""
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
        """The patch of a role that joined and took a number of tricks; None gave up the hand."""
        tokens = _by_code(self.pricing.joined(role, took))
        fields = {"idle_abandoned": True} if took is None else {"tricks": {role.value: took}}
        return {
            "code": "gave_up" if took is None else f"tricks_{took}",
            "set": {"joined": [role.value]} | fields,
            "tokens": {declarer.value: tokens for declarer in declarers},
        }

    def takeovers(self) -> Iterator[Patch]:
        """The patches by which another role takes over a surrendered contract."""
        if self.contract.surrender is Surrender.TAKE_OVER:
            for role in PLAYING[self.players]:
                yield {"seat": role.value, "set": {"abandoned": True, "takeover": role.value}}

    def partners(self) -> Iterator[Patch]:
        """The patches that name the partner, priced with each report except for the declarer's own part."""
        if not self.contract.with_partner:
            return
        for role in ROLES[self.players]:
            for code, fields in (self.results | self.rare).items():
                effects = {
                    declarer: self.pricing.effect(fields | {"partner": role.value}, declarer).without(
                        declarer
                    )
                    for declarer in self.declarers
                    if declarer is not role
                }
                patch = self.priced(f"partner_{role}", {"partner": role.value}, effects)
                yield patch | {"seat": role.value, "with": [code]}

    def fields(self) -> Iterator[dict[str, Any]]:
        """The numbers that a report needs or may have besides its patches."""
        if self.rulebook.pool is not None:
            yield {"name": "pool", "kind": "count", "minimum": 0, "must": True}
        if self.contract.surrender is not Surrender.NEVER:
            last = self.rulebook.play.give_up_before
            yield {"name": "before_trick", "kind": "count", "minimum": 1, "maximum": last, "must": False,
                   "with": ["abandoned"]}  # fmt: skip

    def patch(self, code: str, fields: Fields) -> Patch:
        """The patch of a report with its effect; only the declarer's own part in contracts with a partner."""
        effects = {}
        for declarer, effect in self.pricing.effects(fields).items():
            effects[declarer] = effect
            if self.contract.with_partner:
                own = {declarer: effect.pool[declarer]} if declarer in effect.pool else {}
                effects[declarer] = Effect(dict.fromkeys(effect.tokens, 0), own)
        return self.priced(code, fields, effects)

    def priced(self, code: str, fields: Fields, effects: Mapping[Role, Effect]) -> Patch:
        """The JSON of a patch: code, fields to set, and its effect by declarer."""
        patch: Patch = {
            "code": code,
            "set": fields,
            "tokens": {declarer.value: _by_code(effect.tokens) for declarer, effect in effects.items()},
        }
        if self.rulebook.pool is not None:
            patch["pool"] = {declarer.value: _by_code(effect.pool) for declarer, effect in effects.items()}
        return patch


def _by_code(amounts: Mapping[Role, Any]) -> dict[str, Any]:
    return {role.value: amount for role, amount in amounts.items()}


def _same_price(one: Patch, other: Patch) -> bool:
    """Whether two patches have the same code, and the same effect for every declarer that both have."""
    return one["code"] == other["code"] and all(
        one[part].get(declarer, effect) == effect
        for part in {"tokens", "pool"} & other.keys()
        for declarer, effect in other[part].items()
    )


def _bid_code(codes: Sequence[str]) -> str:
    """The code of a set of bids: those of the account's lines for bids made and failed, joined by `+`."""
    return "+".join(code for code in codes if code.endswith(("_made", "_failed")))


@lru_cache(maxsize=32)
def choices(rulebook: Rulebook, players: int) -> dict[str, Any]:
    """All reports that can be entered at a table of this size, as JSON; tokens are net changes by role.

    Computing it takes up to 30 ms. The result is cached and shared; callers must not change it.
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
    """The JSON of one contract with its patches."""
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
