"""The deals that count, read from the ledger as it stands: what each was, who had which role, what it brought.

What a report says is stored as text that comes again and again (6,000 deals that bots played are 650 results), so a
text is read once: a deal takes some 6 µs, and what a page asks of one person is counted from the ledger each time.
"""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import TextField
from django.db.models.functions import Cast

from scoring.rulebooks import dealer_sits_out
from scoring.seats import Turns
from tournaments.domain.formats import FORMATS
from tournaments.domain.outcomes import LOST, LOST_DEARLY, TOTALS_ONLY, WON, declarer_of
from tournaments.models import Deal, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

    from scoring.seats import Change, Role, Seating

# What is no declarer's game: the deal was ruled by the organiser, or is a table's totals without its deals.
RULED = "ruled"


class Sort(NamedTuple):
    """What deals that are counted together have in common.

    `contract`, `trump`, `seat` and `tout` are as reported, "" where there is none: `seat` is the declarer's role,
    `tout` is `won` or `failed`. `outcome` is the report's: an `Outcome`, RULED or TOTALS_ONLY. `players` are those of
    the table.
    """

    contract: str
    trump: str
    seat: str
    outcome: str
    tout: str
    players: int

    @property
    def said(self) -> str:
        """As one text, by which the database knows it."""
        return "|".join(map(str, self))

    @property
    def is_declared(self) -> bool:
        return bool(self.contract)

    @property
    def is_won(self) -> bool:
        return self.outcome in WON

    @property
    def is_bet(self) -> bool:
        """Lost so that it cost the price once."""
        return self.outcome in LOST

    @property
    def is_kodille(self) -> bool:
        """Lost so that it cost more, whatever the rules call it."""
        return self.outcome in LOST_DEARLY


class CountedDeal(NamedTuple):
    """A deal that counts; `tokens` and `roles` are by position, as it was played: in pairs with the hand taken over.

    `declarer` is the position whose game it counts as; `joined` are those who joined a nolo.
    """

    table: int
    number: int
    sort: Sort
    tokens: tuple[int, ...]
    roles: tuple[Role, ...]
    declarer: int | None
    joined: tuple[int, ...]

    @property
    def declarers_tokens(self) -> int:
        return 0 if self.declarer is None else self.tokens[self.declarer]

    @property
    def is_totals_only(self) -> bool:
        return self.sort.outcome == TOTALS_ONLY


class _Said(NamedTuple):
    """What the text of a result says of a deal."""

    contract: str
    trump: str
    tout: str
    declared_by: int | None
    declarer: int | None
    joined: tuple[int, ...]


@lru_cache(maxsize=8192)
def _said(result: str) -> _Said:
    said = json.loads(result)
    return _Said(
        said.get("contract", ""),
        said.get("trump") or "",
        said.get("tout") or "",
        said.get("declarer"),
        declarer_of(said),
        tuple(said.get("joined", ())),
    )


@lru_cache(maxsize=8192)
def _tokens(text: str) -> tuple[int, ...]:
    return tuple(json.loads(text))


@lru_cache(maxsize=16384)
def counted(result: str, outcome: str, tokens: str, dealt: Seating) -> CountedDeal:
    """A deal from the texts of its report, at no table yet; `dealt` is how its seats were before anybody declared."""
    said, won = _said(result), _tokens(tokens)
    seating = dealt
    if said.declared_by is not None:
        seating = dealt.declared_by(dealt.role_of(said.declared_by))
    seat = "" if said.declarer is None else seating.role_of(said.declarer).value
    sort = Sort(said.contract, said.trump, seat, outcome, said.tout, len(won))
    return CountedDeal(0, 0, sort, won, seating.roles, said.declarer, said.joined)


REPORTED = ("table", "number", "current__outcome")
TEXTS = (Cast("current__result", TextField()), Cast("current__tokens", TextField()))


def deals_at(tables: QuerySet[Table]) -> Iterator[CountedDeal]:
    """The deals of these tables that count, table by table in the order in which they were played."""
    there = {pk: _Dealt(*told) for pk, *told in tables.order_by().values_list("pk", *DEALT)}
    counting = Deal.objects.filter(table__in=tables.order_by().values("pk"), current__result__isnull=False)
    told = counting.order_by("table", "number").values_list(*REPORTED, *TEXTS)
    for pk, deals in groupby(told.iterator(4000), key=itemgetter(0)):
        table, turns = there[pk], dict[int, Turns]()
        in_pairs = FORMATS[table.format].takes_over(asked=table.takes_over)
        for _pk, number, outcome, result, tokens in deals:
            size = len(_tokens(tokens))
            if size not in turns:
                dealer_out = dealer_sits_out(table.rulebook, table.options)
                turns[size] = Turns(size, table.first_dealer, table.turns, dealer_out)
            dealt = turns[size].seating(number, in_pairs=in_pairs)
            yield CountedDeal(pk, number, *counted(result, outcome, tokens, dealt)[2:])


class _Dealt(NamedTuple):
    """What says of a table who is what in a deal."""

    first_dealer: int
    turns: list[Change]
    format: str
    takes_over: bool
    rulebook: str
    options: dict[str, Any]


DEALT = (
    "first_dealer",
    "turns",
    *(f"round__tournament__{name}" for name in ("format", "takes_over", "rulebook", "options")),
)
