"""A season's plan: on which days rounds and single matches are played, who is at home, which wishes it grants."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Club
from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.formats import FORMATS
from tournaments.draw.fixtures import (
    Apart,
    JourneysAlike,
    NotAtHome,
    journeys_of,
    plan_fixtures,
    refused_in,
    unlike_journeys,
)
from tournaments.draw.meetings import Matchday
from tournaments.models import FixtureWish, Match, Round, Team, Tournament
from tournaments.models.play import on_own_day
from tournaments.standings.team_text import when_and_where

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import time

    from django.db.models import QuerySet

    from clubs.models import Account
    from tournaments.draw.fixtures import Journeys, Refused, Wish


MOST_WISHES = 200
WEEK = timedelta(weeks=1)


def season_dates(first: date, weeks: int, left_out: Collection[date], count: int) -> list[date]:
    """Return `count` dates, each so many weeks after the one before; a week with a date left out is skipped."""
    skipped = {day.isocalendar()[:2] for day in left_out}
    found: list[date] = []
    day = first
    while len(found) < count and day.year < date.max.year:
        if day.isocalendar()[:2] in skipped:
            day += WEEK
            continue
        found.append(day)
        day += weeks * WEEK
    return found


@transaction.atomic
def add_wish(
    tournament: Tournament,
    team: Team,
    *,
    other: Team | None = None,
    day: date | None = None,
    is_hard: bool = False,
    account: Account,
    now: datetime,
) -> FixtureWish:
    """Store a wish for the next plan; the same wish again changes how hard it is. Raises NotPossible at a field."""
    tournament = _open(tournament)
    if (other is None) == (day is None):
        raise NotPossible(_("Choose either a day or another team."), "day")
    if other is not None and other.pk == team.pk:
        raise NotPossible(_("Choose two different teams."), "other")
    if tournament.fixture_wishes.count() >= MOST_WISHES:
        raise NotPossible(_("There are at most %(most)d wishes.") % {"most": MOST_WISHES})
    if other is not None and other.number < team.number:
        team, other = other, team  # the order of the two has no meaning
    wish, _made = FixtureWish.objects.update_or_create(
        tournament=tournament, team=team, other=other, day=day, defaults={"is_hard": is_hard}
    )
    if other is None:
        text = gettext_noop("Season plan: {team} asks not to be at home on {day}")
        write_down(tournament, account, text, now=now, about=[team], team=team, day=day)
    else:
        text = gettext_noop("Season plan: {team} and {other} ask not to be at home on the same day")
        write_down(tournament, account, text, now=now, about=[team], team=team, other=other)
    return wish


@transaction.atomic
def remove_wish(wish: FixtureWish, *, account: Account, now: datetime) -> None:
    tournament = _open(wish.tournament)
    if FixtureWish.objects.filter(pk=wish.pk).delete()[0]:
        text = gettext_noop("Season plan: removed a wish of {team}")
        write_down(tournament, account, text, now=now, about=[wish.team], team=wish.team)


def wish_alike_journeys(tournament: Tournament, *, wished: bool, account: Account, now: datetime) -> None:
    """Say whether the next plan gives all teams journeys alike."""
    tournament = _open(tournament)
    if tournament.alike_journeys == wished:
        return
    tournament.alike_journeys = wished
    tournament.save(update_fields=["alike_journeys"])
    text = gettext_noop("Season plan: journeys need not be alike")
    if wished:
        text = gettext_noop("Season plan: journeys alike")
    write_down(tournament, account, text, now=now, about=[tournament])


def _open(tournament: Tournament) -> Tournament:
    tournament = locked(tournament)
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))
    return tournament


def arranged(
    tournament: Tournament, days: Sequence[Matchday], dates: Sequence[date | None], *, seed: int
) -> tuple[Matchday, ...]:
    """Return a drawn schedule, teams by number, as the wishes of the tournament's teams would have it."""
    return plan_fixtures(days, _wishes(tournament, dates), seed=seed).days


def _wishes(tournament: Tournament, dates: Sequence[date | None]) -> list[Wish]:
    """The wishes in the planner's format; a day is that of the round in its week, and none where no round is."""
    own: list[Wish] = [wish for _row, wish in _read_wishes(tournament, dates)]
    return [*own, JourneysAlike()] if tournament.alike_journeys else own


def _read_wishes(
    tournament: Tournament, dates: Sequence[date | None]
) -> list[tuple[FixtureWish, NotAtHome | Apart]]:
    weeks = {day.isocalendar()[:2]: number for number, day in enumerate(dates) if day is not None}
    found: list[tuple[FixtureWish, NotAtHome | Apart]] = []
    for row in tournament.fixture_wishes.select_related("team", "other"):
        if row.other is not None:
            found.append((row, Apart(row.team.number, row.other.number, row.is_hard)))
        elif row.day is not None and (week := weeks.get(row.day.isocalendar()[:2])) is not None:
            found.append((row, NotAtHome(row.team.number, week, row.is_hard)))
    return found


