"""Line-ups of a team's match: its regular players, unless another line-up is set before the match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from core.errors import NotPossible
from core.sql import prepared_query
from tournaments.changes.locks import held_tables, locked
from tournaments.changes.log import write_down
from tournaments.models import Entry, Match, Round, Seat, Table, Team
from tournaments.models.play import make_secret, on_own_day
from tournaments.standings.team_ranking import side_of

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from clubs.models import Account
    from tournaments.models import Tournament


COMING = 2


def match_as_it_stands(match: Match) -> Match:
    """Refresh the match under the tournament's lock; raises NotPossible where its draw was discarded."""
    found = (
        Match.objects.select_related("round__tournament", "home__club", "away__club")
        .filter(pk=match.pk)
        .first()
    )
    if found is None:
        raise NotPossible(_("The draw has changed in the meantime; check it again."))
    return found


def seats_of(match: Match, team: Team) -> list[Seat]:
    """The team's seats in a match, those at the first table first."""
    wanted = 0 if team.pk == match.home_id else 1
    first = _tables_at.first(match.pk)
    return [
        seat
        for seat in (_seats_at(match.pk) if first else ())
        if side_of(seat.position, at_second=seat.table_id != first) == wanted
    ]


@prepared_query
def _tables_at(match: int) -> QuerySet[Table, int]:
    return Table.objects.filter(match=match).order_by("number").values_list("pk", flat=True)


@prepared_query
def _seats_at(match: int) -> QuerySet[Seat]:
    seats = Seat.objects.filter(table__match=match).order_by("table__number", "position")
    return seats.select_related(
        "table", "entry__player", "entry__team", "entry__club", "entry__tournament__host"
    )


def why_not(match: Match) -> str:
    """Why the line-ups of a match stay as they are; empty where they may change."""
    if match.is_bye:
        return _("A bye has no line-up.")
    if match.is_awarded:
        return _("The match has been decided by a ruling.")
    if match.round.is_closed and not match.waits:
        return _("The round is closed.")
    if match.tables.filter(reports_count__gt=0).exists():
        return _("The match has begun: deals have been reported.")
    return ""


def free_for(match: Match, team: Team) -> tuple[list[Entry], list[Entry]]:
    """Players whom the desk may seat for the team in a match: all without another seat in the round.

    And those of them whom the captain may seat, too, as in `captains_choice`; they come first in both.
    """
    free = _sitting_nowhere_else(match, team)
    own = _of_own_choice(free, match, team)
    keys = {entry.pk for entry in own}
    return sorted(free, key=lambda entry: entry.pk not in keys), own


def captains_choice(match: Match, team: Team) -> list[Entry]:
    """Players whom the team's captain may seat in a match, members first; anyone else needs the desk.

    They are members and the club's substitutes: reserves, and players of the club without a team or whose team has
    no match in the round. Never players of the opponents, nor with a seat in another match of that day. A player
    who is seated for the team already may stay, since the desk may have decided so.
    """
    return _of_own_choice(_sitting_nowhere_else(match, team), match, team)


def _of_own_choice(free: Sequence[Entry], match: Match, team: Team) -> list[Entry]:
    seated = {seat.entry_id for seat in seats_of(match, team)}
    elsewhere = _elsewhere_that_day(match, team)
    busy = _playing_in(match.round_id)
    bound = bound_above(match, team)
    opponents = match.away_id if team.pk == match.home_id else match.home_id

    def is_substitute(entry: Entry) -> bool:
        of_club = team.club_id is not None and entry.club_id == team.club_id
        is_free = entry.team_id is None or entry.reserve or entry.team_id not in busy
        return of_club and is_free and entry.team_id != opponents

    return [
        entry
        for entry in free
        if entry.pk not in bound
        and (
            entry.pk in seated
            or (entry.pk not in elsewhere and (entry.team_id == team.pk or is_substitute(entry)))
        )
    ]


