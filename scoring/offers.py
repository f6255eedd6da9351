"""What may be reported in the games beside l'hombre, priced by settling each offer: patches as `choices` describes.

An offer is a report in the making; its effect is read off the declarer's account, so that it cannot differ from
what is settled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from scoring.cards import SPADILLE
from scoring.checks import bonus_bids, examine
from scoring.contracts import Family, Trumps
from scoring.outcomes import FIRST_FIVE, Outcome
from scoring.prices import declarer_lines
from scoring.prices.lines import Side
from scoring.prices.shares import divided, shares_of
from scoring.procedure import Surrender
from scoring.results import OPPONENTS, read_result
from scoring.seats import PLAYING, ROLES, Role, Seating

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scoring.contracts import Contract
    from scoring.rulebook import Rulebook

Patch = dict[str, Any]
Told = dict[str, Any]
# Times the pool, or `[times, plus, by]`: so many times the whole part of pool and plus divided by `by`.
Factor = int | list[int]
DECLARER, COUNT = "DECLARER", "COUNT"
_MOST_ESTUCHES = 12


@dataclass(frozen=True, slots=True)
class Effect:
    """What an offer changes, by role: tokens, and the pool's part."""

    tokens: dict[Role, int]
    pool: dict[Role, Factor] = field(default_factory=dict)
    extras: tuple[str, ...] = ()

    def beside(self, other: Effect) -> Effect:
        """What this has beyond the other."""
        tokens = {role: count - other.tokens[role] for role, count in self.tokens.items()}
        pool = {role: part for role, part in self.pool.items() if part != other.pool.get(role)}
        return Effect(tokens, pool)


