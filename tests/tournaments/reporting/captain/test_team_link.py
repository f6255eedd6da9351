"""A team's own link: its captain lines it up, and a replaced link is dead."""

from __future__ import annotations

from datetime import date

import pytest
from django.db.models import Q
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import make_club, make_player
from tests.tournaments.seasons.test_season import make_teams
from tournaments.entries import entering
from tournaments.lifecycle.line_ups import captains_choice, line_up, line_ups_to_come, seats_of
from tournaments.lifecycle.rulings import postpone, set_dates
from tournaments.models import Match


def a_match(tournament, number=3):
    return tournament.rounds.get(number=number).matches.filter(away__isnull=False).first()


def test_a_teams_captain_lines_it_up_by_its_link(client, five_teams):
    match = a_match(five_teams)
    team, reserve = five_teams.teams.get(number=1), five_teams.entries.get(reserve=True)
    match = next(found for found in line_ups_to_come(team) if found.round.is_drawn)
    seats = [seat.entry.number for seat in seats_of(match, team)]
    address = reverse("team_line_up", args=[team.secret])
    assert reserve.player.name in client.get(address).content.decode()
    sent = {
        f"match{match.pk}-player_{place}": number
        for place, number in enumerate([reserve.number, *seats[1:]], 1)
    }
    client.post(address, sent)
    assert [seat.entry.number for seat in seats_of(match, team)] == [reserve.number, *seats[1:]]
    assert "the team’s own line-up" in five_teams.log.first().words
    assert five_teams.entries.get(reserve=True).status == "present"


def test_a_replaced_link_is_dead_and_says_nothing(as_alice, client, five_teams):
    team = five_teams.teams.get(number=1)
    sent = {"secret": team.secret}
    for _twice in range(2):
        as_alice.post(reverse("desk_team_link", args=[five_teams.code, 1]), sent)
    assert client.get(reverse("team_line_up", args=[team.secret])).status_code == 404
    assert five_teams.log.filter(text="{team} has a new link").count() == 1
    team.refresh_from_db()
    assert team.secret in as_alice.get(reverse("desk_team_link", args=[five_teams.code, 1])).content.decode()


SKOVBY, BRAEDSTRUP = (1, 3), (2, 4)


@pytest.fixture
def two_clubs(club, by_alice):
    """Four teams with a reserve each: Skovby's and Brædstrup's two, and one of each that plays for no team."""
    tournament = make_teams(club, by_alice, teams=4, reserves=[1, 2, 3, 4], date=date(2026, 9, 1))
    for name, numbers in (("Skovby", SKOVBY), ("Brædstrup", BRAEDSTRUP)):
        theirs = make_club(name)
        tournament.teams.filter(number__in=numbers).update(club=theirs)
        tournament.entries.filter(team__number__in=numbers).update(club=theirs)
        entering.enter(tournament, make_player(f"{name}s afløser", theirs), club=theirs, **by_alice)
    return tournament


def between_clubs(tournament):
    """A match to come of Skovby's first team against one of Brædstrup's."""
    team = tournament.teams.get(number=1)
    return team, next(
        match for match in line_ups_to_come(team) if {match.home.number, match.away.number} & set(BRAEDSTRUP)
    )


def offered_to(client, team, match):
    """The numbers of the entries that a team's page finds for a match's first seat."""
    page = client.get(reverse("team_line_up", args=[team.secret]))
    (form,) = [form for form in page.context["forms"] if form.match == match]
    return {entry.number for entry in form.fields["player_1"].offered.first(100)}


def numbers_of(entries):
    return set(entries.values_list("number", flat=True))


def test_a_captain_is_offered_the_own_team_and_the_free_of_the_own_club(client, two_clubs):
    team, match = between_clubs(two_clubs)
    entries = two_clubs.entries
    own, of_club = numbers_of(entries.filter(team=team)), entries.filter(club=team.club)
    free = numbers_of(of_club.filter(team=None)) | numbers_of(of_club.filter(reserve=True))
    assert offered_to(client, team, match) == own | free


def test_a_captain_seats_none_of_the_opponents_reserves_and_the_desk_does_by_a_ruling(
    client, as_alice, two_clubs, by_alice
):
    team, match = between_clubs(two_clubs)
    opponent = match.away if team == match.home else match.home
    orla, seats = opponent.members.get(reserve=True), seats_of(match, team)
    numbers = [orla.number, *(seat.entry.number for seat in seats[1:])]
    page = reverse("team_line_up", args=[team.secret])
    sent = {f"match{match.pk}-player_{place}": number for place, number in enumerate(numbers, 1)}
    assert b"field-error" in client.post(page, sent).content
    with pytest.raises(NotPossible, match="is not in your team") as refused:
        line_up(match, team, [orla, *(seat.entry for seat in seats[1:])], account=None, now=by_alice["now"])
    assert refused.value.field == "player_1"
    side = "home" if team == match.home else "away"
    which = [two_clubs.code, match.round.number, match.number]
    at_desk = {f"{side}-player_{place}": number for place, number in enumerate(numbers, 1)}
    as_alice.post(reverse("desk_line_up", args=which), at_desk)
    assert [seat.entry.number for seat in seats_of(match, team)] == numbers
    assert two_clubs.log.first().words.endswith(f"; by a ruling: {orla.player}")
    # Whom the desk has seated the captain may leave there.
    sent = {f"match{match.pk}-player_{place}": number for place, number in enumerate(numbers[::-1], 1)}
    client.post(page, sent)
    assert [seat.entry.number for seat in seats_of(match, team)] == numbers[::-1]


def test_a_captain_seats_nobody_of_the_own_club_who_plays_against_the_team(client, two_clubs):
    team = two_clubs.teams.get(number=1)
    sisters = two_clubs.teams.get(number=3)
    derby = Match.objects.get(round__tournament=two_clubs, home__in=[team, sisters], away__in=[team, sisters])
    offered = {entry.number for entry in captains_choice(derby, team)}
    assert offered & numbers_of(sisters.members.all()) == set()


def test_a_captain_seats_nobody_who_sits_elsewhere_that_day(client, two_clubs, by_alice):
    team, match = between_clubs(two_clubs)
    stand_in = two_clubs.entries.get(team=None, club=team.club)
    sisters = two_clubs.teams.get(number=3)
    another = Match.objects.filter(round__tournament=two_clubs).exclude(round=match.round)
    another = another.filter(Q(home=sisters) | Q(away=sisters)).exclude(Q(home=team) | Q(away=team)).get()
    seats = seats_of(another, sisters)
    line_up(another, sisters, [stand_in, *(seat.entry for seat in seats[1:])], **by_alice)
    assert stand_in.number in offered_to(client, team, match)
    set_dates(two_clubs, {match.round.number: date(2026, 10, 6)}, **by_alice)
    postpone(another, date(2026, 10, 6), **by_alice)
    assert stand_in.number not in offered_to(client, team, match)


def test_a_captain_seats_somebody_of_the_own_club_whose_team_has_a_bye(client, five_teams):
    team = five_teams.teams.get(number=1)
    match = next(
        match for match in line_ups_to_come(team) if match.round.matches.filter(away=None).exclude(home=team)
    )
    bye = match.round.matches.get(away=None).home
    expected = numbers_of(team.members.all()) | numbers_of(bye.members.all())
    assert offered_to(client, team, match) == expected