def bound_above(match: Match, team: Team) -> set[int]:
    """Return who has played for higher teams of the club so often that they play for this one no more, by key.

    A team is higher in a division above, or before the other in one division. None without the club or the limit.
    """
    limit = match.round.tournament.up_limit
    if not limit or team.club_id is None:
        return set()
    of_club = Team.objects.filter(tournament=match.round.tournament_id, club=team.club_id)
    above = of_club.filter(Q(division__lt=team.division) | Q(division=team.division, number__lt=team.number))
    higher = set(above.values_list("pk", flat=True))
    if not higher:
        return set()
    seats = Seat.objects.filter(
        Q(table__match__home__in=higher) | Q(table__match__away__in=higher), table__reports_count__gt=0
    ).exclude(table__match=match)
    first: dict[int, int] = {}
    tables = Table.objects.filter(match__in=seats.values("table__match")).order_by("number")
    for table, of_match in tables.values_list("pk", "match"):
        first.setdefault(of_match, table)
    played: dict[int, set[int]] = defaultdict(set)
    fields = ("entry", "position", "table", "table__match", "table__match__home", "table__match__away")
    for entry, position, table, of_match, home, away in seats.values_list(*fields):
        side = side_of(position, at_second=table != first[of_match])
        if (home, away)[side] in higher:
            played[entry].add(of_match)
    return {entry for entry, matches in played.items() if len(matches) >= limit}


def _playing_in(round_: int) -> set[int]:
    """The keys of the teams that have a match in a round, and no bye."""
    pairs = Match.objects.filter(round=round_, away__isnull=False).values_list("home", "away")
    return {team for pair in pairs for team in pair if team is not None}


def _elsewhere_that_day(match: Match, team: Team) -> set[int]:
    """The keys of the entries that sit in a match of other teams on the day of this one; none where it has no day."""
    day = match.own_day or match.round.date
    if day is None:
        return set()
    of_day = Match.objects.filter(
        Q(postponed_to=day) | Q(postponed_to=None, day=day) | Q(postponed_to=None, day=None, round__date=day),
        round__tournament=match.round.tournament_id,
        awarded_home=None,
    ).exclude(Q(home=team) | Q(away=team))
    return set(Seat.objects.filter(table__match__in=of_day).values_list("entry", flat=True))


def _sitting_nowhere_else(match: Match, team: Team) -> list[Entry]:
    sitting = Seat.objects.filter(round=match.round)
    elsewhere = sitting.exclude(pk__in=[seat.pk for seat in seats_of(match, team)])
    free = match.round.tournament.entries.exclude(status=Entry.Status.WITHDRAWN).exclude(
        pk__in=elsewhere.values("entry")
    )
    entries = list(free.select_related("player", "team", "club"))
    return sorted(entries, key=lambda entry: (entry.team_id != team.pk, entry.reserve, entry.number))


def line_ups_to_come(team: Team) -> list[Match]:
    """The matches whose line-up the team can still change: those put off, and of the others the next two."""
    matches = Match.objects.filter(Q(home=team) | Q(away=team), away__isnull=False)
    matches = matches.select_related("round__tournament", "home", "away").order_by("round__number")
    found, coming = [], 0
    for match in sorted(matches.exclude(~on_own_day(), round__state="closed"), key=_by_day):
        of_next_rounds = match.postponed_to is None or match.day is not None
        # A season has many matches: skip queries for those that are not shown.
        if (of_next_rounds and coming == COMING) or why_not(match):
            continue
        coming += of_next_rounds
        found.append(match)
    return found


def line_ups_in_play(team: Team) -> list[Match]:
    """Matches that the team is playing now, with their final line-up."""
    matches = Match.objects.filter(Q(home=team) | Q(away=team), away__isnull=False, ended_at=None)
    matches = matches.select_related("round__tournament", "home", "away").order_by("round__number")
    now = matches.filter(Q(round__state=Round.State.RUNNING) | on_own_day())
    return [match for match in now if not match.is_awarded and why_not(match)]


def _by_day(match: Match) -> tuple[date, int]:
    """Matches that are played at home by their days, the others by their rounds."""
    return (match.own_day if match.day else None) or date.min, match.round.number


