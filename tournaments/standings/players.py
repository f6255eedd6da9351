"""Standings: a player's tokens over all tables, compared as agreed, penalties in a column of their own, ties broken.

Tokens come from the seats, which the ledger keeps equal to the fold over the current reports (`manage.py verify`
recounts them). The result is cached by the tournament's version, so a page asks the database only after a change.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from django.core.cache import cache
from django.db.models import Count, Q, Sum
from django.utils.translation import gettext_noop as _

from clubs.models import Club, named
from tournaments.draw.tables import SMALL_TABLE
from tournaments.ledger.outcomes import LOST_DEARLY, WON
from tournaments.ledger.sitting import Sittings
from tournaments.models import Deal, Entry, Penalty, Round, Table, Tournament
from tournaments.models.events import told_apart
from tournaments.standings.dealt import deals_dealt
from tournaments.values.comparing import Amount, Comparison, read_factor

SUM = Comparison()


@dataclass
class Row:
    """A player's line. `rounds` has tokens by round number - 1, None where the player did not sit.

    `carried` was taken along from the stage before; `at_three` are the tokens from tables of three, and `deals` those
    that the player was dealt, counted only where `comparison` asks for them.
    """

    entry_id: int
    number: int
    name: str
    club: str
    withdrawn: bool
    rounds: list[int | None]
    penalties: int = 0
    carried: Amount = 0
    comparison: Comparison = SUM
    at_three: int = 0
    deals: int = 0
    rank: int = 0
    shared: bool = False
    ties: list[int] = field(default_factory=list)
    declared: int = 0
    games_won: int = 0
    kodilles: int = 0
    lot: int = 0

    @property
    def tokens(self) -> int:
        """Tokens won and lost at tables."""
        return sum(tokens or 0 for tokens in self.rounds)

    @property
    def with_rulings(self) -> int:
        """The ledger's tokens and those given or taken by rulings: what is paid for."""
        return self.tokens + self.penalties

    @property
    def total(self) -> Amount:
        """What places go by: whole where sums are compared, else exact."""
        result = self.comparison.result(
            tokens=self.tokens, at_three=self.at_three, rulings=self.penalties, deals=self.deals
        )
        return result + self.carried

    @property
    def played(self) -> list[int]:
        return [tokens for tokens in self.rounds if tokens is not None]


@dataclass(frozen=True)
class TieBreak:
    """A way to tell apart players with equal totals: the greater value comes first.

    `name` and `explanation` are English source texts, which `ties.tie_break_said` says by a rulebook.
    """

    code: str
    name: str
    explanation: str
    value: Callable[[Row], int]


TIE_BREAKS = {
    tie_break.code: tie_break
    for tie_break in (
        TieBreak(
            "best_round", _("best round"), _("the most tokens in one round"),
            lambda row: max(row.played, default=0),
        ),
        TieBreak(
            "last_round", _("last round"), _("the most tokens in the last round played"),
            lambda row: row.played[-1] if row.played else 0,
        ),
        TieBreak(
            "rounds_won", _("rounds in plus"), _("the most rounds ended with more than 0 tokens"),
            lambda row: sum(tokens > 0 for tokens in row.played),
        ),
        TieBreak(
            "games_won", _("games won"), _("the most games won as declarer"),
            lambda row: row.games_won,
        ),
        TieBreak(
            "fewest_kodilles", _("fewest kodilles"), _("the fewest kodilles as declarer"),
            lambda row: -row.kodilles,
        ),
        TieBreak(
            "fewest_penalties", _("fewest penalties"), _("the fewest tokens lost by rulings"),
            lambda row: row.penalties,
        ),
        TieBreak(
            "lot", _("lot"), _("by lot, from the tournament's code and the player's number"),
            lambda row: row.lot,
        ),
    )
}  # fmt: skip
DEFAULT_TIE_BREAKS = ["best_round", "games_won"]


