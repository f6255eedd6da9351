"""Making pairs and teams of entries, and changing them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max, Model
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible, clean_reason
from core.text import clean_text
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.formats import MOST_ROUNDS
from tournaments.domain.log_values import ALL_MEET, SPLIT
from tournaments.entries.entering import places_changed
from tournaments.ledger.queries import has_played, matches_of, rounds_needed, without_team
from tournaments.models import Entry, Round, Seat, Team, TeamEntry, Tournament
from tournaments.models.names import NAME_LENGTH, named_by, usual_team_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clubs.models import Account, Club


# Pairs and teams: composed of entries, changed, split into groups, withdrawn.
#
# A pair is a team of two. A team without a match can be dissolved; afterwards withdrawing is a state, as with
# players. Members may be exchanged between rounds: the team's results remain.

MOST_GROUPS = 20


# A deadline of 20:00 counts up to the end of that second.
SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class Lineup:
    """Input for a pair or team: name, club and members.

    Without a name the members' names are used; without a club the one that all members play for.
    """

    name: str = ""
    club: Club | None = None
    division: int = 1
    place: str = ""
    members: Sequence[Entry] = field(default=())
    reserves: Sequence[Entry] = field(default=())


def _in_teams(tournament: Tournament) -> Tournament:
    """The tournament, locked, if it is one of pairs or teams that is not over."""
    tournament = locked(tournament)
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))
    if not tournament.in_teams:
        raise NotPossible(_("Everyone plays for themselves in this tournament."))
    return tournament


def _again(team: Team) -> Team:
    found = Team.objects.select_related("tournament", "club").filter(pk=team.pk).first()
    if found is None:
        raise NotPossible(_("It has been dissolved in the meantime."))
    return found


@transaction.atomic
def make_team(tournament: Tournament, lineup: Lineup, *, account: Account | None, now: datetime) -> Team:
    """Put entries together as a pair or team under the next free number.

    It may lack players still. Raises NotPossible at `name`, `division` or `members`.
    """
    tournament = _in_teams(tournament)
    entries = _chosen(tournament, lineup, None)
    last = tournament.teams.aggregate(last=Max("number"))["last"] or 0
    team = Team(tournament=tournament, number=last + 1, division=_division(lineup.division))
    team.name = _name(team, lineup.name, entries)
    team.club = lineup.club or _common_club(entries)
    team.place = clean_text(lineup.place)
    team.save()
    _seat_members(team, entries, len(lineup.members))
    write_down(
        tournament,
        account,
        gettext_noop("No. {number}: {team} ({members})"),
        now=now,
        about=[team, *entries],
        number=team.number,
        team=team,
        members=_join_names(entries),
    )
    return team


def database_clock() -> datetime:
    """The time by the clock of the database, which is one for all servers."""
    now: datetime = Tournament.objects.order_by().values_list(Now(), flat=True)[:1].get()
    return now


def is_open(tournament: Tournament) -> bool:
    """Whether clubs may enter and change teams now, by the clock of the database."""
    until = Tournament.objects.values_list("teams_until", flat=True).get(pk=tournament.pk)
    return until is not None and database_clock() < until + SECOND


def needs_ruling(team: Team) -> bool:
    """Whether only a ruling changes or withdraws a team: a club entered it, and the deadline has passed."""
    return TeamEntry.objects.filter(team=team).exists() and not is_open(team.tournament)


def _refuse_without_ruling(team: Team, *, by_ruling: bool) -> None:
    if not by_ruling and needs_ruling(team):
        text = _("A club entered this team, and the deadline has passed: change or withdraw it by a ruling.")
        raise NotPossible(text)


def _is_changed(team: Team, lineup: Lineup, entries: Sequence[Entry]) -> bool:
    """Whether a line-up changes more of a team than its group."""
    there = [entry.pk for entry in team.members.order_by("reserve", "number")]
    of_lineup = sorted(entries, key=lambda entry: (entry not in lineup.members, entry.number))
    now = _name(team, lineup.name, entries), lineup.club or _common_club(entries), clean_text(lineup.place)
    return (team.name, team.club, team.place) != now or there != [entry.pk for entry in of_lineup]


@transaction.atomic
def change_team(
    team: Team, lineup: Lineup, *, account: Account | None, now: datetime, by_ruling: bool = False
) -> Team:
    """Change the name and members of a pair or team; new members take over the seats of those who leave.

    Raises NotPossible at `name`, `division` or `members`, and where more than the group of a team that `needs_ruling`
    is changed without one.
    """
    tournament = _in_teams(team.tournament)
    team = _again(team)
    entries = _chosen(tournament, lineup, team)
    if _is_changed(team, lineup, entries):
        _refuse_without_ruling(team, by_ruling=by_ruling)
    if lineup.division != team.division and has_played(team):
        raise NotPossible(_("They have already played in their group, so it cannot be changed."), "division")
    before = list(team.members.order_by("number"))
    regular = [entry for entry in before if not entry.reserve]
    gone = [entry for entry in regular if entry not in lineup.members]
    new = [entry for entry in lineup.members if entry not in regular]
    for entry in (*gone, *(entry for entry in before if entry.reserve and entry not in entries)):
        if entry.seats.filter(round__state=Round.State.RUNNING).exists():
            text = _("%(name)s is sitting at a table; wait until the round is closed.")
            raise NotPossible(text % {"name": entry}, "members")
    team.division = _division(lineup.division)
    team.name = _name(team, lineup.name, entries)
    team.club = lineup.club or _common_club(entries)
    team.place = clean_text(lineup.place)
    team.save(update_fields=["division", "name", "club", "place"])
    _seat_members(team, entries, len(lineup.members))
    about: list[Model] = [team, *before, *entries]
    for goes, comes in zip(gone, new, strict=False):
        drawn = Seat.objects.filter(entry=goes, round__state=Round.State.DRAWN)
        drawn = drawn.exclude(round__in=comes.seats.values("round"))
        about += [seat.table for seat in drawn.select_related("table__round")]
        drawn.update(entry=comes)
    write_down(
        tournament,
        account,
        gettext_noop("No. {number} is now {team} ({members})"),
        now=now,
        about=about,
        number=team.number,
        team=team,
        members=_join_names(entries),
    )
    return team


def _chosen(tournament: Tournament, lineup: Lineup, team: Team | None) -> list[Entry]:
    """The entries of a line-up as they stand, regular members first; raises NotPossible at `members`."""
    wanted = [entry.pk for entry in (*lineup.members, *lineup.reserves)]
    found = tournament.entries.select_related("player", "club", "team").in_bulk(wanted)
    if len(set(wanted)) < len(wanted):
        raise NotPossible(_("The same person is chosen twice."), "members")
    if not lineup.members:
        raise NotPossible(_("Choose at least one player."), "members")
    if len(lineup.members) > tournament.format_row.team_size:
        raise NotPossible(_("That is more players than play at a time."), "members")
    entries = [found[pk] for pk in wanted if pk in found]
    for entry in entries:
        if entry.team is not None and (team is None or entry.team_id != team.pk):
            text = _("%(name)s already plays in %(team)s.") % {"name": entry, "team": entry.team}
            raise NotPossible(text, "members")
        if entry.status == Entry.Status.WITHDRAWN and (team is None or entry.team_id != team.pk):
            raise NotPossible(
                _("%(name)s has withdrawn; bring them back first.") % {"name": entry}, "members"
            )
    return entries


def _division(division: int) -> int:
    if not 1 <= division <= MOST_GROUPS:
        raise NotPossible(_("Groups are numbered from 1 to %(most)d.") % {"most": MOST_GROUPS}, "division")
    return division


def _name(team: Team, typed: str, entries: Sequence[Entry]) -> str:
    """The typed name or the default one; raises if it is taken."""
    others = Team.objects.filter(tournament=team.tournament).exclude(pk=team.pk)
    name = clean_text(typed)
    if not name:
        name = _usual_name(team, entries[: team.tournament.format_row.team_size])
        return f"{name[: NAME_LENGTH - 6]} ({team.number})" if others.filter(name=name).exists() else name
    if len(name) > NAME_LENGTH:
        raise NotPossible(_("The name is longer than %(most)d characters.") % {"most": NAME_LENGTH}, "name")
    if others.filter(name=name).exists():
        raise NotPossible(_("Another one is already called %(name)s.") % {"name": name}, "name")
    return name


def _usual_name(team: Team, entries: Sequence[Entry]) -> str:
    """A pair's is its players' names as the hall may show them; four names are too long for a team's."""
    if team.is_named_by_players:
        return named_by(entries)
    return usual_team_name(team.number)