def refused_wishes(tournament: Tournament) -> dict[int, str]:
    """The wishes that the schedule does not grant, by primary key, each with when that is, in words."""
    rounds, days = _schedule(tournament)
    read = _read_wishes(tournament, [round_.date for round_ in rounds])
    refused: dict[Wish, Refused] = {one.wish: one for one in refused_in(days, [wish for _row, wish in read])}
    return {
        row.pk: ", ".join(_round_text(rounds[week]) for week in refused[wish].weeks)
        for row, wish in read
        if wish in refused
    }


def _schedule(tournament: Tournament) -> tuple[list[Round], list[Matchday]]:
    """The rounds of a tournament, and the numbers of the home and away teams in each."""
    rounds = list(tournament.rounds.order_by("number"))
    matches: dict[int, list[tuple[int, int]]] = {round_.pk: [] for round_ in rounds}
    pairs = Match.objects.filter(round__in=rounds, away__isnull=False)
    for round_, home, away in pairs.values_list("round", "home__number", "away__number"):
        matches[round_].append((home, away))
    return rounds, [Matchday(tuple(matches[round_.pk]), ()) for round_ in rounds]


def team_journeys(tournament: Tournament) -> list[tuple[str, Journeys, bool]]:
    """Each team with its journeys and breaks in the schedule, and whether these are too many to be alike."""
    _rounds, days = _schedule(tournament)
    names = dict(tournament.teams.values_list("number", "name"))
    unlike = unlike_journeys(days)
    return [(names[one.team], one, one in unlike) for one in journeys_of(days)]


def away_kilometres(tournament: Tournament) -> dict[int, float | None]:
    """The length of each team's journeys, one way and by air, by team number; None where a position is not known.

    From and to the positions of the two teams' clubs, wherever a single match may be played.
    """
    away = Match.objects.filter(round__tournament=tournament, away__isnull=False)
    rows = list(away.order_by().values_list("away__number", "home__club", "away__club"))
    clubs = Club.objects.in_bulk({pk for _number, *both in rows for pk in both})
    found: dict[int, float | None] = {}
    for number, home, visitor in rows:
        one, other = clubs.get(home), clubs.get(visitor)
        kilometres = one.kilometres_to(other) if one and other else None
        before = found.get(number, 0.0)
        found[number] = None if kilometres is None or before is None else before + kilometres
    return found


def _round_text(round_: Round) -> str:
    said = _("round %(number)d") % {"number": round_.number}
    return f"{said}, {date_format(round_.date, 'DATE_FORMAT')}" if round_.date else said


# The days on which a tournament of matches is played: those of its rounds, and those of single matches.

OF_MATCHES = [row.code for row in FORMATS.values() if "matches" in row.pages]
# A round that was played yesterday may have gone on past midnight.
A_NIGHT = timedelta(days=1)
# So many matches to come are listed on a league's front page.
FEW = 6


@dataclass(frozen=True)
class DayMatch:
    """A match on a day of its own: which, and when and where, as far as that is known."""

    round: int
    number: int
    day: date
    name: str
    begins_at: time | None = None
    place: str = ""
    # The key of the home team's club.
    home_club: int | None = None

    @property
    def when(self) -> str:
        """Time and place, in the reader's language."""
        return when_and_where(self.day, self.begins_at, self.place)


@dataclass
class MatchDay:
    """A day on which matches are played: of which rounds, and which by themselves."""

    day: date
    rounds: list[int] = field(default_factory=list)
    matches: list[DayMatch] = field(default_factory=list)


def of_teams(club: Club) -> Q:
    """Filter matches to those of the club's teams, at home and away."""
    return Q(home__club=club) | Q(away__club=club)


def visited_leagues(club: Club, hosts: QuerySet[Club, Any]) -> QuerySet[Tournament]:
    """The tournaments of matches that others than these `hosts` hold, and the club's teams play in."""
    entered = Team.objects.filter(club=club, withdrawn=False).values("tournament")
    return Tournament.objects.filter(format__in=OF_MATCHES, pk__in=entered).exclude(host__in=hosts)


def matches_to_come(matches: QuerySet[Match], today: date) -> Iterator[tuple[int, DayMatch]]:
    """Those of these matches on days of their own, from today on, that are not played or decided: see `own_days`."""
    to_play = matches.filter(ended_at=None, awarded_home=None)
    return ((pk, match) for pk, match in own_days(to_play) if match.day >= today)


