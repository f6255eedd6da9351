"""A season's plan: on which date each round is played, who is at home, and which wishes of the teams it grants."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
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
from tournaments.models import FixtureWish, Match, Round

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clubs.models import Account
    from tournaments.draw.fixtures import Journeys, Refused, Wish
    from tournaments.models import Team, Tournament

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


def _round_text(round_: Round) -> str:
    said = _("round %(number)d") % {"number": round_.number}
    return f"{said}, {date_format(round_.date, 'DATE_FORMAT')}" if round_.date else said
