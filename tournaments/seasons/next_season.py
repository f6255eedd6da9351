"""Take the teams of an earlier season into a tournament, each in the division that its place gives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.entries.bulk import enter_all
from tournaments.entries.teams import Lineup, make_team
from tournaments.models import Entry, Tournament
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account, Club
    from tournaments.models import Team


class Move(Enum):
    """How a team got into its division."""

    STAYS = "stays"
    UP = "up"
    # Another one declined, stays away, or has too many teams of its club above.
    UP_INSTEAD = "up instead"
    DOWN = "down"
    # No team was promoted into its place.
    SAVED = "saved"


@dataclass(frozen=True, slots=True)
class Places:
    """The new divisions from the first on, each as its teams in order, and how each team came there.

    `crowded` are clubs that have more teams in a division than they may, with the division: only promotions are kept
    from it.
    """

    divisions: Sequence[Sequence[int]]
    moves: Mapping[int, Move]
    crowded: Sequence[tuple[int, int]] = ()


@dataclass
class _Division:
    stay: list[int]
    down: list[int] = field(default_factory=list)
    up: list[int] = field(default_factory=list)
    saved: list[int] = field(default_factory=list)


def next_divisions(
    ranked: Sequence[Sequence[int]],
    clubs: Mapping[int, int | None],
    *,
    promoted: int,
    relegated: int,
    away: Collection[int] = (),
    declined: Collection[int] = (),
    most_of_club: int = 0,
) -> Places:
    """Return the divisions of the next season from the final places of this one, teams by number.

    `away` play no more: their place is kept by the best of those to be relegated, else by the next below. `declined` do
    not go up: the next goes instead. With `most_of_club` nobody goes up where the club has so many; 0 for no limit.
    """
    found = [_Division([team for team in division if team not in away]) for division in ranked]
    lost = [sum(team in away for team in division) for division in ranked]
    for number, division in enumerate(found[:-1]):
        count = min(max(relegated - lost[number], 0), max(len(division.stay) - 1, 0))
        split = len(division.stay) - count
        division.stay, division.down = division.stay[:split], division.stay[split:]
    moves: dict[int, Move] = {}
    for number in range(1, len(found)):
        above, below = found[number - 1], found[number]
        wanted = promoted + max(lost[number - 1] - relegated, 0)
        came_down = found[number - 2].down if number > 1 else []
        of_club = Counter(clubs.get(team) for team in (*above.stay, *above.saved, *came_down))
        skipped = False
        for team in list(below.stay):
            if len(above.up) == wanted:
                break
            club = clubs.get(team)
            is_full = most_of_club and club is not None and of_club[club] >= most_of_club
            if team in declined or is_full:
                skipped = True
                continue
            of_club[club] += 1
            above.up.append(team)
            below.stay.remove(team)
            is_next = skipped or len(above.up) > promoted
            moves[team] = Move.UP_INSTEAD if is_next else Move.UP
        lacking = min(wanted - len(above.up), len(above.down))
        above.saved, above.down = above.down[:lacking], above.down[lacking:]
    divisions = []
    for number, division in enumerate(found):
        came_down = found[number - 1].down if number else []
        moves |= dict.fromkeys(came_down, Move.DOWN)
        moves |= dict.fromkeys(division.stay, Move.STAYS)
        moves |= dict.fromkeys(division.saved, Move.SAVED)
        divisions.append([*came_down, *division.stay, *division.saved, *division.up])
    # An empty division is none.
    return Places([one for one in divisions if one], moves, _crowded(divisions, clubs, most_of_club))


def _crowded(
    divisions: Sequence[Sequence[int]], clubs: Mapping[int, int | None], most: int
) -> list[tuple[int, int]]:
    found = []
    for number, teams in enumerate(divisions, 1):
        counted = Counter(club for team in teams if (club := clubs.get(team)) is not None)
        found += [(club, number) for club, count in counted.items() if most and count > most]
    return found


# Earlier seasons that are offered, the newest first.
OFFERED = 20


@dataclass(frozen=True, slots=True)
class TeamPlace:
    """A team of an earlier season: where it played and where it will."""

    team: Team
    was: int
    division: int
    move: Move


@dataclass(frozen=True, slots=True)
class SeasonPlaces:
    """The teams of an earlier season by their new divisions.

    `crowded` are clubs with too many teams in a division, the division, and whether one was relegated into it.
    """

    teams: Sequence[TeamPlace]
    crowded: Sequence[tuple[Club, int, bool]]


def has_teams_to_take(earlier: Tournament, tournament: Tournament) -> bool:
    """Whether a copy can take the teams of its league: those of clubs, or divisions with promotion and relegation."""
    if (earlier.format, earlier.host_id) != (tournament.format, tournament.host_id) or not earlier.in_teams:
        return False
    moves = bool(earlier.promoted or earlier.relegated)
    return earlier.teams.exists() if moves else earlier.teams.filter(club__isnull=False).exists()


def season_before(tournament: Tournament, offered: Sequence[Tournament]) -> Tournament:
    """The newest of the seasons offered that has the tournament's rules for teams; else the newest."""

    def rules(one: Tournament) -> tuple[int, ...]:
        return (one.promoted, one.relegated, one.up_limit, one.most_of_club)

    return next((one for one in offered if rules(one) == rules(tournament)), offered[0])