def _common_club(entries: Sequence[Entry]) -> Club | None:
    clubs = {entry.club for entry in entries}
    return clubs.pop() if len(clubs) == 1 else None


def _join_names(entries: Sequence[Entry]) -> str:
    return ", ".join(entry.player.name for entry in entries)


def _seat_members(team: Team, entries: Sequence[Entry], regular: int) -> None:
    """Store who is in the team: the first so many play, the others are reserves."""
    team.members.exclude(pk__in=[entry.pk for entry in entries]).update(team=None, reserve=False)
    for index, entry in enumerate(entries):
        entry.team, entry.reserve = team, index >= regular
    Entry.objects.bulk_update(entries, ["team", "reserve"])


@transaction.atomic
def put_together(
    tournament: Tournament, *, account: Account, now: datetime, seed: int | None = None
) -> list[Team]:
    """Make pairs or teams of players who have none; surplus players are left over.

    In the order of their numbers, or at random with a `seed`, which is shown so that the draw can be repeated.
    """
    tournament = _in_teams(tournament)
    free, size = without_team(tournament), tournament.format_row.team_size
    if len(free) < size:
        raise NotPossible(_("There are not enough players without a partner or team."))
    if seed is not None:
        Random(seed).shuffle(free)
        text = gettext_noop("Drew by lot who plays together, with seed {seed}")
        write_down(tournament, account, text, now=now, seed=seed)
    return [
        make_team(tournament, Lineup(members=free[start : start + size]), account=account, now=now)
        for start in range(0, len(free) - size + 1, size)
    ]


