"""Both captains agree to the result of a match at home; who differs is shown at the desk; the match has its paper."""

from __future__ import annotations

import html
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.tournaments.lifecycle.test_home_matches import a_match, league
from tests.tournaments.seasons.test_season import play
from tournaments.desk.evening.navigation import Steps
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.home_matches import (
    agree_to_result,
    confirmations,
    dispute_result,
    score_of,
    start_match,
)
from tournaments.models import Flag, MatchConfirmation
from tournaments.standings.teams import team_standings

__all__ = ["league"]


@pytest.fixture
def played(league, by_alice):
    """The first match, played to its end and not yet agreed to by anybody."""
    match = start_match(a_match(league, 1), **by_alice)
    for table in match.tables.select_related("round__tournament", "match"):
        play(table)
    match.tables.first().seats.update(agreed_at=None)
    return a_match(league, 1)


def says_yes(match, team, *, seen=None):
    return agree_to_result(match, team, seen=seen or score_of(match).tokens, now=timezone.now())


def test_the_second_yes_ends_the_match_and_signs_for_the_players(played):
    assert says_yes(played, played.home).waits
    ended = says_yes(played, played.away)
    assert ended.ended_at is not None
    assert not played.tables.filter(seats__agreed_at=None).exists()
    tournament = played.round.tournament
    assert team_standings(tournament).rounds[1][0].counts
    tournament.refresh_from_db()
    assert not list(differences(tournament))


def test_the_score_is_that_of_the_standings(played):
    score = score_of(played)
    (result,) = [
        one for one in team_standings(played.round.tournament).rounds[1] if one.number == played.number
    ]
    assert (score.tokens, score.points, score.is_complete) == (result.tokens, result.points, True)


def test_one_team_saying_yes_twice_is_one_yes(played):
    for _twice in range(2):
        says_yes(played, played.home)
    assert MatchConfirmation.objects.count() == 1
    assert played.round.tournament.log.filter(text__contains="agrees to the result").count() == 1
    assert a_match(played.round.tournament, 1).waits


def test_a_yes_to_another_result_is_none(played):
    with pytest.raises(NotPossible, match="changed in the meantime"):
        says_yes(played, played.home, seen=(1, -1))
    says_yes(played, played.home)
    seat, other = played.tables.first().seats.order_by("position")[:2]
    type(seat).objects.filter(pk=seat.pk).update(tokens=seat.tokens + 4)
    type(seat).objects.filter(pk=other.pk).update(tokens=other.tokens - 4)
    assert confirmations(played, score_of(played)) == {}
    assert says_yes(played, played.away).waits


def test_nobody_agrees_before_the_last_deal_or_to_a_match_that_waits(league, by_alice):
    match = a_match(league, 1)
    with pytest.raises(NotPossible, match="not being played"):
        says_yes(match, match.home)
    start_match(match, **by_alice)
    play(match.tables.select_related("round__tournament", "match").first(), deals=1)
    with pytest.raises(NotPossible, match="Not every deal"):
        says_yes(a_match(league, 1), match.home)


def test_who_differs_calls_the_organiser_and_has_said_no_yes(as_alice, played):
    says_yes(played, played.home)
    for _twice in range(2):
        dispute_result(played, played.home, words="Spil 3 er forkert", now=timezone.now())
    (flag,) = Flag.objects.filter(kind=Flag.Kind.CALL)
    assert flag.words == f"{played.home}: Spil 3 er forkert"
    assert not MatchConfirmation.objects.exists()
    desk = html.unescape(
        as_alice.get(reverse("desk_board", args=[played.round.tournament.code])).content.decode()
    )
    assert "Spil 3 er forkert" in desk


@pytest.mark.parametrize("words", ["", "  ", "x" * 300])
def test_a_captain_who_differs_says_in_a_few_words_what_is_wrong(played, words):
    with pytest.raises(NotPossible) as refused:
        dispute_result(played, played.home, words=words, now=timezone.now())
    assert refused.value.field == "words"


def at(name, team, match):
    return reverse(name, args=[team.secret, match.round.number, match.number])


def test_the_whole_way_by_the_links(client, played):
    home, away = score_of(played).tokens
    for team in (played.home, played.away):
        page = reverse("team_line_up", args=[team.secret])
        assert at("team_result", team, played) in client.get(page).content.decode()
        client.post(at("team_result", team, played), {"home": home, "away": away})
    assert a_match(played.round.tournament, 1).ended_at is not None


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"home": "x", "away": "1"},
        {"home": "9" * 50, "away": "0"},
        {"home": "٣", "away": "0"},
        {"words": ""},
    ],
)
def test_whatever_is_sent_is_no_error_and_ends_nothing(client, played, sent):
    assert client.post(at("team_result", played.home, played), sent).status_code == 302
    assert not MatchConfirmation.objects.exists()
    assert client.get(at("team_result", played.home, played)).status_code == 405


@pytest.mark.parametrize("moment", ["before", "after"])
def test_the_match_has_a_paper_for_both_teams_and_the_desk(client, as_alice, played, league, moment):
    match = played if moment == "after" else a_match(league, 3)
    if moment == "after":
        says_yes(played, played.home)
    for team in (match.home, match.away):
        answer = client.get(at("team_match_pdf", team, match))
        assert answer["Content-Type"] == "application/pdf"
    which = [league.code, match.round.number, match.number]
    assert as_alice.get(reverse("desk_match_pdf", args=which))["Content-Type"] == "application/pdf"


def test_nobody_has_the_paper_of_others_or_without_a_right(client, as_charlie, played, league):
    others = a_match(league, 1, 2)
    assert client.get(at("team_match_pdf", played.home, others)).status_code == 404
    which = [league.code, 1, played.number]
    for visitor in (client, as_charlie):
        assert visitor.get(reverse("desk_match_pdf", args=which)).status_code in (302, 403, 404)


def test_a_yes_is_an_hours_later_still_one(played):
    later = timezone.now() + timedelta(hours=1)
    agree_to_result(played, played.home, seen=score_of(played).tokens, now=timezone.now())
    agree_to_result(played, played.away, seen=score_of(played).tokens, now=later)
    assert a_match(played.round.tournament, 1).ended_at == later


def test_a_match_whose_captain_differs_is_not_offered_as_played(client, as_alice, played):
    """Totals entered at both tables, everyone agreed, then a captain differs: the desk settles it first."""
    tournament, match = played.round.tournament, [played.round.number, played.number]
    played.tables.first().seats.update(agreed_at=timezone.now())
    assert "mark the match as played" in Steps(tournament).next.said
    client.post(at("team_result", played.home, played), {"words": "Spil 3 er forkert"})
    step = Steps(tournament).next
    assert (step.key, step.said) == (f"match-{played.pk}", "The organiser has been called: settle that first")
    where = reverse("desk_match", args=[tournament.code, *match])
    page = html.unescape(as_alice.get(where).content.decode())
    assert f"{played.home}: Spil 3 er forkert" in page
    assert (
        "mark the match as played"
        not in as_alice.get(reverse("desk_tournament", args=[tournament.code])).content.decode()
    )
    flag = Flag.objects.get(kind=Flag.Kind.CALL)
    settle = reverse("desk_settle_flag", args=[tournament.code, match[0], flag.table.number, flag.pk])
    assert settle in page
    assert as_alice.post(settle, {"back": "match"}).url == where
    assert "mark the match as played" in Steps(tournament).next.said
