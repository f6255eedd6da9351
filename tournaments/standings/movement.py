"""By how many places players have moved: since the round before, and by what was reported last.

The places before are those of the same players without what has come since, told apart by the same tie-breaks. Who had
not played yet has not moved: nobody can say from where.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.sql import asked
from scoring.seats import Role
from tournaments.domain.outcomes import LOST_DEARLY, WON, is_totals_only
from tournaments.draw.tables import SMALL_TABLE
from tournaments.ledger.seating import turns_at
from tournaments.models import Report, Round, Table
from tournaments.standings.tie_breaks import keys_of, places_by

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tournaments.ledger.seating import Sittings
    from tournaments.models import Tournament
    from tournaments.standings.games import Games
    from tournaments.standings.rows import Row


@dataclass(frozen=True, slots=True)
class LastRound:
    """What the last of the rounds shown has brought, by entry: games, rulings, and tokens at tables of three."""

    games: Mapping[int, Games]
    penalties: Mapping[int, int]
    at_three: Mapping[int, int]

    def without(self, row: Row) -> Row:
        """A player's line as it was when that round began."""
        pk, games = row.entry_id, self.games.get(row.entry_id)
        before = row.but(
            rounds=row.rounds[:-1],
            penalties=row.penalties - self.penalties.get(pk, 0),
            at_three=row.at_three - self.at_three.get(pk, 0),
        )
        if games:
            before.deals -= games.dealt
            before.games_won -= games.won
            before.kodilles -= games.kodilles
        return before


def mark_since_round(rows: Iterable[Row], last: LastRound, codes: Sequence[str]) -> None:
    """Say of each line how many places it has gone up, or with a minus down, in the last round shown."""
    there = {row.entry_id: row for row in rows}
    before = (one for one in map(last.without, there.values()) if one.played or not one.rounds)
    keys = {one.entry_id: key for one, key in keys_of(before, codes)}
    for pk, place in places_by(keys).items():
        there[pk].moved = place - there[pk].rank


def mark_by_deal(
    tournament: Tournament,
    ranked: Iterable[Row],
    rounds: Sequence[int],
    sittings: Sittings,
    codes: Sequence[str],
) -> None:
    """The same of what was reported last: a deal, its correction, or that it was taken back.

    Nothing is said where that was a table's totals without its deals.
    """
    table = _reported_last.first(tournament.pk)
    if table is None or table.round.number not in rounds:
        return
    (last,) = _report(table.pk, table.reports_count)
    former = _revision.first(table.pk, last.deal_number, last.revision - 1) if last.revision > 1 else None
    if any(is_totals_only(one.result) for one in (last, former) if one):
        return
    rows = {row.entry_id: row for row in ranked}
    column = rounds.index(table.round.number)
    sat = [rows[pk] for pk in sittings.at(table.pk, last.deal_number)]
    who = [row.but(rounds=list(row.rounds)) for row in sat]
    _add(who, table, last, column, times=-1)
    if former:
        _add(who, table, former, column, times=1)
    # The others are ranked by what they have now: nearly sorted as they come.
    keys = {pk: row.key for pk, row in rows.items()}
    keys |= {row.entry_id: key for row, key in keys_of(who, codes)}
    for pk, place in places_by(keys).items():
        rows[pk].moved_by_deal = place - rows[pk].rank


@asked
def _reported_last(tournament: int) -> QuerySet[Table]:
    """The table from which a report came last, of the rounds that have begun."""
    reported = Table.objects.filter(round__tournament=tournament, last_report_at__isnull=False)
    begun = reported.exclude(round__state=Round.State.DRAWN).select_related("round__tournament")
    return begun.order_by("-last_report_at", "-pk")[:1]


@asked
def _report(table: int, sequence: int) -> QuerySet[Report]:
    return Report.objects.filter(table=table, sequence=sequence).order_by()


@asked
def _revision(table: int, deal: int, revision: int) -> QuerySet[Report]:
    return Report.objects.filter(table=table, deal_number=deal, revision=revision).order_by()


def _add(who: Sequence[Row], table: Table, report: Report, column: int, *, times: int) -> None:
    """Add a report to the lines of those who sat there, by position, or take it away."""
    if report.result is None:
        return
    roles = turns_at(table, len(who)).seating(report.deal_number).roles
    for position, (row, tokens) in enumerate(zip(who, report.tokens, strict=True)):
        row.rounds[column] = (row.rounds[column] or 0) + times * tokens
        row.deals += times * (roles[position] is not Role.IDLE)
        if len(who) == SMALL_TABLE:
            row.at_three += times * tokens
        if position == report.declarer:
            row.games_won += times * (report.outcome in WON)
            row.kodilles += times * (report.outcome in LOST_DEARLY)
