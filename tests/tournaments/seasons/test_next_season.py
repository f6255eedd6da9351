"""The next season takes the teams of the last one along, by their places."""

from __future__ import annotations

import html
from datetime import date

import pytest
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import make_club, make_tournament
from tests.tournaments.seasons.test_season import make_teams
from tournaments.entries.teams import withdraw_team
from tournaments.exports.verify.recount import differences
from tournaments.models import Entry, Match, Round, Team, Tournament
from tournaments.seasons.next_season import earlier_seasons, places_after, take_teams


@pytest.fixture
def season(club, by_alice):
    """Six teams in two divisions whose places follow from rulings: 1, 2, 3 above 4, 5, 6."""
    made = make_teams(club, by_alice, teams=6, drawn=False, date=date(2026, 1, 6), promoted=1, relegated=1)
    made.teams.filter(number__gt=3).update(division=2)
    made.teams.update(place="Hallen")
    for number in range(1, 7):
        made.penalties.create(
            team=made.teams.get(number=number),
            match_points=7 - number,
            tokens=0,
            reason="x",
            ruled_by="alice",
            ruled_at=by_alice["now"],
        )
    round_ = Round.objects.create(tournament=made, number=1, state="closed", seed=1)
    for number, (home, away) in enumerate([(1, 2), (4, 5)], 1):
        Match.objects.create(
            round=round_,
            number=number,
            home=made.teams.get(number=home),
            away=made.teams.get(number=away),
            awarded_home=0,
            awarded_away=0,
            awarded_reason="x",
        )
    return made


@pytest.fixture
def coming(club, season):
    return make_tournament(0, club=club, format="teams", date=date(2027, 1, 5), drawn=False)


def placed(tournament):
    return {(team.name, team.division) for team in tournament.teams.all()}


def names(season, *numbers):
    return [season.teams.get(number=number).name for number in numbers]


def test_teams_come_with_players_club_and_place_in_their_new_division(season, coming, by_alice):
    assert take_teams(season, coming, **by_alice) == 6
    first, second = names(season, 1, 2, 4), names(season, 3, 5, 6)
    assert placed(coming) == {*((name, 1) for name in first), *((name, 2) for name in second)}
    was, now = season.teams.get(number=4), coming.teams.get(name=season.teams.get(number=4).name)
    assert (now.club, now.place) == (was.club, "Hallen")
    assert [entry.player for entry in now.members.order_by("number")] == [
        entry.player for entry in was.members.order_by("number")
    ]
    coming.refresh_from_db()
    assert not list(differences(coming))


def test_who_declines_stays_and_the_next_goes_up(season, coming, by_alice):
    take_teams(season, coming, declined={4}, **by_alice)
    assert (season.teams.get(number=5).name, 1) in placed(coming)
    assert (season.teams.get(number=4).name, 2) in placed(coming)


def test_who_does_not_play_or_withdrew_is_left_out(season, coming, by_alice):
    withdraw_team(season.teams.get(number=6), reason="for få", **by_alice)
    assert take_teams(season, coming, away={2}, **by_alice) == 4
    assert not {name for name, _division in placed(coming)} & set(names(season, 2, 6))


def test_a_club_has_at_most_so_many_in_a_division(season, coming, by_alice):
    skovby = make_club("Skovby")
    season.teams.filter(number__in=[1, 2, 4]).update(club=skovby)
    take_teams(season, coming, most_of_club=2, **by_alice)
    assert (season.teams.get(number=5).name, 1) in placed(coming)


def test_somebody_who_left_a_team_does_not_come_along(season, coming, by_alice):
    gone = season.teams.get(number=1).members.first()
    Entry.objects.filter(pk=gone.pk).update(status=Entry.Status.WITHDRAWN)
    take_teams(season, coming, **by_alice)
    assert not coming.entries.filter(player=gone.player).exists()


def test_teams_are_taken_once_and_only_of_the_same_club_and_format(season, coming, by_alice):
    take_teams(season, coming, **by_alice)
    with pytest.raises(NotPossible, match="already been formed"):
        take_teams(season, coming, **by_alice)
    elsewhere = make_tournament(0, club=make_club("Skovby"), format="teams", drawn=False)
    with pytest.raises(NotPossible, match="same club and format"):
        take_teams(season, elsewhere, **by_alice)
    assert earlier_seasons(elsewhere) == []
    assert season in earlier_seasons(coming)