@transaction.atomic
def split_into_groups(tournament: Tournament, groups: int, *, account: Account, now: datetime) -> None:
    """Put the pairs or teams into so many groups, by turns in the order of their numbers.

    Not after a round has started: who has met stays in one group.
    """
    tournament = _in_teams(tournament)
    if tournament.rounds.exclude(state=Round.State.DRAWN).exists():
        raise NotPossible(_("A round has started, so the groups cannot be changed."), "groups")
    teams = list(tournament.teams.filter(withdrawn=False))
    if not 1 <= groups <= MOST_GROUPS:
        raise NotPossible(_("Groups are numbered from 1 to %(most)d.") % {"most": MOST_GROUPS}, "groups")
    if len(teams) < 2 * groups:
        raise NotPossible(_("A group needs at least two."), "groups")
    for index, team in enumerate(teams):
        team.division = index % groups + 1
    Team.objects.bulk_update(teams, ["division"])
    write_down(tournament, account, SPLIT, now=now, about=teams, groups=groups)


@transaction.atomic
def dissolve(team: Team, *, account: Account | None, now: datetime, by_ruling: bool = False) -> None:
    """Undo a pair or team that was put together by mistake; its players are free again.

    Raises NotPossible without a ruling where the team `needs_ruling`.
    """
    tournament = _in_teams(team.tournament)
    team = _again(team)
    _refuse_without_ruling(team, by_ruling=by_ruling)
    if has_played(team):
        raise NotPossible(_("%(team)s has already played; withdraw it instead.") % {"team": team})
    if matches_of(team).exists():
        raise NotPossible(_("%(team)s has been drawn; discard the draw first.") % {"team": team})
    if team.penalties.exists():  # rulings are permanent, even if cancelled
        raise NotPossible(_("There is a ruling on %(team)s; withdraw it instead.") % {"team": team})
    if team.objections.exists():
        raise NotPossible(_("%(team)s has made an objection; withdraw the team instead.") % {"team": team})
    members = list(team.members.all())
    # Its club's entry waits for the desk again.
    entries = list(TeamEntry.objects.filter(team=team))
    TeamEntry.objects.filter(team=team).update(team=None, state=TeamEntry.State.ENTERED)
    apart = list(Team.objects.filter(fixture_wishes__other=team))  # their wishes are deleted with it
    team.members.update(team=None, reserve=False)
    team.delete()
    write_down(
        tournament,
        account,
        gettext_noop("No. {number}: {team} is dissolved"),
        now=now,
        about=[team, *apart, *members, *entries],
        number=team.number,
        team=team,
    )


