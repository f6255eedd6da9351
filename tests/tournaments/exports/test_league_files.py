"""What teams of a league wish and agree on is in the file and the chain of their tournament."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_club, tampering
from tests.tournaments.exports.test_transfer import forget
from tests.tournaments.lifecycle.test_home_matches import TODAY, a_match, league
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.entries.teams import dissolve
from tournaments.exports.tournament_file import BadFile, export_tournament, import_tournament
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.drawing import discard_draw
from tournaments.lifecycle.fixtures import add_wish, remove_wish
from tournaments.lifecycle.home_matches import (
    accept_day,
    agree_to_result,
    dispute_result,
    propose_days,
    refuse_days,
    score_of,
    start_match,
    withdraw_proposal,
)
from tournaments.models import FixtureWish, MatchConfirmation, Postponement, Tournament
from tournaments.models.leagues import ProposedDay

__all__ = ["league"]

pytestmark = pytest.mark.databases


def wrong(tournament):
    return [str(one) for one in differences(Tournament.objects.get(pk=tournament.pk))]


def ask(match, *ahead):
    days = [ProposedDay(TODAY() + timedelta(days=day)) for day in ahead]
    return propose_days(match, match.home, days, reason="to er syge", now=timezone.now())


def wish(tournament, number, by, **wished):
    return add_wish(tournament, tournament.teams.get(number=number), **wished, **by)


@pytest.fixture
def agreed(league, by_alice):
    """The league with two wishes, a result that one team agrees to, and a proposal of each state."""
    wish(league, 1, by_alice, day=TODAY(), is_hard=True)
    wish(league, 1, by_alice, other=league.teams.get(number=3))
    match = start_match(a_match(league, 1), **by_alice)
    for table in match.tables.select_related("round__tournament", "match"):
        play(table)
    agree_to_result(match, match.home, seen=score_of(match).tokens, now=timezone.now())
    moved, kept = a_match(league, 2), a_match(league, 2, 2)
    accepted = ask(moved, 9, 10)
    accept_day(accepted, moved.away, accepted.proposed[1], now=timezone.now())
    refuse_days(ask(kept, 11), kept.away, answer="ingen af dem", now=timezone.now())
    withdraw_proposal(ask(kept, 12), kept.home, now=timezone.now())
    ask(kept, 13)
    league.refresh_from_db()
    return league


def test_what_teams_agree_on_goes_with_the_file_and_comes_back_the_same(agreed):
    assert wrong(agreed) == []
    text = export_tournament(agreed)
    file = json.loads(text)
    assert [one["other"] for one in file["teams"][0]["fixture_wishes"]] == [None, 3]
    matches = [match for round_ in file["rounds"] for match in round_["matches"]]
    assert [one["team"] for one in matches[0]["confirmations"]] == [file["rounds"][0]["matches"][0]["home"]]
    states = [one["state"] for match in matches for one in match["postponements"]]
    assert states == ["accepted", "refused", "withdrawn", "open"]
    forget(agreed)
    taken = import_tournament(text)
    assert export_tournament(taken) == text
    assert wrong(taken) == []


def test_a_file_of_an_earlier_spadille_lacks_them_and_is_read(league):
    now = export_tournament(league)
    data = json.loads(now)
    for team in data["teams"]:
        del team["fixture_wishes"]
    for round_ in data["rounds"]:
        for match in round_["matches"]:
            del match["confirmations"], match["postponements"]
    forget(league)
    assert export_tournament(import_tournament(json.dumps(data))) == now


def of_match(round_number, number=1):
    """The way to a match in a file."""
    return ("rounds", round_number - 1, "matches", number - 1)


WISHES = ("teams", 0, "fixture_wishes")
SPOILT = {
    "a wish for a day and a team": ((*WISHES, 0, "other"), 2, "not for one day"),
    "a wish for nothing": ((*WISHES, 1, "other"), None, "not for one day"),
    "a wish against oneself": ((*WISHES, 1, "other"), 1, "not for one day"),
    "a wish against nobody": ((*WISHES, 1, "other"), 9, "lacks 9"),
    "no day": ((*WISHES, 0, "day"), "Tuesday", "inconsistent"),
    "a team that does not exist": ((*of_match(1), "confirmations", 0, "team"), 9, "no. 9 is not in match 1"),
    "no tokens": ((*of_match(1), "confirmations", 0, "home_tokens"), "many", "inconsistent"),
    "other tokens": ((*of_match(1), "confirmations", 0, "home_tokens"), 99, "home tokens is 99"),
    "no confirmation": ((*of_match(1), "confirmations"), [], "confirmation 1 is gone"),
    "four days": ((*of_match(2, 2), "postponements", 2, "days"), [["2027-01-01", ""]] * 4, "unknown format"),
    "days that are no list": ((*of_match(2, 2), "postponements", 2, "days"), 7, "unknown format"),
    "an unknown state": ((*of_match(2, 2), "postponements", 0, "state"), "perhaps", "inconsistent"),
    "two open ones": ((*of_match(2, 2), "postponements", 1, "state"), "open", "two open proposals"),
    "answered and open": ((*of_match(2, 2), "postponements", 2, "answered_at"), "2026-01-01T00:00Z", "answer"),
    "chosen and refused": ((*of_match(2, 2), "postponements", 0, "chosen"), "2026-01-01", "answer"),
    "another day chosen": ((*of_match(2), "postponements", 0, "chosen"), "2026-01-01", "answer"),
    "another reason": ((*of_match(2), "postponements", 0, "reason"), "sne", "reason is not what was written"),
    "no proposals": ((*of_match(2), "postponements"), [], "postponement 1 is gone"),
    "no wishes": (WISHES, [], "wish 1 is gone"),
    "no list": (WISHES, None, "inconsistent"),
}  # fmt: skip


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_file_with_a_wrong_one_is_refused_whole_and_says_what_is_wrong(agreed, spoilt):
    path, value, said = SPOILT[spoilt]
    data = json.loads(export_tournament(agreed))
    inside = data
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    forget(agreed)
    with pytest.raises(BadFile, match=said):
        import_tournament(json.dumps(data))
    assert [model.objects.count() for model in (Tournament, FixtureWish, Postponement)] == [0, 0, 0]


@pytest.mark.parametrize("path", [WISHES, (*of_match(1), "confirmations")])
def test_a_wish_or_a_yes_that_is_there_twice_is_refused(agreed, path):
    data = json.loads(export_tournament(agreed))
    inside = data
    for step in path:
        inside = inside[step]
    inside.append(inside[0])
    forget(agreed)
    with pytest.raises(BadFile, match="twice"):
        import_tournament(json.dumps(data))
    assert Tournament.objects.count() == 0


BY_HAND = {
    "a wish is hard": (FixtureWish, {"is_hard": True}, "pair or team no. 1: wish 2: is hard is True, decided was"),
    "a wish is gone": (FixtureWish, None, "pair or team no. 1: wish 2 is gone"),
    "a yes to something else": (MatchConfirmation, {"away_tokens": 7}, "confirmation 1: away tokens is 7"),
    "a yes is gone": (MatchConfirmation, None, "round 1 match 1: confirmation 1 is gone"),
    "an answer": (Postponement, {"answer": "ja"}, "postponement 3: its answer is not what was written down"),
    "other days": (Postponement, {"days": [["2027-01-01", ""]]}, "postponement 3: days is [['2027-01-01', '']]"),
    "a proposal is gone": (Postponement, None, "round 2 match 2: postponement 3 is gone"),
}  # fmt: skip


@pytest.mark.parametrize("change", BY_HAND)
def test_what_is_changed_by_hand_is_named(agreed, change):
    model, fields, said = BY_HAND[change]
    newest = model.objects.order_by("pk").last()
    with tampering():
        rows = model._base_manager.filter(pk=newest.pk)
        rows.update(**fields) if fields else rows._raw_delete(rows.db)
        (found,) = wrong(agreed)
    assert said in found


def test_whatever_becomes_of_a_wish_or_a_yes_the_chain_knows_it(by_alice, agreed):
    match = a_match(agreed, 1)
    dispute_result(match, match.home, words="Spil 3 er forkert", now=timezone.now())
    remove_wish(FixtureWish.objects.first(), **by_alice)
    assert wrong(agreed) == []
    drawn = make_teams(make_club("Klub"), by_alice, teams=4)
    wish(drawn, 1, by_alice, other=drawn.teams.get(number=2))
    discard_draw(drawn, **by_alice)
    dissolve(drawn.teams.get(number=2), **by_alice)
    assert (wrong(drawn), drawn.fixture_wishes.count()) == ([], 0)
