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
from typing import TYPE_CHECKING, Any

from scoring.offers import Offers
from scoring.seats import ROLES

if TYPE_CHECKING:
    from scoring.contracts import Contract
    from scoring.rulebook import Rulebook


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