@transaction.atomic
def withdraw_team(
    team: Team, *, reason: str, account: Account, now: datetime, by_ruling: bool = False
) -> Team:
    """Take a pair or team, and its players, out of the rounds that have not started. What they played stays.

    Raises NotPossible without a ruling where the team `needs_ruling`.
    """
    tournament = _in_teams(team.tournament)
    reason = clean_reason(reason)
    team = _again(team)
    if not team.withdrawn:
        _refuse_without_ruling(team, by_ruling=by_ruling)
        _set_withdrawn(team, gone=True)
        text = gettext_noop("{team} withdrew: {reason}")
        about = [team, *team.members.all()]
        write_down(tournament, account, text, now=now, about=about, team=team, reason=reason)
        places_changed.send(Entry, tournament=tournament)
    return team


@transaction.atomic
def bring_team_back(team: Team, *, account: Account, now: datetime, by_ruling: bool = False) -> Team:
    """Let a pair or team that withdrew play on, with its players.

    Raises NotPossible without a ruling where the team `needs_ruling`.
    """
    tournament = _in_teams(team.tournament)
    team = _again(team)
    if team.withdrawn:
        _refuse_without_ruling(team, by_ruling=by_ruling)
        _set_withdrawn(team, gone=False)
        write_down(
            tournament,
            account,
            gettext_noop("{team} is back"),
            now=now,
            about=[team, *team.members.all()],
            team=team,
        )
        places_changed.send(Entry, tournament=tournament)
    return team


def _set_withdrawn(team: Team, *, gone: bool) -> None:
    team.withdrawn = gone
    team.save(update_fields=["withdrawn"])
    before, after = Entry.Status.PRESENT, Entry.Status.WITHDRAWN
    if not gone:
        before, after = after, before
    team.members.filter(status=before).update(status=after)


@transaction.atomic
def plan_all_meetings(tournament: Tournament, *, account: Account, now: datetime) -> int:
    """Let the tournament have the rounds in which all meet all; return how many."""
    tournament = _in_teams(tournament)
    wanted = rounds_needed(tournament)
    if not 1 <= wanted <= MOST_ROUNDS:
        text = _("That takes %(rounds)d rounds; split them into groups.") % {"rounds": wanted}
        raise NotPossible(text if wanted else _("Form at least two first."))
    if wanted < tournament.rounds.count():
        raise NotPossible(_("More rounds than that have already been drawn."))
    tournament.rounds_planned = wanted
    tournament.save(update_fields=["rounds_planned"])
    write_down(
        tournament,
        account,
        ALL_MEET,
        now=now,
        about=[tournament],
        rounds=wanted,
    )
    return wanted
