"""Who has played so often for a higher team of the club stays there: a captain seats them below no more."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import decide_as_it_stands, make_club
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.lifecycle.home_matches import give_own_days, start_match
from tournaments.lifecycle.line_ups import bound_above, captains_choice, line_up, seats_of
from tournaments.lifecycle.rulings import end_match, set_dates
from tournaments.models import Match


@pytest.fixture
def league(club, by_alice):
    """Four teams: 1 and 2 are Skovby's; each match on a day of its own, and one match up binds."""
    made = make_teams(club, by_alice, teams=4, reserves=[2], up_limit=1, date=date(2026, 9, 1))
    skovby = make_club("Skovby")
    made.teams.filter(number__in=[1, 2]).update(club=skovby)
    made.entries.filter(team__number__in=[1, 2]).update(club=skovby)
    decide_as_it_stands(made)
    today = timezone.localdate()
    set_dates(made, {number: today - timedelta(weeks=4 - number) for number in (1, 2, 3)}, **by_alice)
    give_own_days(made, **by_alice)
    made.refresh_from_db()
    return made


def matches_of(tournament, number):
    found = Match.objects.select_related("round__tournament", "home", "away").order_by("round__number")
    return [
        one
        for one in found.filter(round__tournament=tournament)
        if number in (one.home.number, one.away.number)
    ]


def against_others(tournament, number):
    """The team's matches but that of the club's two teams."""
    return [one for one in matches_of(tournament, number) if {one.home.number, one.away.number} != {1, 2}]


@pytest.fixture
def played_up(league, by_alice):
    """The second team's reserve, who has played a match for the first."""
    first = league.teams.get(number=1)
    reserve = league.entries.get(reserve=True)
    match = against_others(league, 1)[0]
    seats = [seat.entry for seat in seats_of(match, first)]
    line_up(match, first, [reserve, *seats[1:]], account=None, now=by_alice["now"])
    start_match(match, **by_alice)
    for table in match.tables.select_related("round__tournament", "match"):
        play(table)
    end_match(match, **by_alice)
    return reserve


def test_after_the_limit_a_captain_seats_them_below_no_more_and_the_desk_may(league, played_up, by_alice):
    second = league.teams.get(number=2)
    match = against_others(league, 2)[-1]
    # So are the first team's own three who sat there with them.
    own = set(league.teams.get(number=1).members.values_list("pk", flat=True))
    bound = bound_above(match, second)
    assert (bound - own, len(bound)) == ({played_up.pk}, 4)
    assert played_up not in captains_choice(match, second)
    lined_up = [played_up, *(seat.entry for seat in seats_of(match, second)[1:])]
    with pytest.raises(NotPossible, match="1 match for a higher team of the club and now belongs to it"):
        line_up(match, second, lined_up, account=None, now=by_alice["now"])
    line_up(match, second, lined_up, **by_alice)
    with pytest.raises(NotPossible, match="Change the line-up first, or ask the organiser"):
        start_match(match, team=second, account=None, now=by_alice["now"])
    assert start_match(match, **by_alice).started_at


def test_for_the_higher_team_nobody_is_bound_and_without_a_limit_neither(league, played_up):
    first, second = (league.teams.get(number=number) for number in (1, 2))
    match = against_others(league, 1)[-1]
    assert bound_above(match, first) == set()
    other = against_others(league, 2)[-1]
    other.round.tournament.up_limit = 0
    assert bound_above(other, second) == set()
    other.round.tournament.up_limit = 2
    assert bound_above(other, second) == set()
