"""Recounting what is stored besides reports: materialized results and tables."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import groupby, islice, zip_longest
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from core.canonical_json import as_text, json_of
from core.sql import key_set, snapshot
from tournaments.ledger.report_chain import STORED, ReportRow
from tournaments.models import (
    Deal,
    EveningPlaces,
    FolderChange,
    FormerSeat,
    Rating,
    RatingState,
    Report,
    Round,
    Seat,
    SeatChange,
    Table,
    Tournament,
)
from tournaments.people.club_years import clubs_kept, kept_otherwise
from tournaments.seasons.rating import Known, games_of, move_on
from tournaments.seasons.ratings import counting, known_in, unsettled_from
from tournaments.seasons.results import FEATS, Feats, count, places_by_results

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scoring.seats import Change
    from tournaments.ledger.deal_sums import Sums
    from tournaments.seasons.results import Played
    from tournaments.standings.players import Standings
    from tournaments.standings.teams import TeamStandings


# Checks of materialized results (`models.derived`) by recomputing them. In English, for `verify`.

OF_FEATS = ("entry__number", "entry", *FEATS)
OF_SUM = ("sort", "year", "deals", "tokens")
# Of a rating, what it is after and whose, then as `Known` has it.
RATED = ("entry__tournament__code", "player", "mu", "sigma", "tables", "date")


def result_differences(
    tournament: Tournament,
    results: Sequence[Played],
    shown: Standings,
    teams: TeamStandings | None,
    members: Sequence[tuple[int, int]],
) -> Iterator[str]:
    """Differences between the results stored for the season and the standings; none while they are outdated."""
    if not tournament.results_kept:
        return
    kept = {one.entry: one for one in results}
    counted = dict(count(tournament, shown, teams, members))
    for entry in sorted(kept.keys() | counted.keys()):
        has, gives = kept.get(entry), counted.get(entry)
        if (has and has.result) != gives:
            number = has.number if has else tournament.entries.get(pk=entry).number
            yield f"no. {number} is kept for the season with {has and has.result}, the standings give {gives}"


def feat_differences(
    tournament: Tournament, kept: Iterable[Sequence[Any]], counted: Mapping[int, Feats]
) -> Iterator[str]:
    """Differences between stored and recounted records of clubs (rows of `OF_FEATS`); `counted` is by entry."""
    if not tournament.results_kept:
        return
    for number, entry, *feats in kept:
        if (gives := counted.get(entry, Feats())) != Feats(*feats):
            yield f"no. {number} is kept for records with {Feats(*feats)}, the reports give {gives}"


def sum_differences(
    tournament: Tournament, kept: Iterable[tuple[str, int, int, int]], counted: Sums
) -> Iterator[str]:
    """Differences between stored and recounted sums of deals; none while they are outdated.

    `kept` are rows of `OF_SUM`, with their keys as text.
    """
    if not tournament.deals_summed:
        return
    year = tournament.date.year
    have = {said: (at, deals, tokens) for said, at, deals, tokens in kept if deals or tokens}
    give = {sort.to_text: (year, deals, tokens) for sort, (deals, tokens) in counted.items()}
    for said in sorted(have.keys() | give.keys()) if have != give else ():
        if have.get(said) != give.get(said):
            yield f"of deals {said} (year, deals, tokens) {have.get(said)} are kept, the reports give {give.get(said)}"


def kept_differences() -> Iterator[str]:
    """Differences in results of many evenings: ratings and the years of clubs."""
    for part in (*parts_of_ratings(), *parts_of_years()):
        yield from part()


# A check of one part of them; returns the differences.
Part = Callable[[], list[str]]


def parts_of_ratings() -> list[Part]:
    """The parts of checking ratings, and the places of points lists: few, of some seconds each."""
    rated = RatingState.objects.order_by("club").values_list("club", flat=True)
    return [*(partial(_ratings_of, club) for club in rated), place_differences]


def parts_of_years() -> list[Part]:
    """Many, nearly all of a tenth of a second or less, and these last."""
    return [partial(_years_of, club) for club in clubs_kept()]


def place_differences() -> list[str]:
    """Tournaments whose places, stored for points lists, are not those of their stored results."""
    with snapshot():
        current = EveningPlaces.objects.filter(
            tournament__results_kept=True, tournament__state=Tournament.State.FINISHED
        )
        stored = {
            pk: (code, groups)
            for pk, code, groups in current.values_list("tournament", "tournament__code", "groups")
        }
        given = places_by_results(stored)
    said = "the places stored for points lists are not those of its results"
    return [f"{code}: {said}" for pk, (code, groups) in stored.items() if groups != json.dumps(given[pk])]


def _ratings_of(club: int) -> list[str]:
    with snapshot():
        return [f"ratings: {text}" for text in rating_differences(RatingState.objects.get(club=club))]


def _years_of(club: int) -> list[str]:
    said = "kept for its history otherwise than the results give"
    return [f"{club}: {year or 'all years'} {said}" for club, year in kept_otherwise(club)]


def rating_differences(state: RatingState) -> Iterator[str]:
    """Differences between stored ratings and those recomputed from all games; outdated ones are skipped."""
    until = unsettled_from(state) or date.max
    evenings = counting(state.hosts).filter(date__lt=until).order_by("date", "code")
    games = games_of(list(evenings.values_list("code", flat=True)))
    again = ((code, player, now) for code, after in move_on({}, games) for player, now in after.items())
    newest: dict[int, Known] = {}
    for has, gives in zip_longest(_stored_ratings(state, until), again):
        if has is None or has != gives:
            yield f"{state.club}: kept is {has}, the results give {gives}"
            return
        newest[has[1]] = has[2]
    rows = Rating.objects.filter(whole=state.club_id, copy=state.shown_copy, is_newest=True)
    if until == date.max and newest != {row.player_id: known_in(row) for row in rows}:
        yield f"{state.club}: other ratings are marked as the newest than are"


def _stored_ratings(state: RatingState, until: date) -> Iterator[tuple[str, int, Known]]:
    """Each stored rating: tournament after which it holds, player, value."""
    kept = Rating.objects.filter(whole=state.club_id, copy=state.shown_copy)
    rows = kept.filter(date__lt=until).order_by("pk")
    for code, player, *known in rows.values_list(*RATED).iterator(2000):
        yield code, player, Known(*known)


# The stored rows at the tables of many tournaments, queried for a recount in batches of limited size.

AT_ONCE = 400  # tables


@dataclass(slots=True)
class TableRow:
    """A table's raw columns for a recount; its lists are shared and must not be changed."""

    pk: int
    round: Round
    folders: list[int]
    turns: list[Change]
    number: int
    deals: int
    first_dealer: int
    last_hash: str
    reports_count: int
    seal: str


