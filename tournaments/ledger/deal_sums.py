"""Sums of deals per player and per kind of deal, updated with every report."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.db.models.signals import post_save
from django.dispatch import receiver

from core.sql import Statement, execute_batch, key_set
from scoring.rulebooks import dealer_sits_out
from scoring.seats import Turns
from tournaments.changes.locks import hold
from tournaments.domain.formats import FORMATS
from tournaments.domain.outcomes import LOST, LOST_DEARLY, TOTALS_ONLY, WON, declarer_of
from tournaments.models import Deal, DealSort, DealSum, Report, Table, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from scoring.seats import Change, Role, Seating


# The counted deals, parsed from the ledger: kind of each deal, each player's role, tokens.
#
# The JSON text of a result repeats often (6,000 deals played by bots have 650 results), so each text is parsed once:
# a deal takes some 6 µs, and figures of one person are computed from the ledger on each request.

# What is no declarer's game: the deal was ruled by the organiser, or is a table's totals without its deals.
RULED = "ruled"


class Sort(NamedTuple):
    """The properties by which deals are summed.

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
    def to_text(self) -> str:
        """The sort as one text, the key in the database."""
        return "|".join(map(str, self))

    @property
    def is_declared(self) -> bool:
        return bool(self.contract)

    @property
    def is_won(self) -> bool:
        return self.outcome in WON

    @property
    def is_bet(self) -> bool:
        """Whether the declarer lost and paid the price once (bet)."""
        return self.outcome in LOST

    @property
    def is_kodille(self) -> bool:
        """Whether the declarer lost and paid more than the price, whatever the rules call it."""
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
    """The parsed text of a result."""

    contract: str
    trump: str
    tout: str
    declared_by: int | None
    declarer: int | None
    joined: tuple[int, ...]


@lru_cache(maxsize=8192)
def _parse_result(result: str) -> _Said:
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
def parse_tokens(text: str) -> tuple[int, ...]:
    """Tokens by position from their JSON text; deals of an evening repeat the same few."""
    return tuple(json.loads(text))


@lru_cache(maxsize=16384)
def parse_deal(result: str, outcome: str, tokens: str, dealt: Seating) -> CountedDeal:
    """A deal parsed from its report, without its table; `dealt` is its seating before anyone declared."""
    said, won = _parse_result(result), parse_tokens(tokens)
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
            size = len(parse_tokens(tokens))
            if size not in turns:
                dealer_out = dealer_sits_out(table.rulebook, table.options)
                turns[size] = Turns(size, table.first_dealer, table.turns, dealer_out)
            dealt = turns[size].seating(number, in_pairs=in_pairs)
            yield CountedDeal(pk, number, *parse_deal(result, outcome, tokens, dealt)[2:])


class ParsedDeal(NamedTuple):
    """A deal as it was reported; `declarer` is a position, and `contract`, `outcome` and `tout` are as in `Sort`."""

    number: int
    tokens: tuple[int, ...]
    declarer: int | None
    contract: str
    outcome: str
    tout: str

    @property
    def is_declared(self) -> bool:
        return self.declarer is not None and bool(self.contract)

    @property
    def is_totals_only(self) -> bool:
        return self.outcome == TOTALS_ONLY and not self.is_declared


PARSED = (
    "table", "table__last_hash", "number", Cast("current__tokens", TextField()), "current__declarer",
    "current__contract", "current__outcome", KeyTextTransform("tout", "current__result"),
)  # fmt: skip
# By the end of a table's chain of reports: read once for all that is counted from them, and until its next report.
_parsed: dict[str, list[ParsedDeal]] = {}
MOST_PARSED = 8000  # tables, whose deals take 2 kB each


def parsed_deals(tables: Mapping[int, str]) -> dict[int, list[ParsedDeal]]:
    """The deals of these tables that count, without their seatings: a quarter of what `deals_at` takes.

    Tables are given with the ends of their chains of reports, and come in their order, without those that have no
    deal; deals of a table in any order.
    """
    heads = dict(tables)
    found = {pk: known for pk, head in heads.items() if (known := _parsed.get(head)) is not None}
    if len(found) < len(heads):
        read: dict[int, list[ParsedDeal]] = {pk: [] for pk in heads if pk not in found}
        counting = Deal.objects.filter(table__in=key_set(read), current__result__isnull=False)
        for pk, head, number, tokens, *said, tout in counting.order_by().values_list(*PARSED):
            heads[pk] = head  # at the moment of these deals
            read[pk].append(ParsedDeal._make((number, parse_tokens(tokens), *said, tout or "")))
        found |= read
        _parsed.update((heads[pk], deals) for pk, deals in read.items() if heads[pk])
        for head in list(_parsed)[: max(0, len(_parsed) - MOST_PARSED)]:
            _parsed.pop(head, None)  # another thread may have taken it out
    return {pk: found[pk] for pk in heads if found[pk]}


