"""Any question of games: "how often is solo in hearts won by backhand?" By contract, trump, seat, outcome, person."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from scoring.cards import SUITS
from scoring.seats import ALL_ROLES
from tournaments.people import visibility
from tournaments.people.person_statistics import DECLARED, Rate, add, by_sort, by_year, deals_of
from tournaments.people.span import Span
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from clubs.models import Club, Player
    from tournaments.ledger.deal_sums import Sort

# Grouping columns of the query, and display categories of outcomes, the same for all rulebooks.
BY = ("contract", "trump", "seat", "outcome", "tout", "players", "year")
WON, BET, KODILLE = "won", "bet", "kodille"
OUTCOMES = (WON, BET, KODILLE)
TOUTS = ("won", "failed", "none")
# Sort order of each grouping column; contracts by number of games, years by value.
ORDER: dict[str, tuple[str, ...]] = {
    "trump": SUITS,
    "seat": tuple(role.value for role in ALL_ROLES),
    "outcome": OUTCOMES,
    "tout": TOUTS,
}


@dataclass(frozen=True, slots=True)
class Question:
    """The filters of a query; "" and None mean all. `seat` is the declarer's role, `tout` one of TOUTS.

    `outcome`, one of OUTCOMES, is the outcome whose share is computed; it does not filter. `by`: up to two of BY,
    the grouping columns.
    """

    contract: str = ""
    trump: str = ""
    seat: str = ""
    outcome: str = ""
    tout: str = ""
    players: int | None = None
    by: tuple[str, ...] = ("contract",)
    span: Span = field(default_factory=Span)

    def wants(self, sort: Sort) -> bool:
        """Whether a kind of deal passes the filters, whatever its outcome."""
        return (
            sort.is_declared
            and self.contract in ("", sort.contract)
            and self.trump in ("", sort.trump)
            and self.seat in ("", sort.seat)
            and self.tout in ("", sort.tout or "none")
            and self.players in (None, sort.players)
        )

    def as_query(self) -> dict[str, str]:
        """The query as parameters of a URL. No grouping is explicit, since contracts are the default."""
        said = {name: value for name, value in asdict(self).items() if name not in ("span", "by")}
        found = {name: str(value) for name, value in said.items() if value not in (None, "")}
        first, *then = self.by or ("",)
        return found | {"by": first} | ({"then": then[0]} if then else {}) | self.span.as_query()


@dataclass(slots=True)
class Row:
    """A group of games: `key` has the values of the grouping columns. Tokens are the declarers'.

    `asked` is the outcome whose share is shown; when grouping by outcome it is the row's own, and `of` counts all
    games with the same other columns.
    """

    key: tuple[str, ...]
    games: Declared = field(default_factory=Declared)
    asked: str = WON
    of: int | None = None

    @property
    def rate(self) -> Rate:
        """The share of games with the outcome in question."""
        counts = {WON: self.games.won, BET: self.games.bete, KODILLE: self.games.kodille}
        return Rate(counts[self.asked], self.games.deals if self.of is None else self.of)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a query: all matching games in groups, in the order of ORDER."""

    rows: list[Row]
    whole: Row


def ask(question: Question, around: Club | None = None, person: Player | None = None) -> Answer:
    """Count the games. `around` is the club (a union: with its clubs) whose pages ask; `person` who declared them."""
    if person is not None:
        entries = visibility.with_names(visibility.entries(around, question.span)).filter(player=person)
        return group_games(question, _of_person(question, deals_of(entries).deals))
    tournaments = visibility.evenings(around, question.span)
    if "year" in question.by:
        sums = by_year(tournaments, question.wants)
        return group_games(question, ((year, sort, *counted) for (year, sort), counted in sums.items()))
    summed = by_sort(tournaments, question.wants)
    return group_games(question, ((0, sort, *counted) for sort, counted in summed.items()))


def _of_person(question: Question, deals: Iterable[Any]) -> Iterable[tuple[int, Sort, int, int]]:
    for one in deals:
        if one.kind == DECLARED and question.wants(one.deal.sort):
            yield one.place.day.year, one.deal.sort, 1, one.tokens


def group_games(question: Question, sums: Iterable[tuple[int, Sort, int, int]]) -> Answer:
    """Group games; `sums` are (year, kind, count, tokens). Pure: plain values in and out."""
    rows: dict[tuple[str, ...], Row] = {}
    asked = question.outcome or WON
    whole = Row((), asked=asked)
    for year, sort, deals, tokens in sums:
        key = tuple(NAMED[name](year, sort) for name in question.by)
        row = rows.setdefault(key, Row(key, asked=asked))
        for line in (row.games, whole.games):
            add(line, sort, deals, tokens)
    if "outcome" in question.by:
        _share_outcomes(question.by.index("outcome"), rows.values())
    return Answer(_in_order(question.by, rows.values()), whole)


def _share_outcomes(at: int, rows: Collection[Row]) -> None:
    """Let each row show the share of its own outcome, which is at this index of its key."""
    alike: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        alike[row.key[:at] + row.key[at + 1 :]] += row.games.deals
    for row in rows:
        row.asked, row.of = row.key[at], alike[row.key[:at] + row.key[at + 1 :]]


def _in_order(by: Sequence[str], rows: Iterable[Row]) -> list[Row]:
    found, times = list(rows), Counter[tuple[str, str]]()
    for row in found:
        for name, value in zip(by, row.key, strict=True):
            times[name, value] += row.games.deals

    def place(name: str, value: str) -> tuple[int, str]:
        known = ORDER.get(name, ())
        if name == "contract":
            return -times[name, value], value
        return known.index(value) if value in known else len(known), value

    return sorted(found, key=lambda row: [place(*one) for one in zip(by, row.key, strict=True)])


def _outcome(sort: Sort) -> str:
    if sort.is_won:
        return WON
    return KODILLE if sort.is_kodille else BET


NAMED: dict[str, Callable[[int, Sort], str]] = {
    "contract": lambda _year, sort: sort.contract,
    "trump": lambda _year, sort: sort.trump,
    "seat": lambda _year, sort: sort.seat,
    "outcome": lambda _year, sort: _outcome(sort),
    "tout": lambda _year, sort: sort.tout or "none",
    "players": lambda _year, sort: str(sort.players),
    "year": lambda year, _sort: str(year),
}
