"""Pairs and teams as they stand: who is in them, who is missing, whom they have met."""

from __future__ import annotations

from django.db.models import Prefetch, Q, QuerySet

from tournaments.draw.meetings import rounds_to_meet
from tournaments.models import Entry, Match, Round, Team, Tournament


def teams_of(tournament: Tournament) -> list[Team]:
    """All pairs or teams with their members (regular ones before reserves), by number; two queries."""
    members = Entry.objects.select_related("player", "club", "tournament__host").order_by("reserve", "number")
    teams = tournament.teams.select_related("club", "tournament")
    return list(teams.prefetch_related(Prefetch("members", members)))


def regulars(team: Team) -> list[Entry]:
    """The members who play unless a line-up says otherwise."""
    return [entry for entry in team.members.all() if not entry.reserve]


def lacks(team: Team) -> int:
    """How many players are missing until the team is whole, those not checked in not counted as missing."""
    here = [entry for entry in regulars(team) if entry.status != Entry.Status.WITHDRAWN]
    return max(team.tournament.format_row.team_size - len(here), 0)


def is_ready(team: Team) -> bool:
    """Whether the team is drawn: not withdrawn, whole, and everybody checked in."""
    here = [entry for entry in regulars(team) if entry.status == Entry.Status.PRESENT]
    return not team.withdrawn and len(here) >= team.tournament.format_row.team_size


def without_team(tournament: Tournament) -> list[Entry]:
    """Who is entered and in no pair or team, by number."""
    free = tournament.entries.filter(team=None).exclude(status=Entry.Status.WITHDRAWN)
    return list(free.select_related("player", "club", "tournament__host"))


def has_played(team: Team) -> bool:
    """Whether the team has met anybody, or sat over, in a round that has started."""
    return matches_of(team).exclude(round__state=Round.State.DRAWN).exists()


def matches_of(team: Team) -> QuerySet[Match]:
    return Match.objects.filter(Q(home=team) | Q(away=team))


def rounds_needed(tournament: Tournament) -> int:
    """How many rounds it takes until all meet all in their group, as often as the tournament says."""
    sizes: dict[int, int] = {}
    for division in tournament.teams.filter(withdrawn=False).values_list("division", flat=True):
        sizes[division] = sizes.get(division, 0) + 1
    most = max(sizes.values(), default=0)
    return rounds_to_meet(most, tournament.meetings, tournament.bye_teams)