def known_deals(head: str) -> list[ParsedDeal] | None:
    """The deals of a table that `parsed_deals` has read already, by the end of its chain of reports."""
    return _parsed.get(head)


class _Dealt(NamedTuple):
    """The columns of a table that the seating of its deals needs: players, dealer, changes."""

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


# Stored sums of deals: count and tokens of the declarer, for each kind of deal in each tournament.
#
# A query such as "how often is solo in hearts won" covers 1.5 million deals; a tournament has 64 kinds of them.
# Measured on a union's twenty years (10,005 tournaments, 1,531,082 deals, on SQLite):
#
# a row for each deal, grouped by the query             1,060 ms; by year 1,880 ms
# a sum for each kind and tournament (635,000 rows)     60 to 200 ms; by year 80 ms
#
# so sums are stored, and updated in the transaction of the report: the next query sees a correction. A row for each
# person and deal would be six million rows, five more with each report. It is not needed: the most deals of one
# person are 3,226, which the ledger itself gives in 30 ms (`counted_deals`).
#
# Where a tournament has no sums yet (after an upgrade, or imported from a file) they are counted from the ledger.

# With each report, so in SQL.
KNOW = """
    INSERT INTO tournaments_dealsort (said, contract, trump, seat, outcome, tout, players)
    VALUES {rows} ON CONFLICT (said) DO NOTHING"""
ADD = """
    INSERT INTO tournaments_dealsum (tournament_id, year, sort_id, deals, tokens)
    SELECT %s, %s, sort.id, moved.column2, moved.column3
    FROM (VALUES {rows}) AS moved, tournaments_dealsort AS sort WHERE sort.said = moved.column1
    ON CONFLICT (tournament_id, sort_id) DO UPDATE
    SET deals = tournaments_dealsum.deals + excluded.deals, tokens = tournaments_dealsum.tokens + excluded.tokens"""
# What no deal is counted in any more is as if it had never been: counting everything again gives no such row.
REMOVE_EMPTY = "DELETE FROM tournaments_dealsum WHERE tournament_id = %s AND deals = 0 AND tokens = 0"
# Tournaments that are summed up in one transaction: a quarter of a second.
AT_ONCE = 20


class Sums(dict[Sort, list[int]]):
    """The number of deals of each sort, and their declarers' tokens."""

    def add(self, deal: CountedDeal, sign: int = 1) -> None:
        self.all([deal], sign)

    def all(self, deals: Iterable[CountedDeal], sign: int = 1) -> Sums:
        for _table, _number, sort, tokens, _roles, declarer, _joined in deals:
            sums = self.get(sort)
            if sums is None:
                sums = self[sort] = [0, 0]
            sums[0] += sign
            if declarer is not None:
                sums[1] += sign * tokens[declarer]
        return self

    def join(self, other: Sums) -> None:
        for sort, (deals, tokens) in other.items():
            sums = self.setdefault(sort, [0, 0])
            sums[0] += deals
            sums[1] += tokens


def moved_sums(table: Table, gone: Sequence[Report], come: Sequence[Report]) -> Sums:
    """What the sums change by for reports that no longer count and for new ones."""
    return Sums().all(read_at(table, gone), -1).all(read_at(table, come))


def moving_sums(tournament: int, year: int, moved: Sums) -> list[Statement]:
    """Statements that change a tournament's sums; executed after `announcing`.

    A transaction that has raised the tournament's version is the only one to change these rows until it ends.
    """
    added = _adding(tournament, year, moved)
    if any(deals < 0 for deals, _tokens in moved.values()):
        added.append(Statement(REMOVE_EMPTY, [tournament]))
    return added


def move_turns(table: Table, before: Sequence[Change]) -> None:
    """Update the sums of a table whose `turns` changed: a declarer may have had another seat."""
    reports = [deal.current for deal in Deal.objects.filter(table=table).select_related("current")]
    if reports:
        was = Sums().all(read_at(table, reports, before), -1)
        tournament = table.round.tournament
        now = was.all(read_at(table, reports))
        execute_batch(*moving_sums(tournament.pk, tournament.date.year, now))