OF_TABLE = (
    *("pk", "round", as_text("folders"), as_text("turns")),
    *("number", "deals", "first_dealer", "last_hash", "reports_count", "seal"),
)


class Sits(NamedTuple):
    """A seat as it is stored."""

    position: int
    entry_id: int
    tokens: int


class Sat(NamedTuple):
    """A former seat as it is stored; `through` is the last deal that counts for who sat there."""

    position: int
    entry_id: int
    tokens: int
    through: int


class AtTable(NamedTuple):
    """A table with its seats by position, its reports in order, and the counting report of each deal (primary key).

    `formers` are former players in order, `changes` the log of dealers and seats, `folders` the last recorded
    folder of each deal.
    """

    table: TableRow
    seats: list[Sits]
    reports: list[ReportRow]
    current: dict[int, int]
    formers: list[Sat]
    changes: list[Any]
    folders: dict[int, int]


def tables_of(tournaments: Mapping[int, Tournament]) -> Iterator[tuple[int, Iterator[AtTable]]]:
    """Each tournament with its tables in their order; of one that has none, none.

    The rows of many tables are queried in one batch of limited size. Reports and seats are rows here
    with the fields of one: making a model of each takes as long as recounting it.
    """
    rounds = (
        Round.objects.filter(tournament__in=key_set(tournaments))
        .only("tournament", "number", "state")
        .in_bulk()
    )
    for round_ in rounds.values():
        round_.tournament = tournaments[round_.tournament_id]
    of_each: dict[int, list[tuple[int, int, int]]] = {pk: [] for pk in tournaments}
    tables = Table.objects.filter(round__in=key_set(rounds)).order_by()
    for pk, round_id, number in tables.values_list("pk", "round", "number"):
        at = rounds[round_id]
        of_each[at.tournament_id].append((at.number, number, pk))
    in_order = [pk for places in of_each.values() for *_place, pk in sorted(places)]
    waiting = (at for some in _parts(in_order) for at in _read(some, rounds))
    for pk, places in of_each.items():
        # Consume all of them, even if the consumer stopped early.
        here = islice(waiting, len(places))
        yield pk, here
        deque(here, maxlen=0)


def _parts(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(keys), AT_ONCE):
        yield keys[first : first + AT_ONCE]


def _read(keys: Sequence[int], rounds: Mapping[int, Round]) -> list[AtTable]:
    """These tables by their primary keys, in this order."""
    here = key_set(keys)
    tables = {
        pk: TableRow(pk, rounds[of], json_of(cards), json_of(turns), *row)
        for pk, of, cards, turns, *row in Table.objects.filter(pk__in=here).order_by().values_list(*OF_TABLE)
    }
    found = {pk: AtTable(tables[pk], [], [], {}, [], [], {}) for pk in keys}
    seats = Seat.objects.filter(table__in=here).order_by("table_id", "position")
    for pk, *sits in seats.values_list("table", *Sits._fields):
        found[pk].seats.append(Sits(*sits))
    formers = FormerSeat.objects.filter(table__in=here).order_by("through", "pk")
    for pk, *sat in formers.values_list("table", *Sat._fields):
        found[pk].formers.append(Sat(*sat))
    changes = SeatChange.objects.filter(table__in=here).order_by("sequence")
    for pk, change in changes.values_list("table", "change"):
        found[pk].changes.append(change)
    folders = FolderChange.objects.filter(table__in=here).order_by("pk")
    for pk, deal, folder in folders.values_list("table", "deal_number", "now"):
        found[pk].folders[deal] = folder
    # In the order of an index: nothing has to be sorted.
    reports = Report.objects.filter(table__in=here).order_by("table_id", "sequence").values_list(*STORED)
    for pk, rows in groupby(map(ReportRow._make, reports), attrgetter("table_id")):
        found[pk].reports.extend(rows)
    deals = Deal.objects.filter(table__in=here).order_by("table_id", "number")
    for pk, counts in groupby(deals.values_list("table", "number", "current"), itemgetter(0)):
        found[pk].current.update((deal, key) for _pk, deal, key in counts)
    return list(found.values())
