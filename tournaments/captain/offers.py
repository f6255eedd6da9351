"""What a captain's phone may report: the engine's choices, named in the reader's language, small to load."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from scoring.choices import choices
from scoring.results import read_result
from scoring.seats import Role
from scoring.settlement import problems
from tournaments.domain.terms import contract_name, patch_name, problem_said, seat_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.rulebook import Rulebook

# A part of what the engine's `choices` gives, as JSON.
Choice = dict[str, Any]

# What players call a result, though it is one with something besides: it has a button among the results.
CALLED_RESULTS = ("tout_won",)


@lru_cache(maxsize=64)
def offers(rulebook: Rulebook, players: int, language: str) -> Choice:  # noqa: ARG001 - the texts hang on it
    """The rulebook's choices with the names of contracts and codes; what is rare carries a question to ask back.

    Call it with the active language. The answer is shared: it is not to be changed.
    """
    offered = choices(rulebook, players)
    patches = (
        patch
        for contract in offered["contracts"]
        for kind in ("results", "rare", "extras", "partners")
        for patch in contract[kind]
    )
    named = [_Asking(rulebook, players, contract).named() for contract in offered["contracts"]]
    return offered | {
        "antes": _antes(rulebook, offered["roles"]),
        "role_names": {role: seat_name(rulebook, Role(role)) for role in offered["roles"]},
        "names": {patch["code"]: patch_name(rulebook, patch["code"]) for patch in patches}
        | _field_names(offered),
        "contracts": [_short_tokens(contract, contract["declarers"], offered["roles"]) for contract in named],
    }


def _field_names(offered: Choice) -> dict[str, str]:
    names = {"before_trick": _("Given up before trick")}
    asked_for = {field["name"] for contract in offered["contracts"] for field in contract["fields"]}
    return {name: text for name, text in names.items() if name in asked_for}


def _antes(rulebook: Rulebook, roles: Sequence[str]) -> list[int] | None:
    """What a deal costs each role before it is played, as negative tokens; None where there is no pool."""
    if rulebook.pool is None:
        return None
    dealer = rulebook.seating(len(roles), 0).role_of(0)
    return [-rulebook.pool.ante if rulebook.pool.by_all or role == dealer else 0 for role in roles]


def _short_tokens(part: Any, declarers: Sequence[str], roles: Sequence[str]) -> Any:
    """The same with tokens as lists: one a declarer (null where it is not theirs), in it one amount a role.

    A phone has less than half as much to load.
    """
    if isinstance(part, list):
        return [_short_tokens(one, declarers, roles) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        name: [
            [value[declarer].get(role, 0) for role in roles] if declarer in value else None
            for declarer in declarers
        ]
        if name in ("tokens", "pool")
        else _short_tokens(value, declarers, roles)
        for name, value in part.items()
    }


# What the phone needs of a contract as the engine gives it.
USED = ("id", "declarers", "trumps", "trump_must", "results", "rare", "takeovers", "partners", "fields")


class _Asking:
    """A contract's choices with the engine's own questions about what is legal but rare."""

    def __init__(self, rulebook: Rulebook, players: int, contract: Choice) -> None:
        self.rulebook = rulebook
        self.seating = rulebook.seating(players, 0)
        self.contract = contract
        self.usual = contract["results"][0]["set"]
        self.suits = contract["trumps"] or [""]

    def named(self) -> Choice:
        contract = self.contract
        extras = [
            extra
            | {"ask": self.question(self.usual | extra["set"], self.suits[-1])}
            | ({"main": True} if extra["code"] in CALLED_RESULTS else {})
            for extra in contract["extras"]
        ]
        questions = {suit: self.question(self.usual, suit) for suit in self.suits}
        used = {name: contract[name] for name in USED}
        return used | {
            "name": contract_name(contract["id"]),
            "asks": {suit: question for suit, question in questions.items() if question},
            "extras": extras,
            "joiners": [
                joiner
                | {
                    "results": [
                        _account(self.rulebook, joiner["seat"], account) for account in joiner["results"]
                    ]
                }
                for joiner in contract["joiners"]
            ],
        }

    def question(self, told: Choice, suit: str) -> str:
        """What the engine asks about a report of the first possible declarer; empty for what is usual."""
        declarer = self.contract["declarers"][0]
        for extra in self.contract["extras"]:
            if extra.get("must"):
                told = extra["set"] | told
        for partner in self.contract["partners"]:
            told = partner["set"] | told if partner["seat"] != declarer else told
        if self.rulebook.pool:
            told = {"pool": self.rulebook.pool.each_deal(self.seating.players)} | told
        report = json.loads(json.dumps(told).replace("DECLARER", declarer).replace('"COUNT"', "1"))
        report |= {"contract": self.contract["id"], "declarer": declarer} | ({"trump": suit} if suit else {})
        found = problems(read_result(report, self.seating), self.seating, self.rulebook)
        names = [seat_name(self.rulebook, role) for role in self.seating.roles]
        said = (problem_said(self.rulebook, problem, names, self.seating) for problem in found)
        return " ".join(problem.message for problem in said if problem.is_warning)


def _account(rulebook: Rulebook, seat: str, account: Choice) -> Choice:
    """A joiner's account: on its button the tricks alone, as the row has the name; in a sentence both."""
    name = patch_name(rulebook, account["code"])
    kind, _underscore, tricks = account["code"].partition("_")
    return account | {"name": tricks if kind == "tricks" else name, "text": f"{{{seat}}} {name}"}