class Offers:
    """What may be reported of one contract."""

    def __init__(self, rulebook: Rulebook, players: int, contract: Contract) -> None:
        self.rulebook = rulebook
        self.house = rulebook.house
        self.players = players
        self.contract = contract
        self.declarers = contract.declarers_at(players)
        self.seating = Seating(players, players - 1)
        self.counts_estuches = self.house.counts_estuches and self.house.estuche_price > 0

    def as_json(self) -> dict[str, Any]:
        told = dict(self.results())
        results = [self.patch(code, fields) for code, fields in told.items()]
        rare = [self.patch("abandoned", {"abandoned": True})] if self.contract.may_be_abandoned else []
        told |= {patch["code"]: patch["set"] for patch in rare}
        return {
            "results": results,
            "rare": rare,
            "extras": list(self.extras(told)),
            "joiners": [],
            "takeovers": list(self.takeovers()),
            "partners": list(self.partners(told)),
            "fields": list(self.fields()),
        }

    def results(self) -> Iterator[tuple[str, Told]]:
        """Codes of results and what reports them."""
        family, is_game = self.house.family, self.contract.is_game
        yield Outcome.WON.value, {"outcome": "won"}
        if family is Family.CROCODILE:
            yield from _crocodile_results(is_game)
        elif not is_game:
            yield Outcome.BETE.value, {"outcome": "bete"}
        elif family in (Family.RENEGADO, Family.INTRO):
            yield from self._ombre_results()
        else:
            yield Outcome.REMISE.value, {"outcome": "remise"}
            yield Outcome.KODILLE.value, {"outcome": "kodille"}

    def _ombre_results(self) -> Iterator[tuple[str, Told]]:
        if self.house.family is Family.RENEGADO:
            yield "primeras", {"outcome": "won", "first_five_by": DECLARER}
            yield Outcome.BETE.value, {"outcome": "bete"}
        else:
            yield Outcome.LOST.value, {"outcome": "lost"}
        roles = ROLES[self.players] if self.contract.by_fourth else PLAYING[self.players]
        opponents = [role for role in roles if role not in self.declarers or len(self.declarers) > 1]
        most = len(roles) - 1 if self.house.codille_shared else 1
        for size in range(1, most + 1):
            for winners in combinations(opponents, size):
                seats = [role.value for role in winners]
                yield "_".join(("kodille", *seats)), {"outcome": "kodille", "won_by": seats}
        yield Outcome.VOLE.value, {"tout": "won"}
        yield Outcome.VOLE_FAILED.value, {"tout": "failed"}

    def extras(self, results: Mapping[str, Told]) -> Iterator[Patch]:
        """What is settled beside the contract."""
        yield from self.bids(results)
        if self.house.family is Family.RENEGADO and self.contract.is_game:
            lost = {code: told for code, told in results.items() if code.startswith(("bete", "kodille"))}
            yield from self.beside("contraprimeras", {"first_five_by": OPPONENTS}, lost)
        if self.contract.counts_as and self.contract.trumps is Trumps.TURNED:
            yield from self.beside("turned_spadille", {"turned": SPADILLE, "trump": SPADILLE[0]}, results)
        if self.counts_estuches:
            more = {"count": [1, _MOST_ESTUCHES], "must": True}
            for patch in self.beside("estuches", {"estuches": 2}, results, {"estuches": 1}):
                yield patch | {"set": {"estuches": COUNT}} | more

    def bids(self, results: Mapping[str, Told]) -> Iterator[Patch]:
        """Bonus bids, made or failed as the result has it; where several may be made, each set of them."""
        possible = bonus_bids(self.rulebook, self.contract)
        most = len(possible) if self.house.several_bonus_bids else min(len(possible), 1)
        patches = [
            patch
            for size in range(1, most + 1)
            for bids in combinations(possible, size)
            for patch in self.beside("", {"bonus_bid": list(bids) if size > 1 else bids[0]}, results)
        ]
        codes = list(dict.fromkeys(patch["code"] for patch in patches))
        for patch in patches:
            yield patch | {"without": [code for code in codes if code != patch["code"]]}

    def beside(
        self, code: str, told: Told, results: Mapping[str, Told], before: Told | None = None
    ) -> Iterator[Patch]:
        """One patch for all results beside which something costs the same; `before` is told without it."""
        groups: list[Patch] = []
        for result, fields in results.items():
            effects = self.effects(fields | told)
            plain = self.effects(fields | (before or {}))
            patch = self.priced(
                code or _bid_code(next(iter(effects.values())).extras),
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

    def takeovers(self) -> Iterator[Patch]:
        """Who may take the contract over from a declarer who surrenders it."""
        if self.contract.surrender is Surrender.TAKE_OVER:
            for role in PLAYING[self.players]:
                yield {"seat": role.value, "set": {"abandoned": True, "takeover": role.value}}

    def partners(self, results: Mapping[str, Told]) -> Iterator[Patch]:
        """Who may be the declarer's partner, with all but the declarer's own part of each result."""
        if not self.contract.with_partner:
            return
        for role in ROLES[self.players]:
            for code, told in results.items():
                effects = {
                    declarer: _without(declarer, self.effect(told | {"partner": role.value}, declarer))
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
        """A result with its whole effect; of a game with partners the declarer's own part."""
        effects = {}
        for declarer, effect in self.effects(told).items():
            if self.contract.with_partner:
                own = {declarer: effect.pool[declarer]} if declarer in effect.pool else {}
                effect = Effect(dict.fromkeys(effect.tokens, 0), own)  # noqa: PLW2901 - the part of it
            effects[declarer] = effect
        return self.priced(code, told, effects)

    def priced(self, code: str, told: Told, effects: Mapping[Role, Effect]) -> Patch:
        patch: Patch = {
            "code": code,
            "set": told,
            "tokens": {
                declarer.value: {role.value: count for role, count in effect.tokens.items()}
                for declarer, effect in effects.items()
            },
        }
        if self.rulebook.pool is not None:
            patch["pool"] = {
                declarer.value: {role.value: part for role, part in effect.pool.items()}
                for declarer, effect in effects.items()
            }
        return patch

    def effects(self, told: Told) -> dict[Role, Effect]:
        """The effect for each declarer of whom it can be told: nobody beats himself."""
        winners = told.get("won_by", ())
        return {
            declarer: self.effect(told, declarer)
            for declarer in self.declarers
            if declarer.value not in winners
        }

    def effect(self, told: Told, declarer: Role) -> Effect:
        """What a report changes; where estuches count and are not told, as if there were none."""
        if self.counts_estuches and "estuches" not in told:
            one, two = (self.effect(told | {"estuches": count}, declarer) for count in (1, 2))
            tokens = {role: 2 * count - two.tokens[role] for role, count in one.tokens.items()}
            return Effect(tokens, one.pool, one.extras)
        fields: Told = {"contract": self.contract.id, "declarer": declarer.value}
        for name, value in told.items():
            fields[name] = _in_place(value, declarer)
        if self.rulebook.pool is not None:
            fields["pool"] = self.rulebook.pool.each_deal(self.players)
        if self.contract.with_partner and "partner" not in told:
            fields["partner"] = next(role for role in ROLES[self.players] if role is not declarer).value
        return self._settled(fields)

    def _settled(self, fields: Told) -> Effect:
        result = read_result(fields, self.seating)
        case, found = examine(result, self.players, self.rulebook)
        if case is None or any(not problem.is_warning for problem in found):
            raise RuntimeError(f"the rules refuse what they offer: {fields}: {found}")
        tokens = dict.fromkeys(ROLES[self.players], 0)
        pool: dict[Role, Factor] = {}
        lines = declarer_lines(case)
        for line in lines:
            if line.side is Side.EACH:
                for payer in shares_of(case.declarer, self.players, self.house, self.contract.by_fourth):
                    tokens[payer] -= line.each
                    tokens[case.declarer] += line.each
                continue
            for share in divided(line, case):
                part = share.times if share.by == 1 else [share.times, share.plus, share.by]
                tokens[share.own] += share.tokens
                if line.side is not Side.WINNERS:
                    _add(pool, share.own, part)
                if isinstance(share.other, Role):
                    tokens[share.other] -= share.tokens
                    _add(pool, share.other, _negative(part))
            if line.side is Side.WINNERS:
                # However it is divided, the declarer pays all of it.
                tokens[case.declarer] += line.each - sum(share.tokens for share in divided(line, case))
                _add(pool, case.declarer, line.pool)
        return Effect(tokens, pool, tuple(line.code for line in lines[1:]))


def _crocodile_results(is_game: bool) -> Iterator[tuple[str, Told]]:
    if not is_game:
        for outcome in (Outcome.SIMPLE_LOSS, Outcome.CROCODILE_LUNCH, Outcome.CONTRANOLO):
            yield outcome.value, {"outcome": outcome.value}
        return
    yield "cuatro", {"outcome": "won", "tricks": {DECLARER: FIRST_FIVE - 1}}
    yield "primeras", {"outcome": "won", "first_five_by": DECLARER}
    yield "tout", {"tricks": {DECLARER: 9}}
    for outcome in (
        Outcome.SIMPLE_REMIS,
        Outcome.PICCOLO_REMIS,
        Outcome.CROCODILE_LUNCH,
        Outcome.CONTRAPRIMERAS,
    ):
        yield outcome.value, {"outcome": outcome.value}


def _alike(one: Patch, other: Patch) -> bool:
    """Whether two patches say and cost the same for every declarer whom both are about."""
    return one["code"] == other["code"] and all(
        one[part].get(declarer, effect) == effect
        for part in {"tokens", "pool"} & other.keys()
        for declarer, effect in other[part].items()
    )


def _bid_code(extras: Sequence[str]) -> str:
    return "+".join(code for code in extras if code.endswith(("_made", "_failed")))


def _in_place(value: Any, declarer: Role) -> Any:
    """A told value with the declarer's seat in DECLARER's place."""
    if isinstance(value, dict):
        return {declarer.value if seat == DECLARER else seat: count for seat, count in value.items()}
    return declarer.value if value == DECLARER else value


def _without(declarer: Role, effect: Effect) -> Effect:
    return Effect(effect.tokens, {role: part for role, part in effect.pool.items() if role is not declarer})


def _negative(part: Factor) -> Factor:
    return -part if isinstance(part, int) else [-part[0], *part[1:]]


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