@dataclass(frozen=True)
class Standings:
    rows: list[Row]
    # Numbers of the rounds shown, and whether the last of them is still being played.
    rounds: list[int]
    provisional: bool
    tie_break_codes: tuple[str, ...]
    comparison: Comparison = SUM

    @property
    def first(self) -> list[Row]:
        """Who has the first place; nobody before a round has begun."""
        return [row for row in self.rows if row.rank == 1 and self.rounds]

    @cached_property
    def has_penalties(self) -> bool:
        return any(row.penalties for row in self.rows)

    @cached_property
    def has_carried(self) -> bool:
        return any(row.carried for row in self.rows)


def standings(tournament: Tournament, *, through: int | None = None) -> Standings:
    """The standings after round `through`, or after all that has been reported until now.

    The caller's `tournament` must be fresh: its version is the key of the cache.
    """
    key = f"standings:{tournament.pk}:{tournament.version}:{through}"
    cached: Standings | None = cache.get(key)
    if cached is None:
        cached = _count(tournament, through)
        cache.set(key, cached, 3600)
    return cached


def _count(tournament: Tournament, through: int | None) -> Standings:
    started = list(tournament.rounds.exclude(state=Round.State.DRAWN).order_by("number"))
    shown = [round_ for round_ in started if through is None or round_.number <= through]
    rows = _rows(tournament, [round_.number for round_ in shown])
    _compare(tournament, rows, [round_.number for round_ in shown])
    codes = tuple(code for code in tournament.tie_breaks if code in TIE_BREAKS)
    rank(rows.values(), codes)
    return Standings(
        rows=sorted(rows.values(), key=lambda row: (row.rank, row.number)),
        rounds=[round_.number for round_ in shown],
        provisional=any(round_.is_running for round_ in shown),
        tie_break_codes=codes,
        comparison=comparison_of(tournament),
    )


def _rows(tournament: Tournament, rounds: Sequence[int]) -> dict[int, Row]:
    """A line for everybody who plays or has played, by entry."""
    # Values, not models: a thousand players are counted anew for every deal that the hall is told of.
    entries = list(
        tournament.entries.values_list(
            "pk", "number", "player__name", "club", "status", "carried", "has_namesake"
        )
    )
    clubs = Club.objects.in_bulk({entry[3] for entry in entries if entry[3]})
    rows, present = {}, set()
    for pk, number, name, club_id, status, carried, has_namesake in entries:
        club = clubs.get(club_id)
        rows[pk] = Row(
            entry_id=pk,
            number=number,
            name=told_apart(
                named(name, (club or tournament.host).name_style, number), number, has_namesake=has_namesake
            ),
            club=club.name if club else "",
            withdrawn=status == Entry.Status.WITHDRAWN,
            rounds=[None] * len(rounds),
            lot=_lot(tournament, number),
            carried=Fraction(carried, 100) if carried else 0,
        )
        if status == Entry.Status.PRESENT:
            present.add(pk)
    column = {number: index for index, number in enumerate(rounds)}
    # Whose match is decided by a ruling, or still to come, has not sat there yet.
    not_played = Q(table__match__awarded_home__isnull=False) | Q(table__match__postponed_to__isnull=False)
    there = Q(round__tournament=tournament, round__number__in=rounds)
    sittings = Sittings(there & ~(not_played & Q(table__reports_count=0)))
    for sat in sittings.all:
        # Who left and came back sat there twice.
        in_rounds, at = rows[sat.entry].rounds, column[sat.round]
        in_rounds[at] = (in_rounds[at] or 0) + sat.tokens
    _add_declared(tournament, rows, sittings, rounds)
    _add_penalties(tournament, rows, rounds)
    listed = {pk for pk, row in rows.items() if row.played}
    # A reserve who never sat at a table is no better than who lost there.
    if not (tournament.in_teams and listed):
        listed |= present
    return {pk: row for pk, row in rows.items() if pk in listed}


