"""Any question of games: "how often is solo in hearts won by backhand?" By contract, trump, seat, outcome, person."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from scoring.seats import Role
from tournaments.people import who
from tournaments.people.evidence import Rate
from tournaments.people.own_deals import DECLARED, deals_of
from tournaments.people.span import Span
from tournaments.people.span import read as read_span
from tournaments.people.sums import add, by_sort, by_year
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from clubs.models import Club, Player
    from tournaments.ledger.counted_deals import Sort

# What games are told apart by, and how an outcome is asked for: as pages tell it, whatever the rules call it.
BY = ("contract", "trump", "seat", "outcome", "tout", "players", "year")
WON, BET, KODILLE = "won", "bet", "kodille"
OUTCOMES = (WON, BET, KODILLE)
TOUTS = ("won", "failed", "none")
TRUMPS = ("C", "S", "H", "D")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; "" and None ask for all. `person` is a player's primary key, `seat` the declarer's role.

    `outcome` is one of OUTCOMES, `tout` one of TOUTS. `by` are up to two of BY that the games are told apart by.
    """

    contract: str = ""
    trump: str = ""
    seat: str = ""
    outcome: str = ""
    tout: str = ""
    players: int | None = None
    person: int | None = None
    by: tuple[str, ...] = ("contract",)
    span: Span = field(default_factory=Span)

    def wants(self, sort: Sort) -> bool:
        """Whether a deal is one of the games asked about, whatever became of it."""
        return (
            sort.is_declared
            and self.contract in ("", sort.contract)
            and self.trump in ("", sort.trump)
            and self.seat in ("", sort.seat)
            and self.tout in ("", sort.tout or "none")
            and self.players in (None, sort.players)
        )

    def as_query(self) -> dict[str, str]:
        """What `read` reads: for an address to send."""
        said = {name: value for name, value in asdict(self).items() if name not in ("span", "by")}
        found = {name: str(value) for name, value in said.items() if value not in (None, "")}
        return found | {"by": ",".join(self.by)} | self.span.as_query()


@dataclass(slots=True)
class Row:
    """Games of one sort: `key` says which, in the order of the question's `by`. Tokens are the declarers'."""

    key: tuple[str, ...]
    games: Declared = field(default_factory=Declared)
    asked: str = ""

    @property
    def rate(self) -> Rate:
        """How many of the games came to what was asked for; to a game won, where nothing was."""
        counts = {WON: self.games.won, BET: self.games.bete, KODILLE: self.games.kodille}
        return Rate(counts[self.asked or WON], self.games.deals)


@dataclass(frozen=True, slots=True)
class Answer:
    """All games that were asked about, told apart: the most first, or by year."""

    rows: list[Row]
    whole: Row


def ask(question: Question, around: Club | None = None, person: Player | None = None) -> Answer:
    """Count the games. `around` is the club (a union: with its clubs) whose pages ask; `person` who declared them."""
    if person is not None:
        entries = who.named(who.entries(around, question.span)).filter(player=person)
        return told(question, _of_person(question, deals_of(entries).deals))
    tournaments = who.evenings(around, question.span)
    if "year" in question.by:
        sums = by_year(tournaments, question.wants)
        return told(question, ((year, sort, *counted) for (year, sort), counted in sums.items()))
    summed = by_sort(tournaments, question.wants)
    return told(question, ((0, sort, *counted) for sort, counted in summed.items()))


def _of_person(question: Question, deals: Iterable[Any]) -> Iterable[tuple[int, Sort, int, int]]:
    for one in deals:
        if one.kind == DECLARED and question.wants(one.deal.sort):
            yield one.place.day.year, one.deal.sort, 1, one.tokens


def told(question: Question, sums: Iterable[tuple[int, Sort, int, int]]) -> Answer:
    """Games told apart; `sums` are the year, the sort, how many, and their tokens. Plain values in and out."""
    rows: dict[tuple[str, ...], Row] = {}
    whole = Row((), asked=question.outcome)
    for year, sort, deals, tokens in sums:
        key = tuple(NAMED[name](year, sort) for name in question.by)
        row = rows.setdefault(key, Row(key, asked=question.outcome))
        for line in (row.games, whole.games):
            add(line, sort, deals, tokens)
    if "year" in question.by or "players" in question.by:
        ordered = sorted(rows.values(), key=lambda row: row.key)
    else:
        ordered = sorted(rows.values(), key=lambda row: (-row.games.deals, row.key))
    return Answer(ordered, whole)


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
MOST_BY = 2


def read(said: Mapping[str, str]) -> Question:
    """The question that an address asks. Raises ValidationError, by field, for what cannot be read."""
    wrong: dict[str, str] = {}
    found: dict[str, Any] = {"contract": said.get("contract", "")[:20]}
    known: dict[str, Iterable[str]] = {
        "trump": TRUMPS, "seat": tuple(Role), "outcome": OUTCOMES, "tout": TOUTS,
    }  # fmt: skip
    for name, choices in known.items():
        found[name] = said.get(name, "")
        if found[name] and found[name] not in choices:
            wrong[name] = f"{name}: {found[name][:40]}"
    for name in ("players", "person"):
        text = said.get(name, "")
        if text and not (text.isascii() and text.isdigit() and len(text) < len("1000000000")):
            wrong[name] = f"{name}: {text[:40]}"
        elif text:
            found[name] = int(text)
    by = tuple(dict.fromkeys(name for name in said.get("by", "contract").split(",") if name))
    if len(by) > MOST_BY or not set(by) <= set(BY):
        wrong["by"] = f"by: {','.join(by)[:40]}"
    try:
        span = read_span(said)
    except ValidationError as error:
        raise ValidationError({**error.message_dict, **wrong}) from None
    if wrong:
        raise ValidationError(wrong)
    return Question(**found, by=by, span=span)
