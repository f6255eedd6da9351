"""What each evening is to a season: counted from its standings, and kept until something of the evening changes.

An evening at which a round is being played is counted each time; deals come in all the time there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import ExpressionWrapper, F, Field

from tournaments.changes.locks import hold
from tournaments.models import EveningResult, Round, Tournament
from tournaments.seasons.feats import Feats, feats_of
from tournaments.seasons.ladder import Result
from tournaments.standings.players import Counted, standings
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet

    from tournaments.domain.comparison import Amount
    from tournaments.standings.players import Standings
    from tournaments.standings.teams import TeamStandings
    from tournaments.standings.tie_breaks import Row


class Played(NamedTuple):
    """A player's evening: the entry, its number and club, and what it brought; `evening` is a tournament."""

    evening: int
    entry: int
    player: int
    club: int | None
    number: int
    result: Result


KEPT = (
    "tournament_id", "entry_id", "entry__player_id", "entry__club_id", "entry__number",
    "total", "divided_by", "tokens", "deals", "place", "field", "division",
    # As the database has it, 0 or 1: then no row has to be looked through.
    ExpressionWrapper(F("withdrawn"), Field()),
)  # fmt: skip


def results_of(evenings: Sequence[int]) -> list[Played]:
    """Everybody who was reported a deal at these tournaments (by primary key)."""
    lacking = not_kept().filter(pk__in=evenings).order_by("pk")
    playing = set(
        Round.objects.filter(tournament__in=lacking.values("pk"), state=Round.State.RUNNING)
        .order_by()
        .values_list("tournament", flat=True)
    )
    live = []
    for evening in lacking.select_related("host"):
        if evening.pk not in playing:
            keep(evening.pk)
        else:
            live += _counted(evening)
    rows = EveningResult.objects.filter(tournament__in=set(evenings) - playing)
    return live + played(rows.values_list(*KEPT))


def played(rows: Iterable[Sequence[Any]]) -> list[Played]:
    """Kept results as `KEPT` reads them."""
    return [_played(*row) for row in rows]


def _played(*row: Any) -> Played:
    evening, entry, player, club, number, total, by, tokens, deals, place, field, division, withdrawn = row
    amount = total if by == 1 else Fraction(total, by)
    result = Result(amount, tokens, deals, place, withdrawn, field, division)
    return Played(evening, entry, player, club, number, result)


def not_kept() -> QuerySet[Tournament]:
    """Tournaments that have begun and whose results are not kept as they are now."""
    return Tournament.objects.filter(results_kept=False).exclude(state=Tournament.State.SETUP)


@transaction.atomic
def keep(*evenings: int) -> None:
    """Count evenings, by primary keys in their order, and keep what they are to a season and to records."""
    for pk in evenings:
        hold(pk)
    # What somebody else has done meanwhile is done.
    lacking = Tournament.objects.select_related("host").filter(pk__in=evenings, results_kept=False)
    found = {evening.pk: evening for evening in lacking.order_by("pk")}
    feats, counted = feats_of(*found.values()), Counted(list(found.values()))
    EveningResult.objects.filter(tournament__in=found).delete()
    EveningResult.objects.bulk_create(
        EveningResult(
            tournament_id=pk,
            entry_id=entry,
            place=result.rank,
            field=result.field,
            division=result.division,
            total=Fraction(result.total).numerator,
            divided_by=Fraction(result.total).denominator,
            tokens=result.tokens,
            deals=result.deals,
            withdrawn=result.withdrawn,
            **asdict(feats.get(entry, Feats())),
        )
        for pk, evening in found.items()
        for entry, result in count(evening, counted.standings(pk, moved=False))
    )
    Tournament.objects.filter(pk__in=found).update(results_kept=True)


def count(
    evening: Tournament,
    shown: Standings | None = None,
    teams: TeamStandings | None = None,
    members: Iterable[tuple[int, int]] | None = None,
) -> Iterable[tuple[int, Result]]:
    """Each entry of a fresh `evening` that was reported a deal, with what it brought.

    Where they are at hand: `shown` and `teams` are its standings, `members` as `places_of_teams` takes them.
    """
    rows = (shown or standings(evening)).rows
    of_teams = places_of_teams(evening, teams, members) if evening.in_teams else None
    # An evening counts for a player, and a player for the places of others, from the first deal of theirs on:
    # before it, 0 tokens would stand above everybody who has lost some.
    waiting = [row.rank for row in rows if not row.deals]
    field = len(rows) - len(waiting)
    for row in rows:
        if row.deals:
            if of_teams is None:
                place = TeamPlace(row.rank - bisect_left(waiting, row.rank), 1, field)
            else:
                place = of_teams.get(row.number, NO_PLACE)
            yield (
                row.entry_id,
                Result(
                    _total(row),
                    row.with_rulings,
                    row.deals,
                    place.rank,
                    row.withdrawn,
                    place.field,
                    place.division,
                ),
            )


def _counted(evening: Tournament) -> list[Played]:
    entries = {
        pk: (player, club, number)
        for pk, player, club, number in evening.entries.values_list("pk", "player", "club", "number")
    }
    return [Played(evening.pk, entry, *entries[entry], result) for entry, result in count(evening)]


def _total(row: Row) -> Amount:
    """What an evening brings to a sum: averages are no tokens, and what was taken along was won on another day."""
    if row.comparison.kind == Tournament.Comparison.AVERAGE:
        return row.with_rulings
    total = Fraction(row.total - row.carried)
    return total.numerator if total.denominator == 1 else total


class TeamPlace(NamedTuple):
    """A place among the pairs or teams of a division: `field` is how many of them there are."""

    rank: int
    division: int
    field: int


NO_PLACE = TeamPlace(0, 1, 0)


def places_of_teams(
    evening: Tournament,
    shown: TeamStandings | None = None,
    members: Iterable[tuple[int, int]] | None = None,
) -> dict[int, TeamPlace]:
    """Player's number -> the place of their pair or team in its division.

    Who only played as a substitute has the place of the team they played the most deals for. `members` are the numbers
    of those who are in a team, and of their teams.
    """
    rows = (shown or team_standings(evening)).rows
    sizes = Counter(row.division for row in rows)
    ranks = {row.number: TeamPlace(row.rank, row.division, sizes[row.division]) for row in rows}
    found: dict[int, tuple[int, TeamPlace]] = {}
    for row in rows:
        for player in row.players:
            found[player.number] = max(
                found.get(player.number, (0, NO_PLACE)), (player.deals, ranks[row.number])
            )
    substitutes = {number: place for number, (_deals, place) in found.items()}
    if members is None:
        members = evening.entries.exclude(team=None).values_list("number", "team__number")
    return substitutes | {number: ranks[team] for number, team in members if team in ranks}
