"""The draw where pairs or teams meet: who meets whom by the schedule, each in its group, and at which tables.

All meet all in their group, as often as the tournament says, and again from the beginning where more rounds are
planned than the largest group needs. The format says at how many tables a match is played, and who of a side sits at
which: the home side has seats 0 and 2, N+S; at the second table it is the other way round.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from core.errors import NotPossible
from tournaments.domain.draw_text import refusal_in_words
from tournaments.domain.formats import Sides
from tournaments.draw.meetings import Matchday, next_meetings, rounds_to_meet
from tournaments.draw.tables import DrawError, seated_in_pairs
from tournaments.ledger.queries import is_ready, regulars, teams_of
from tournaments.models import Match, Round, Seat, Table
from tournaments.models.events import free_codes
from tournaments.standings.team_ranking import side_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.draw.tables import Table as Seated
    from tournaments.models import Entry, Team, Tournament


def draw_matches(tournament: Tournament, *, started: int, rounds: int, seed: int) -> list[Round]:
    """Seat the next rounds by matches; the caller has locked the tournament and dropped what was drawn.

    `started` rounds have been played; fewer than `rounds` are drawn where all have met. Raises NotPossible.
    """
    teams = teams_of(tournament)
    days = _matchdays(tournament, teams, started, seed)[:rounds]
    if not days:
        raise NotPossible(_("All have met as often as planned; there is nothing left to draw."))
    by_number = {team.number: team for team in teams}
    made = []
    for number, day in enumerate(days, start=started + 1):
        round_ = Round.objects.create(tournament=tournament, number=number, seed=seed)
        _store_matches(round_, day, by_number)
        made.append(round_)
    seat_matches(tournament, made)
    return made


def _matchdays(tournament: Tournament, teams: Sequence[Team], started: int, seed: int) -> list[Matchday]:
    """The matches of all rounds to come, the groups one after another; teams by number."""
    ready: dict[int, list[int]] = defaultdict(list)
    for team in teams:
        if is_ready(team):
            ready[team.division].append(team.number)
    alone = [numbers for numbers in ready.values() if len(numbers) == 1]
    if not ready or (alone and not started):
        error = DrawError("too_few_pairs", "At least two are needed to play against each other.")
        raise NotPossible(refusal_in_words(error), "tables")
    played = _played(tournament, teams)
    left = tournament.rounds_planned - started
    byes = tournament.bye_teams
    most = max(rounds_to_meet(len(numbers), tournament.meetings, byes) for numbers in ready.values())
    again = -(-tournament.rounds_planned // most) if most else 1
    merged = [Matchday((), ()) for _round in range(left)]
    for division, numbers in sorted(ready.items()):
        if len(numbers) == 1:
            found: Sequence[Matchday] = ()
        else:
            found = _meetings(
                numbers,
                left,
                meetings=tournament.meetings * again,
                byes=byes,
                history=played[division][:started],
                seed=seed + division,
            )
        for index in range(left):
            day = found[index] if index < len(found) else Matchday((), tuple(numbers))
            merged[index] = Matchday(merged[index].matches + day.matches, merged[index].byes + day.byes)
    return [day for day in merged if day.matches]


def _meetings(numbers: Sequence[int], left: int, **how: Any) -> Sequence[Matchday]:
    try:
        return next_meetings(numbers, left, **how)
    except DrawError as error:
        raise NotPossible(refusal_in_words(error), "tables") from error


def _played(tournament: Tournament, teams: Sequence[Team]) -> dict[int, list[Matchday]]:
    """The matches of each group's rounds that have started, by number."""
    division_of = {team.pk: team.division for team in teams}
    number_of = {team.pk: team.number for team in teams}
    started = tournament.rounds.exclude(state=Round.State.DRAWN).order_by("number")
    matches: dict[int, list[Match]] = defaultdict(list)
    for match in Match.objects.filter(round__in=started):
        matches[match.round_id].append(match)
    days: dict[int, list[Matchday]] = defaultdict(list)
    for division in set(division_of.values()):
        for round_ in started:
            mine = [match for match in matches[round_.pk] if division_of[match.home_id] == division]
            days[division].append(
                Matchday(
                    tuple(
                        (number_of[m.home_id], number_of[m.away_id]) for m in mine if m.away_id is not None
                    ),
                    tuple(number_of[match.home_id] for match in mine if match.is_bye),
                )
            )
    return days


def _store_matches(round_: Round, day: Matchday, teams: dict[int, Team]) -> None:
    """A row for each match, those with a bye behind the others."""
    meetings = [(teams[home], teams[away]) for home, away in day.matches]
    byes = [(teams[team], None) for team in day.byes]
    Match.objects.bulk_create(
        Match(round=round_, number=number, home=home, away=away)
        for number, (home, away) in enumerate([*meetings, *byes], start=1)
    )


def seat_matches(tournament: Tournament, rounds: Sequence[Round]) -> None:
    """The tables of each match in these rounds: one for pairs, two for teams of four.

    Everybody is on a chair of their side that they have had least often; the ways to split a team over two tables take
    turns.
    """
    had: dict[tuple[int, int], int] = defaultdict(int)
    seats = Seat.objects.filter(round__tournament=tournament).exclude(round__in=rounds)
    for position, entry in seats.values_list("position", "entry"):
        had[position, entry] += 1
    members = {team.pk: regulars(team)[: tournament.format_row.team_size] for team in teams_of(tournament)}
    entries = {entry.pk: entry for pair in members.values() for entry in pair}
    for round_ in rounds:
        matches = [match for match in round_.matches.order_by("number") if not match.is_bye]
        met, sides = [], []
        for match in matches:
            home, away = members[match.home_id], members[match.away_id or 0]
            for two in _sides(tournament, home, away, round_.number):
                met.append(match)
                sides.append(two)
        (tables,) = seated_in_pairs([sides], had)
        _store_tables(round_, list(zip(met, tables, strict=True)), entries)


def _sides(tournament: Tournament, home: Sequence[Entry], away: Sequence[Entry], number: int) -> list[Sides]:
    """Who sits at seats 0 and 2 and who at 1 and 3 of each table of a match: the home side first, then turned."""
    ways = tournament.format_row.ways
    sides = []
    for table, (ours, theirs) in enumerate(ways[(number - 1) % len(ways)]):
        two = tuple(home[place].pk for place in ours), tuple(away[place].pk for place in theirs)
        sides.append(two[::-1] if side_of(0, at_second=table > 0) else two)
    return sides


def _store_tables(round_: Round, seated: list[tuple[Match, Seated]], entries: dict[int, Entry]) -> None:
    tournament = round_.tournament
    codes = free_codes(Table, len(seated))
    made = Table.objects.bulk_create(
        Table(round=round_, number=number, match=match, deals=tournament.deals_for(len(players)), code=code)
        for number, ((match, players), code) in enumerate(zip(seated, codes, strict=True), start=1)
    )
    Seat.objects.bulk_create(
        Seat(table=table, round=round_, position=position, entry=entries[entry])
        for table, (_match, players) in zip(made, seated, strict=True)
        for position, entry in enumerate(players)
    )