def test_the_page_shows_the_divisions_and_takes_the_teams(as_alice, season, coming):
    page = reverse("desk_earlier_teams", args=[coming.code])
    assert page in as_alice.get(reverse("desk_teams", args=[coming.code])).content.decode()
    shown = html.unescape(as_alice.get(page).content.decode())
    assert "promoted" in shown
    assert "relegated" in shown
    sent = {"earlier": season.code, "most_of_club": "0", "declined": "4", "away": "6"}
    looked = html.unescape(as_alice.post(page, sent | {"look": ""}).content.decode())
    assert "promoted instead of another" in looked
    assert "does not play" in looked
    assert not coming.teams.exists()
    for _twice in range(2):
        as_alice.post(page, sent | {"take": ""})
    assert coming.teams.count() == 5


@pytest.mark.parametrize(
    "sent", [{}, {"earlier": "XXXXXX"}, {"most_of_club": "-1"}, {"away": ["x", "٣", "9" * 40], "earlier": ""}]
)
def test_whatever_is_sent_takes_nothing(as_alice, season, coming, sent):
    answer = as_alice.post(reverse("desk_earlier_teams", args=[coming.code]), {"take": ""} | sent)
    assert answer.status_code == 200
    assert not Team.objects.filter(tournament=coming).exists()


def test_who_does_not_organise_takes_no_teams(client, as_helper, as_charlie, season, coming):
    for visitor in (client, as_helper, as_charlie):
        visitor.post(
            reverse("desk_earlier_teams", args=[coming.code]),
            {"take": "", "earlier": season.code, "most_of_club": "0"},
        )
    assert not coming.teams.exists()


def test_a_season_without_results_keeps_everybody_where_they_were(club, by_alice):
    made = make_teams(club, by_alice, teams=3, drawn=False, date=date(2026, 3, 3))
    assert [(one.team.number, one.division) for one in places_after(made).teams] == [(1, 1), (2, 1), (3, 1)]


def test_the_earlier_season_offered_first_is_the_one_with_the_same_rules(as_alice, club, season, coming):
    """Or the one that the address names: the league that was copied."""
    Tournament.objects.filter(pk=coming.pk).update(promoted=1, relegated=1)
    other = make_tournament(0, club=club, format="teams", date=date(2026, 9, 1), drawn=False, name="Cup")
    Team.objects.create(tournament=other, number=1, name="Cup 1")
    page = reverse("desk_earlier_teams", args=[coming.code])
    assert as_alice.get(page).context["form"].data["earlier"] == season.code
    assert as_alice.get(page, {"earlier": other.code}).context["form"].data["earlier"] == other.code
    assert as_alice.get(page, {"earlier": "XXXXXX"}).context["form"].data["earlier"] == season.code


def test_who_copies_a_league_is_led_to_its_teams(as_alice, season, club):
    url = f"{reverse('tournament_new')}?copy={season.code}"
    form = as_alice.get(url).context["form"]
    values = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in values.items() if value is not None and value is not False}
    typed |= {"code": "ABCDEF", "date": "2027-01-05"}
    answer = as_alice.post(url, typed)
    assert answer.status_code == 302, answer.context["form"].errors
    assert answer.url == f"{reverse('desk_earlier_teams', args=['ABCDEF'])}?earlier={season.code}"
    page = html.unescape(as_alice.get(answer.url).content.decode())
    assert all(name in page for name in names(season, *range(1, 7)))


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((1, 2), "they played there before, and only promotion is limited"),
        ((3, 5), "one was relegated into it"),
    ],
)
def test_a_club_with_too_many_teams_is_told_why(as_alice, season, coming, numbers, said):
    skovby = make_club("Skovby")
    season.teams.update(club=None)
    season.teams.filter(number__in=numbers).update(club=skovby)
    page = reverse("desk_earlier_teams", args=[coming.code])
    sent = {"earlier": season.code, "most_of_club": "1", "look": ""}
    shown = html.unescape(as_alice.post(page, sent).content.decode())
    assert said in shown
    assert shown.count("has more teams in division") == 1