def _add_declared(
    tournament: Tournament, rows: dict[int, Row], sittings: Sittings, rounds: Sequence[int]
) -> None:
    declared = Deal.objects.filter(
        table__round__tournament=tournament, table__round__number__in=rounds, current__declarer__isnull=False
    )
    counts = {
        "games": Count("pk"),
        "won": Count("pk", filter=Q(current__outcome__in=WON)),
        "kodilles": Count("pk", filter=Q(current__outcome__in=LOST_DEARLY)),
    }
    together = declared.exclude(table__in=sittings.changed).values_list("table_id", "current__declarer")
    # Where a substitute came, it is a question of the deal whose game it was.
    apart = declared.filter(table__in=sittings.changed).values_list("table_id", "current__declarer", "number")
    for table_id, position, *numbers in (
        *together.annotate(**counts).order_by(),
        *(apart.annotate(**counts).order_by() if sittings.changed else ()),
    ):
        *deal, games, won, kodilles = numbers
        row = rows[sittings.entry_at(table_id, position, deal[0] if deal else 1)]
        row.declared += games
        row.games_won += won
        row.kodilles += kodilles


def _add_penalties(tournament: Tournament, rows: dict[int, Row], rounds: Sequence[int]) -> None:
    counting = Penalty.objects.filter(tournament=tournament, cancelled_at=None).filter(
        Q(round=None) | Q(round__number__in=rounds)
    )
    counting = counting.exclude(entry=None)  # a team's are the team's
    for entry_id, tokens in counting.values_list("entry").annotate(Sum("tokens")).order_by():
        rows[entry_id].penalties = tokens


def comparison_of(tournament: Tournament) -> Comparison:
    """What places in a tournament go by."""
    return Comparison(tournament.comparison, read_factor(tournament.three_factor))


def _compare(tournament: Tournament, rows: Mapping[int, Row], rounds: Sequence[int]) -> None:
    """Add what was taken along, and what the comparison needs beside tokens."""
    comparison = comparison_of(tournament)
    parts = any(row.carried.denominator > 1 for row in rows.values())
    dealt = deals_dealt(tournament, rounds) if comparison.kind == Tournament.Comparison.AVERAGE else {}
    at_three = _tokens_at_three(tournament, rounds) if comparison.kind == Tournament.Comparison.FACTOR else {}
    for pk, row in rows.items():
        row.comparison, row.deals, row.at_three = comparison, dealt.get(pk, 0), at_three.get(pk, 0)
        row.carried = row.carried if parts else int(row.carried)


def _tokens_at_three(tournament: Tournament, rounds: Sequence[int]) -> dict[int, int]:
    """Entry -> tokens from tables of three."""
    small = Table.objects.filter(round__tournament=tournament, round__number__in=rounds)
    small = small.annotate(players=Count("seats")).filter(players=SMALL_TABLE)
    tokens: Counter[int] = Counter()
    for sat in Sittings(Q(table__in=small.values("pk"))).all:
        tokens[sat.entry] += sat.tokens
    return dict(tokens)


def _lot(tournament: Tournament, number: int) -> int:
    """The lot of an entry, which anyone can work out: the code was there before anybody had a number."""
    return int.from_bytes(hashlib.sha256(f"{tournament.code}/{number}".encode()).digest()[:4], "big")


def rank(rows: Iterable[Row], codes: Sequence[str]) -> None:
    """Give each row its rank, its tie-break values, and whether it shares the rank."""
    tie_breaks = [TIE_BREAKS[code] for code in codes]
    by_key: dict[tuple[Amount, ...], list[Row]] = defaultdict(list)
    for row in rows:
        row.ties = [tie_break.value(row) for tie_break in tie_breaks]
        by_key[row.total, *row.ties].append(row)
    place = 1
    for key in sorted(by_key, reverse=True):
        for row in by_key[key]:
            row.rank = place
            row.shared = len(by_key[key]) > 1
        place += len(by_key[key])