@transaction.atomic
def new_team_link(team: Team, *, account: Account, now: datetime) -> Team:
    """Give a team another link; the one that was seen with `team` is dead. Pressing twice makes one."""
    tournament = locked(team.tournament)
    if Team.objects.filter(pk=team.pk, secret=team.secret).update(secret=make_secret()):
        write_down(tournament, account, gettext_noop("{team} has a new link"), now=now, team=team)
    team.refresh_from_db(fields=["secret"])
    return team


@transaction.atomic
def line_up(
    match: Match, team: Team, entries: Sequence[Entry], *, account: Account | None, now: datetime
) -> None:
    """Seat these players for a team, in the order of `seats_of`. Without an account it is the team's own captain.

    A substitute plays for this team: the tokens count here. The desk may seat anyone who is free, the captain
    those of `captains_choice`. Raises NotPossible at `player_<place>`, counted from 1.
    """
    tournament = locked(match.round.tournament)
    match = match_as_it_stands(match)
    if why := why_not(match):
        raise NotPossible(why)
    tables = list(held_tables().filter(match=match).order_by("number"))
    seats = seats_of(match, team)
    if len(seats) != len(entries):
        raise NotPossible(_("Choose a player for every seat."), "player_1")
    free, own = ({entry.pk for entry in those} for those in free_for(match, team))
    bound = bound_above(match, team)
    for place, entry in enumerate(entries, 1):
        if entry.pk not in free:
            text = _("%(name)s is at another table in this round, or has withdrawn.")
            raise NotPossible(text % {"name": entry}, f"player_{place}")
        if account is None and entry.pk not in own:
            raise NotPossible(_not_yours(tournament, entry, bound), f"player_{place}")
        if entry in entries[: place - 1]:
            raise NotPossible(_("%(name)s is chosen twice.") % {"name": entry}, f"player_{place}")
    if [seat.entry_id for seat in seats] == [entry.pk for entry in entries]:
        return
    _seat(seats, entries, tables)
    ruled = [entry.player.name for entry in entries if entry.pk not in own]
    if account is None:
        text = gettext_noop("Round {round}: {team} plays with {players} (the team’s own line-up)")
    elif ruled:
        text = gettext_noop("Round {round}: {team} plays with {players}; by a ruling: {substitutes}")
    else:
        text = gettext_noop("Round {round}: {team} plays with {players}")
    write_down(
        tournament,
        account,
        text,
        now=now,
        about=[*tables, *entries],
        round=match.round.number,
        team=team,
        players=", ".join(entry.player.name for entry in entries),
        **({"substitutes": ", ".join(ruled)} if ruled else {}),
    )


def _not_yours(tournament: Tournament, entry: Entry, bound: Collection[int]) -> str:
    """The reason why a captain may not seat a player, as text."""
    if entry.pk in bound:
        return stays_above(tournament, entry)
    text = _(
        "%(name)s is not in your team, nor a substitute from your club who is free that day. The desk can "
        "decide otherwise."
    )
    return text % {"name": entry}


def stays_above(tournament: Tournament, entry: Entry) -> str:
    """The reason why a player may not play for a lower team any more, as text."""
    text = ngettext(
        "%(name)s has played %(count)d match for a higher team of the club and now belongs to it.",
        "%(name)s has played %(count)d matches for a higher team of the club and now belongs to it.",
        tournament.up_limit,
    )
    return text % {"name": entry, "count": tournament.up_limit}


def _seat(seats: Sequence[Seat], entries: Sequence[Entry], tables: Sequence[Table]) -> None:
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()  # for the unique constraint
    Seat.objects.bulk_create(
        Seat(table=seat.table, round_id=seat.round_id, position=seat.position, entry=entry)
        for seat, entry in zip(seats, entries, strict=True)
    )
    # Players in a line-up are present: they need no check-in.
    Entry.objects.filter(pk__in=[entry.pk for entry in entries], status=Entry.Status.ENTERED).update(
        status=Entry.Status.PRESENT
    )
    for table in tables:
        table.version += 1
        table.save(update_fields=["version"])