def earlier_seasons(tournament: Tournament) -> list[Tournament]:
    """The tournaments of the same host and format that have teams, the newest first."""
    same = Tournament.objects.not_called_off().filter(host=tournament.host_id, format=tournament.format)
    found = same.filter(teams__isnull=False).exclude(pk=tournament.pk).distinct()
    return list(found.order_by("-date", "-pk")[:OFFERED])


def places_after(
    earlier: Tournament,
    *,
    away: Collection[int] = (),
    declined: Collection[int] = (),
    most_of_club: int = 0,
) -> SeasonPlaces:
    """Return where the teams of an earlier season play next, by its standings; teams are named by number.

    Teams that withdrew then play no more.
    """
    teams = {team.number: team for team in earlier.teams.select_related("club").order_by("number")}
    ranked = [[row.number for row in division.rows] for division in team_standings(earlier).divisions]
    placed = {number for division in ranked for number in division}
    # Teams without a match are in no standings: they begin below.
    if missing := [number for number in teams if number not in placed]:
        ranked = [*ranked[:-1], [*(ranked[-1] if ranked else []), *missing]]
    gone = {number for number, team in teams.items() if team.withdrawn} | {*away}
    found = next_divisions(
        ranked,
        {number: team.club_id for number, team in teams.items()},
        promoted=earlier.promoted,
        relegated=earlier.relegated,
        away=gone,
        declined=declined,
        most_of_club=most_of_club,
    )
    clubs = {team.club_id: team.club for team in teams.values() if team.club}
    places = [
        TeamPlace(teams[number], teams[number].division, division, found.moves[number])
        for division, numbers in enumerate(found.divisions, 1)
        for number in numbers
    ]
    down = {(one.team.club_id, one.division) for one in places if one.move is Move.DOWN}
    return SeasonPlaces(
        places, [(clubs[club], number, (club, number) in down) for club, number in found.crowded]
    )


@transaction.atomic
def take_teams(
    earlier: Tournament,
    tournament: Tournament,
    *,
    away: Collection[int] = (),
    declined: Collection[int] = (),
    most_of_club: int = 0,
    account: Account,
    now: datetime,
) -> int:
    """Form the teams of an earlier season with their players, clubs and grounds; return how many.

    Raises NotPossible where the tournament has teams or has begun, or there is no team to take.
    """
    tournament = locked(tournament)
    if tournament.rules_frozen or tournament.is_finished:
        raise NotPossible(_("The tournament has begun."))
    if tournament.teams.exists():
        raise NotPossible(_("Teams have already been formed here; dissolve them first."))
    if earlier.format != tournament.format or earlier.host_id != tournament.host_id:
        raise NotPossible(_("Choose an earlier season of the same club and format."), "earlier")
    places = places_after(earlier, away=away, declined=declined, most_of_club=most_of_club)
    if not places.teams:
        raise NotPossible(_("No team of that season plays on."))
    members = Entry.objects.filter(team__in=[place.team for place in places.teams])
    members = (
        members.exclude(status=Entry.Status.WITHDRAWN).select_related("player", "club").order_by("number")
    )
    of_team: dict[int | None, list[Entry]] = {}
    for entry in members:
        of_team.setdefault(entry.team_id, []).append(entry)
    enter_all(
        tournament,
        [(one.player, one.club) for place in places.teams for one in of_team.get(place.team.pk, ())],
        account=account,
        now=now,
    )
    entered = {entry.player_id: entry for entry in tournament.entries.select_related("player", "club")}
    formed = 0
    for place in places.teams:
        own = of_team.get(place.team.pk, [])
        regular = [entered[one.player_id] for one in own if not one.reserve]
        if not regular:
            continue
        reserves = [entered[one.player_id] for one in own if one.reserve]
        lineup = Lineup(
            place.team.name,
            place.team.club,
            place.division,
            place.team.place,
            regular[: tournament.format_row.team_size],
            reserves,
        )
        make_team(tournament, lineup, account=account, now=now)
        formed += 1
    text = gettext_noop("Took over {count} teams from {earlier}")
    write_down(tournament, account, text, now=now, count=formed, earlier=earlier.name)
    return formed


def move_in_words(move: Move) -> str:
    """How a team got into its division, in the reader's language; empty where it stays."""
    return {
        Move.STAYS: "",
        Move.UP: _("promoted"),
        Move.UP_INSTEAD: _("promoted instead of another"),
        Move.DOWN: _("relegated"),
        Move.SAVED: _("stays up: nobody takes its place"),
    }[move]