def match_days(
    tournaments: QuerySet[Tournament], *, club: Club | None = None
) -> Mapping[int, list[MatchDay]]:
    """Return the match days of the tournaments that have several, by primary key, in order; in two queries.

    The first round is on the tournament's day where it has none of its own; other rounds without one are left out, and
    so are those whose matches all have days of their own. Of single matches those of the `club`'s teams, where given;
    then a tournament of single matches has no day left once these are all decided.
    """
    of_matches = tournaments.filter(format__in=OF_MATCHES).order_by().values("pk")
    days: defaultdict[int, dict[date, MatchDay]] = defaultdict(dict)
    rounds = together(Round.objects.filter(tournament__in=of_matches)).order_by("number")
    for pk, number, own, first in rounds.values_list("tournament", "number", "date", "tournament__date"):
        if day := own or (first if number == 1 else None):
            days[pk].setdefault(day, MatchDay(day)).rounds.append(number)
    by_match = set()
    # What a ruling has decided is not played.
    matches = Match.objects.filter(round__tournament__in=of_matches, awarded_home=None)
    for pk, match in own_days(matches.filter(of_teams(club)) if club else matches):
        days[pk].setdefault(match.day, MatchDay(match.day)).matches.append(match)
        by_match.add(pk)
    if club:
        alone = Match.objects.filter(round__tournament__in=of_matches, day__isnull=False)
        by_match.update(alone.order_by().values_list("round__tournament", flat=True).distinct())
    return {
        pk: [found[day] for day in sorted(found)]
        for pk in days.keys() | by_match
        if len(found := days[pk]) > 1 or pk in by_match
    }


def together(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """The rounds among these that are played on one day, and not match by match."""
    matches = Match.objects.filter(round=OuterRef("pk"), away__isnull=False)
    alone = Exists(matches.filter(day__isnull=False)) & ~Exists(matches.filter(day=None))
    return rounds.exclude(alone)


def own_days(matches: QuerySet[Match]) -> Iterator[tuple[int, DayMatch]]:
    """Return those of these matches that have a day of their own, by day, with their tournaments' primary keys."""
    found = matches.filter(on_own_day(), away__isnull=False).annotate(
        on=Coalesce("postponed_to", "day"),
        at=Coalesce("begins_at", "round__tournament__begins_at"),
    )
    for pk, number, match, on, day, own, usual, place, at_home, home, away, club in found.order_by(
        "on", "round__number", "number"
    ).values_list(
        "round__tournament", "round__number", "number", "on", "day", "begins_at", "at", "place", "home__place",
        "home__name", "away__name", "home__club",
    ):  # fmt: skip
        hour = usual if day is not None else own
        yield pk, DayMatch(number, match, on, f"{home} – {away}", hour, place or at_home, club)


def next_at_home(tournament: Tournament) -> list[DayMatch]:
    """The next few matches of a league whose matches are played each on a day of its own, and those being played."""
    if tournament.is_played or tournament.is_called_off:
        return []
    to_play = Match.objects.filter(
        round__tournament=tournament, day__isnull=False, ended_at=None, awarded_home=None
    )
    return [match for _pk, match in islice(own_days(to_play), FEW)]


def next_days(tournaments: Iterable[Tournament], today: date) -> dict[int, date]:
    """Next match day of running tournaments that are between two match days, by primary key.

    Those played today, or without a date for the next round, are omitted.
    """
    running = [one.pk for one in tournaments if one.is_running and one.format in OF_MATCHES]
    coming: defaultdict[int, list[date]] = defaultdict(list)
    playing: set[int] = set()
    drawn: set[int] = set()
    rounds = together(Round.objects.filter(tournament__in=running)).exclude(state=Round.State.CLOSED)
    for round_ in rounds.order_by("number") if running else ():
        pk, day = round_.tournament_id, round_.date
        is_next = round_.is_running or pk not in drawn
        if (day is None and is_next) or _is_played(round_, today):
            playing.add(pk)
        elif day is not None and day > today:
            coming[pk].append(day)
        if round_.is_drawn:
            drawn.add(pk)
    for pk, day, started_at in _waiting(running, today) if running else ():
        if day == today or (started_at is not None and day < today):
            playing.add(pk)
        elif day > today:
            coming[pk].append(day)
    return {pk: min(days) for pk, days in coming.items() if pk not in playing}


def _waiting(running: Collection[int], today: date) -> QuerySet[Match, tuple[int, date, datetime | None]]:
    """Tournament, day and start of the matches on days of their own that are to be played, or are since last night."""
    waiting = Match.objects.filter(
        on_own_day(), round__tournament__in=running, ended_at=None, awarded_home=None
    )
    on = waiting.annotate(on=Coalesce("postponed_to", "day"))
    since = Q(on__gte=today) | Q(on__gte=today - A_NIGHT, started_at__isnull=False)
    return on.filter(since, away__isnull=False).values_list("round__tournament", F("on"), "started_at")


def _is_played(round_: Round, today: date) -> bool:
    """Whether a round with a day is played today: that is its day, or was yesterday, or it was started today."""
    if round_.is_running and round_.started_at and localdate(round_.started_at) == today:
        return True
    earliest = today - A_NIGHT if round_.is_running else today
    return round_.date is not None and earliest <= round_.date <= today