def sums_of(tables: QuerySet[Table]) -> dict[int, Sums]:
    """The sums of each tournament (primary key) that has such tables, from the ledger."""
    tournament = dict(tables.order_by().values_list("pk", "round__tournament"))
    found = {pk: Sums() for pk in tournament.values()}
    for deal in deals_at(tables):
        found[tournament[deal.table]].add(deal)
    return found


def lacking() -> QuerySet[Tournament]:
    """Tournaments that have begun and whose deals are not summed up."""
    return Tournament.objects.filter(deals_summed=False).exclude(state=Tournament.State.SETUP)


def sum_what_is_lacking(tell: Callable[[int], object] = lambda _tournaments: None) -> None:
    """Sum all tournaments that have no sums yet, in batches; `tell` is called with the number done."""
    done = 0
    # In no order of the database's, which would go through all tournaments for it.
    while some := list(lacking().order_by().values_list("pk", flat=True)[:AT_ONCE]):
        sum_up(sorted(some))
        done += len(some)
        tell(done)


@transaction.atomic
def sum_up(tournaments: Sequence[int]) -> None:
    """Count the sums of these tournaments, by primary keys in their order, from their deals."""
    for pk in tournaments:
        hold(pk)
    # Skip tournaments that another process has summed meanwhile.
    years = {one.pk: one.date.year for one in lacking().filter(pk__in=tournaments).only("date")}
    sums = sums_of(Table.objects.filter(round__tournament__in=years, reports_count__gt=0))
    keys = _keys_of({sort for each in sums.values() for sort in each})
    DealSum.objects.filter(tournament__in=years)._raw_delete("default")  # nothing hangs on them
    DealSum.objects.bulk_create(
        DealSum(tournament_id=pk, year=years[pk], sort_id=keys[sort.to_text], deals=deals, tokens=tokens)
        for pk, each in sums.items()
        for sort, (deals, tokens) in each.items()
    )
    Tournament.objects.filter(pk__in=years).update(deals_summed=True)


def forget_sums() -> None:
    """Delete all sums; the next query counts from the ledger."""
    DealSum.objects.all()._raw_delete("default")  # nothing hangs on them
    Tournament.objects.update(deals_summed=False)


@receiver(post_save, sender=Tournament)
def move_year(
    instance: Tournament, *, created: bool, update_fields: frozenset[str] | None, **_signal: Any
) -> None:
    """Move a tournament's sums to the year of its new date."""
    if not created and (update_fields is None or "date" in update_fields):
        sums = DealSum.objects.filter(tournament=instance)
        sums.exclude(year=instance.date.year).update(year=instance.date.year)


def read_at(
    table: Table,
    reports: Iterable[Report],
    turns: Sequence[Change] | None = None,
) -> Iterable[CountedDeal]:
    """Parse these reports of a table."""
    in_pairs = table.round.tournament.hands_taken_over
    for report in reports:
        if report.result is None:
            continue
        changes = table.turns if turns is None else turns
        at = Turns(len(report.tokens), table.first_dealer, changes, table.round.tournament.dealer_sits_out)
        dealt = at.seating(report.deal_number, in_pairs=in_pairs)
        yield parse_deal(json.dumps(report.result), report.outcome, json.dumps(report.tokens), dealt)


def _adding(tournament: int, year: int, moved: Mapping[Sort, Sequence[int]]) -> list[Statement]:
    told = [(sort, sums) for sort, sums in sorted(moved.items()) if any(sums)]
    if not told:
        return []
    known = [value for sort, _sums in told for value in (sort.to_text, *sort)]
    added = [value for sort, sums in told for value in (sort.to_text, *sums)]
    know = KNOW.format(rows=", ".join(["(%s, %s, %s, %s, %s, %s, %s)"] * len(told)))
    add = ADD.format(rows=", ".join(["(%s, %s, %s)"] * len(told)))
    return [Statement(know, known), Statement(add, [tournament, year, *added])]


def _keys_of(sorts: Iterable[Sort]) -> dict[str, int]:
    """The primary key of each sort, by its text; those that are new are stored."""
    asked = {sort.to_text: sort for sort in sorts}
    known = dict(DealSort.objects.filter(said__in=asked).values_list("said", "pk"))
    if new := [DealSort(said=said, **sort._asdict()) for said, sort in asked.items() if said not in known]:
        DealSort.objects.bulk_create(new, ignore_conflicts=True)
        known = dict(DealSort.objects.filter(said__in=asked).values_list("said", "pk"))
    return known
