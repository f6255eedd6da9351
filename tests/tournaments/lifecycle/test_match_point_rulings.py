"""Penalties in match points, and matches awarded by ruling: what counts, what is refused, and that it is recounted."""

from __future__ import annotations

import pytest
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import made_once
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.exports.tournament_file import export_tournament
from tournaments.exports.verify.recount import differences, team_differences
from tournaments.lifecycle.playing import start_round
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.models import Match, Penalty, Table, Tournament
from tournaments.standings.players import standings
from tournaments.standings.teams import counted_of_teams, team_standings

REASON = "came an hour late"


@pytest.fixture
def four_teams_played(club, by_alice):
    """Four teams, the first round played."""
    return made_once("four teams played", [club, by_alice["account"]], lambda: _played(club, by_alice))


def _played(club, by_alice):
    tournament = make_teams(club, by_alice, teams=4)
    start_round(tournament.rounds.get(number=1), **by_alice)
    for table in Table.objects.filter(round__number=1).select_related("round__tournament"):
        play(table)
    tournament.refresh_from_db()
    return tournament


def row_of(tournament, number=1):
    tournament.refresh_from_db()
    return next(row for row in team_standings(tournament).rows if row.number == number)


def typed(tournament, **fields):
    team = tournament.teams.get(number=1)
    sent = {"entry": "", "team": team.pk, "tokens": "-1", "counts_as": "match_points", "reason": REASON}
    return sent | {"round": "", "seen": "0"} | fields


def penalties(tournament):
    return reverse("desk_penalties", args=[tournament.code])


def test_a_teams_match_points_are_fewer_and_its_tokens_and_matches_are_not(as_alice, four_teams_played):
    before = row_of(four_teams_played)
    figures = (before.points, before.tokens, before.won, before.drawn, before.lost)
    sent = typed(four_teams_played, round=four_teams_played.rounds.get(number=1).pk)
    assert as_alice.post(penalties(four_teams_played), sent).headers["Location"] == penalties(
        four_teams_played
    )
    after = row_of(four_teams_played)
    assert (after.points + 1, after.tokens, after.won, after.drawn, after.lost) == figures
    assert (after.ruled_points, after.penalties) == (-1, 0)
    assert {row.penalties for row in standings(four_teams_played).rows} == {0}
    team = four_teams_played.teams.get(number=1)
    assert four_teams_played.log.first().words == f"{team}: −1 match points by ruling: {REASON}"


def test_it_is_shown_with_its_reason_and_stands_in_every_file(as_alice, client, four_teams_played):
    as_alice.post(penalties(four_teams_played), typed(four_teams_played))
    hall = client.get(reverse("standings", args=[four_teams_played.code])).content.decode()
    assert "Match points by ruling" in hall
    team = client.get(reverse("hall_team", args=[four_teams_played.code, 1])).content.decode()
    assert REASON in team
    told = client.get(reverse("hall_teams_file", args=[four_teams_played.code, "json"])).json()
    teams = {team["number"]: team for division in told["divisions"] for team in division["teams"]}
    assert {number: team["ruled_points"] for number, team in teams.items()} == {1: -1, 2: 0, 3: 0, 4: 0}


def test_cancelled_it_counts_no_more_and_all_is_recounted(as_alice, four_teams_played, by_alice):
    as_alice.post(penalties(four_teams_played), typed(four_teams_played))
    assert list(differences(four_teams_played)) == []
    assert list(team_differences(four_teams_played, counted_of_teams(four_teams_played))) == []
    Penalty.objects.update(match_points=-2)
    Tournament.objects.filter(pk=four_teams_played.pk).update(version=four_teams_played.version + 10)
    told = [str(found).split(" ", 1)[-1] for found in differences(four_teams_played)]
    assert any(text.startswith("ruling 1: match points is -2, decided was -1 (step ") for text in told)
    Penalty.objects.update(match_points=-1)
    cancel_penalty(Penalty.objects.get(), reason="a flat tyre", **by_alice)
    assert row_of(four_teams_played).ruled_points == 0
    assert list(differences(four_teams_played)) == []
    assert four_teams_played.log.first().text.startswith("Cancelled the ruling of {points} match points")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"tokens": "0"}, "tokens"),
        ({"tokens": "-21"}, "tokens"),
        ({"team": "", "entry": "1"}, "team"),
        ({"team": "", "entry": ""}, "entry"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(as_alice, four_teams_played, wrong, field):
    if wrong.get("entry"):
        wrong = wrong | {"entry": four_teams_played.entries.first().pk}
    answer = as_alice.post(penalties(four_teams_played), typed(four_teams_played, **wrong))
    assert field in answer.context["form"].errors
    assert not Penalty.objects.exists()


def test_a_players_ruling_is_in_tokens_and_individuals_are_not_asked(four_teams_played, by_alice):
    with pytest.raises(NotPossible):
        penalise(four_teams_played.entries.first(), match_points=-1, reason=REASON, round_=None, **by_alice)
    with pytest.raises(NotPossible):
        penalise(
            four_teams_played.teams.first(),
            tokens=-1,
            match_points=-1,
            reason=REASON,
            round_=None,
            **by_alice,
        )


def test_a_tournaments_file_carries_it(as_alice, four_teams_played):
    as_alice.post(penalties(four_teams_played), typed(four_teams_played))
    assert '"match_points": -1' in export_tournament(four_teams_played)


@pytest.mark.parametrize(
    ("scale", "points", "field"),
    [
        ([2, 1, 0], (2, 0), ""),
        ([2, 1, 0], (1, 1), ""),
        ([2, 1, 0], (0, 0), ""),
        ([2, 1, 0], (2, 1), "away"),
        ([2, 1, 0], (3, 0), "home"),
        ([2, 1, 0], (0, 3), "away"),
        ([3, 1, 0], (3, 0), ""),
        ([3, 1, 0], (2, 2), "away"),
        ([3, 2, 1], (3, 1), ""),
        ([3, 2, 1], (3, 2), "away"),
    ],
)
def test_no_more_points_are_awarded_than_a_match_has(as_alice, four_teams_played, scale, points, field):
    Tournament.objects.filter(pk=four_teams_played.pk).update(match_points=scale)
    match = Match.objects.get(round__number=2, number=1)
    page = reverse("desk_award", args=[four_teams_played.code, 2, 1])
    home, away = points
    answer = as_alice.post(page, {"home": home, "away": away, "reason": "did not turn up"})
    match.refresh_from_db()
    if field:
        assert match.awarded_home is None
        assert list(answer.context["award"].errors) == [field]
        assert answer.context["award"]["reason"].value() == "did not turn up"
    else:
        assert (match.awarded_home, match.awarded_away) == points
